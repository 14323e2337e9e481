/**
 * Runs parts of the tests, each in a runner of its own, and keeps their reports. When this process is ended
 * on purpose, it ends everything that the tests started.
 */
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { readReport } from './junit.mjs'
import { markedProcesses, RUN_VARIABLE, signalEach, textOf } from './processes.mjs'
import { bunBinary, ROOT } from './setup.mjs'

/** Catches hung tests. A busy machine may need many times as long as a quiet one. */
const HUNG_MS = 300_000
/** Time that a process has to end after the request. */
const GRACE_MS = 5_000
const REPORTS = path.join(ROOT, '.cache', 'test-reports')
const REPORTS_KEPT = 10
/**
 * For the parts that compute: much of their code runs seldom, and the last of the engine's compilers takes
 * more processor time than it saves (model's 50,000 steps: 44.5 s with it, 38.8 s without; a run of the
 * simulator with 10,000 requests: 36.3 and 27.9 s). The others run as the program does.
 */
const COMPUTES_ENVIRONMENT = { BUN_JSC_useFTLJIT: '0' }

const children = new Set()
/** Processor time of the runners that have ended, with all the children that they waited for. */
let cpuMsSaid = cpuMsOfEnded()

/** Creates a folder for the reports of this run; only the folders of the last ten runs are kept. */
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
 * Runs the files of one part; resolves with the tests that ran, the runner's exit code, its duration and its
 * processor time (undefined if the system does not provide it). `environment`: variables for the tests in
 * addition to those of this process. `isLive`: the output of the runner is shown at once and not kept.
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
    // A process group of its own: an interrupt reaches it only through `endAll`, which also ends the
    // processes that the runner started.
    const child = spawn(bunBinary(), args, {
      cwd: ROOT,
      detached: true,
      env: {
        ...process.env,
        ...environment,
        ...(part.computes ? COMPUTES_ENVIRONMENT : {}),
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

/**
 * User and system time of this process's children that have ended; Linux counts in hundredths of a second.
 */
function cpuMsOfEnded() {
  const fields = textOf('/proc/self/stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  const [user, system] = [Number(fields[13]), Number(fields[14])]
  return Number.isInteger(user) && Number.isInteger(system) ? (user + system) * 10 : undefined
}

/** Ends the runners and all processes that they started, including those that left their group. */
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
