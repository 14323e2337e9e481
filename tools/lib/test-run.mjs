/**
 * Runs parts of the tests, each in a runner of its own, and keeps what they report. Whatever ends this process on purpose
 * ends all that the tests have started.
 */
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { readReport } from './junit.mjs'
import { markedProcesses, RUN_VARIABLE, signalEach, textOf } from './processes.mjs'
import { bunBinary, ROOT } from './setup.mjs'

/** Catches what hangs. What a test needs on a quiet machine, a busy one may take many times over. */
const HUNG_MS = 300_000
/** How long whoever is asked to end has for it. */
const GRACE_MS = 5_000
const REPORTS = path.join(ROOT, '.cache', 'test-reports')
const REPORTS_KEPT = 10
/**
 * For the fast parts: their code runs for seconds, in which the last of the engine's compilers takes a seventh of the processor time and gives
 * less back (model's 50,000 steps: 44.5 s with it, 38.8 s without). The slow parts run as the program does.
 */
const FAST_ENVIRONMENT = { BUN_JSC_useFTLJIT: '0' }

const children = new Set()
/** What the runners that have ended took, with all that they waited for. */
let cpuMsSaid = cpuMsOfEnded()

/** A folder for the reports of this run; those of runs longer ago than the last ten go. */
export function openReports() {
  const run = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}`
  const folder = path.join(REPORTS, run)
  mkdirSync(folder, { recursive: true })
  for (const old of readdirSync(REPORTS).sort().slice(0, -REPORTS_KEPT)) {
    rmSync(path.join(REPORTS, old), { recursive: true, force: true })
  }
  return { run, folder }
}

/**
 * Runs the files of one part; resolves with the tests that ran, the runner's exit code, how long it took and the processor time of it
 * (undefined where the system does not tell).
 * `environment`: what all tests get beside this process's own. `isLive`: what the runner says is shown as it comes, and not kept.
 */
export function runPart(part, { reports, options, environment, isLive }) {
  const name = part.name.replaceAll(/\W+/g, '-')
  const report = path.join(reports.folder, `${name}.xml`)
  const output = path.join(reports.folder, `${name}.txt`)
  const args = [
    '--no-env-file',
    'test',
    `--timeout=${HUNG_MS}`,
    '--only-failures',
    '--reporter=junit',
    `--reporter-outfile=${report}`,
    ...options,
    ...part.files.map((file) => `./${file}`),
  ]
  const started = performance.now()
  const said = isLive ? undefined : openSync(output, 'w')
  return new Promise((resolve) => {
    // A group of its own: an interrupt reaches it by `endAll` alone, which then ends what it has started too.
    const child = spawn(bunBinary(), args, {
      cwd: ROOT,
      detached: true,
      env: {
        ...process.env,
        ...environment,
        ...(part.isFast ? FAST_ENVIRONMENT : {}),
        [RUN_VARIABLE]: reports.run,
      },
      stdio: ['ignore', said ?? 'inherit', said ?? 'inherit'],
    })
    children.add(child)
    const end = (exitCode) => {
      children.delete(child)
      if (said !== undefined) closeSync(said)
      const cpuMs = cpuMsOfEnded()
      const cpu = cpuMs === undefined ? {} : { cpuMs: cpuMs - cpuMsSaid }
      cpuMsSaid = cpuMs
      const { tests } = readReport(textOf(report))
      resolve({ part, tests, exitCode, output: textOf(output), tookMs: performance.now() - started, ...cpu })
    }
    child.on('error', () => end(1))
    child.on('exit', (code) => end(code ?? 1))
  })
}

/** User's and system's time of this process's children that have ended; Linux counts in hundredths of a second. */
function cpuMsOfEnded() {
  const fields = textOf('/proc/self/stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  const [user, system] = [Number(fields[13]), Number(fields[14])]
  return Number.isInteger(user) && Number.isInteger(system) ? (user + system) * 10 : undefined
}

/** Ends the runners and all that they have started, also what is in no group of theirs any more. */
export async function endAll(reports) {
  signalAll(reports, 'SIGTERM')
  const until = performance.now() + GRACE_MS
  while (markedProcesses(reports.run).length > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  signalAll(reports, 'SIGKILL')
}

function signalAll({ run }, signal) {
  const groups = [...children].map((child) => -child.pid)
  signalEach([...groups, ...markedProcesses(run)], signal)
}
