/**
 * `npm test`: sets the checkout up, runs every test under src/, test/, sim/ and bench/ (or only the paths and options
 * given after `--`), and ends with one plain line: `N passed, N failed, N skipped`. Fails when a test failed, when none
 * ran, and on a continuous-integration machine (CI set) when one was skipped: those under test/browser are, file by
 * file and with the reason, where there is no Chromium and none can be had, those under test/storage where nothing
 * can be mounted, those under test/faults where no system call can be made to fail, those under test/postgres and
 * test/cluster where no PostgreSQL starts, under test/cluster-page where either is lacking, those under test/python where there is no Python, those under test/rolling-upgrade besides where the history of the repository is not there.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ensureBrowser } from './lib/browser.mjs'
import { ensureEarlierTree } from './lib/earlier-build.mjs'
import { readReport } from './lib/junit.mjs'
import { ensurePostgres } from './lib/postgres.mjs'
import { readProgram } from './lib/program.mjs'
import { ensurePython } from './lib/python.mjs'
import { bunBinary, ensureInstalled, ROOT } from './lib/setup.mjs'
import { probeMount } from './lib/small-disk.mjs'
import { ensureStrace } from './lib/strace.mjs'

const { values, words: paths } = readProgram({
  command: 'npm test --',
  about: 'Every test, or those whose file has one of the texts given in its path.',
  words: '[path ...]',
  options: {
    'test-name-pattern': { kind: 'text', short: 't', help: 'only tests whose title matches' },
    bail: { kind: 'flag', help: 'ends at the first failure' },
    'rerun-each': { kind: 'whole', help: 'runs every file so many times' },
    'update-snapshots': { kind: 'flag', short: 'u', help: 'writes what snapshots expect' },
  },
})
ensureInstalled()

const cache = path.join(ROOT, '.cache')
mkdirSync(cache, { recursive: true })

const given = [
  ...paths,
  ...Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return [value === true ? `--${name}` : `--${name}=${value}`]
  }),
]
function ensureClusterAndBrowser() {
  const gap = ensurePostgres()
  return gap.reason === undefined ? ensureBrowser() : gap
}

function ensureTwoBuilds() {
  const gap = ensurePostgres()
  return gap.reason === undefined ? ensureEarlierTree() : gap
}

/** Folders whose tests need what not every machine has, and who gets it or says why not. */
const NEEDS = {
  'test/browser': ensureBrowser,
  'test/faults': ensureStrace,
  'test/cluster': ensurePostgres,
  'test/cluster-page': ensureClusterAndBrowser,
  'test/postgres': ensurePostgres,
  'test/python': ensurePython,
  'test/rolling-upgrade': ensureTwoBuilds,
  'test/storage': probeMount,
}

function wantedFiles(folder) {
  const files = readdirSync(path.join(ROOT, folder)).filter((name) => name.endsWith('.test.ts'))
  const isWanted = (file) =>
    paths.length === 0 || paths.some((wanted) => file.includes(wanted.replace(/^\.\//, '')))
  return files.map((name) => `${folder}/${name}`).filter(isWanted)
}

const leftOut = Object.entries(NEEDS).flatMap(([folder, ensure]) => {
  const files = wantedFiles(folder)
  const { reason } = files.length === 0 ? {} : ensure()
  return reason === undefined ? [] : [{ folder, files, reason }]
})

/** Catches what hangs. What a test needs on a quiet machine, a busy one may take many times over. */
const HUNG_MS = 300_000

/** Tests that compute, in one process and with one core. The others start programs, and wait for them a good deal. */
const COMPUTING = ['src', 'sim', 'bench', 'test/model', 'test/fuzz', 'test/golden']

/** What runs at the same time, each in a runner of its own. */
const lanes =
  paths.length > 0
    ? [{ name: 'given', folders: [], ignored: [] }]
    : [
        { name: 'computing', folders: COMPUTING.map((folder) => `./${folder}`), ignored: [] },
        { name: 'processes', folders: ['./test'], ignored: COMPUTING },
      ]

const children = new Set()
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
}
finish(await Promise.all(lanes.map(runLane)))

/** Resolves with what the runner reports and its exit code. */
function runLane({ name, folders, ignored }) {
  const reportFile = path.join(cache, `test-report-${process.pid}-${name}.xml`)
  const leftOutHere = [...ignored, ...leftOut.map(({ folder }) => folder), 'test/violations']
  const args = [
    '--no-env-file',
    'test',
    ...leftOutHere.map((folder) => `--path-ignore-patterns=${folder}/**`),
    `--timeout=${HUNG_MS}`,
    '--only-failures',
    '--reporter=junit',
    `--reporter-outfile=${reportFile}`,
    ...folders,
    ...given,
  ]
  return new Promise((resolve) => {
    const child = spawn(bunBinary(), args, { cwd: ROOT, stdio: 'inherit' })
    children.add(child)
    child.on('exit', (code) => resolve({ exitCode: code ?? 1, ...readReport(takeReport(reportFile) ?? '') }))
  })
}

/** The report's text; undefined when the runner died before it wrote one. */
function takeReport(reportFile) {
  try {
    return readFileSync(reportFile, 'utf8')
  } catch {
    return undefined
  } finally {
    rmSync(reportFile, { force: true })
  }
}

function finish(reports) {
  const passed = reports.reduce((sum, report) => sum + report.passed, 0)
  const failed = reports.flatMap((report) => report.failed)
  const missing = leftOut.flatMap(({ files, reason }) => files.map((file) => `${file}: ${reason}`))
  const skipped = [...reports.flatMap((report) => report.skipped), ...missing]
  const say = (line) => process.stdout.write(`${line}\n`)
  if (failed.length > 0) say(`\nFAILED TESTS\n${failed.map((name) => `  ${name}`).join('\n')}`)
  if (skipped.length > 0) say(`\nSKIPPED TESTS\n${skipped.map((name) => `  ${name}`).join('\n')}`)

  const problems = []
  const ran = passed + failed.length
  if (ran === 0) problems.push('no test ran')
  if (skipped.length > 0 && process.env.CI) problems.push('tests were skipped, which CI does not allow')
  // An error outside of any test (a file that does not load, an unhandled rejection) is in no report.
  const hidden = reports.filter((report) => report.exitCode !== 0 && report.failed.length === 0)
  for (const { exitCode } of hidden)
    problems.push(`a runner ended with exit code ${exitCode}: see its output above`)
  for (const problem of problems) say(`\nnpm test: ${problem}`)

  const failures = failed.length + hidden.length
  say(`\n${passed} passed, ${failures} failed, ${skipped.length} skipped`)
  process.exit(failures > 0 || problems.length > 0 ? 1 : 0)
}
