/**
 * `npm test`: the fast parts of the tests, in three minutes on two quiet cores. `npm run test:rest`: all
 * other parts, with a browser, PostgreSQL and Python. `npm run test:all`: both. `npm test -- PATH ...`: the
 * files with one of these texts in their path, fast or slow. Each sets the checkout up first, prints a line
 * for each part and ends with one plain line: `N passed, N failed, N skipped`. Fails if a test failed or none
 * ran, and on a continuous-integration machine (CI set) if one was skipped. Tests are skipped if a
 * requirement of their part is not available (tools/lib/test-parts.mjs); each such file is listed with the
 * reason. Parts that were not chosen do not count as skipped. `--pauses` with any of these: all processes
 * that the tests started are paused from time to time (tools/lib/pauses.mjs). `--delays`: everything that
 * pages in a browser send and receive is delayed at random (test/browser/support/delays.ts).
 */
import { randomInt } from 'node:crypto'
import { cpus } from 'node:os'
import { DELAYS_VARIABLE } from './lib/browser.mjs'
import { ensureClientTypes } from './lib/client-types.mjs'
import { errorLinesOf } from './lib/junit.mjs'
import { startPauses } from './lib/pauses.mjs'
import { canSeeProcesses } from './lib/processes.mjs'
import { endWith, notUnderstood, readProgram, whenUnread } from './lib/program.mjs'
import { ensureInstalled } from './lib/setup.mjs'
import { declaredTests, testParts } from './lib/test-parts.mjs'
import { buildProgram } from './lib/test-program.mjs'
import { runQueue } from './lib/test-queue.mjs'
import { endAll, openReports, runPart } from './lib/test-run.mjs'

/**
 * Number of parts that run at the same time on two processors: a part that computes takes a whole processor,
 * one that often waits for processes and browsers half of one.
 */
const LOAD = { computes: 2, waits: 1, room: 6 }
const SLOWEST_SHOWN = 20
/** Number of lines of a failed test's error that are repeated at the end. */
const REASON_LINES = 30
/** A fast file that takes longer is listed on continuous-integration machines. */
const FAST_FILE_MS = 5_000
/** Seeds that are chosen at random are below this. */
const SEED_END = 1_000_000
const SIGNALS = { SIGINT: 130, SIGTERM: 143 }

const COMMAND = 'npm test --'
const { values, words: paths } = readProgram({
  command: COMMAND,
  about: 'Runs the fast tests, or the tests in files with one of the given texts in their path.',
  words: '[path ...]',
  options: {
    rest: { kind: 'flag', help: 'only the tests that the fast run leaves out (npm run test:rest)' },
    all: { kind: 'flag', help: 'every test (npm run test:all)' },
    pauses: { kind: 'flag', help: 'pauses all processes for 1.5 s from time to time' },
    delays: { kind: 'flag', help: 'delays everything that pages in a browser send and receive' },
    seed: { kind: 'whole', help: 'seed of the pauses and delays; default: random, and printed' },
    'test-name-pattern': { kind: 'text', short: 't', help: 'only tests whose title matches' },
    bail: { kind: 'flag', help: 'stops at the first failure' },
    'rerun-each': { kind: 'whole', help: 'runs every file this many times' },
    'update-snapshots': { kind: 'flag', short: 'u', help: 'updates the expected snapshots' },
  },
})
const { rest, all, pauses, delays, seed, ...forRunner } = values
if (paths.length > 0 && (rest || all))
  notUnderstood(COMMAND, 'takes paths or one of --rest and --all, not both')
if (seed !== undefined && !pauses && !delays) notUnderstood(COMMAND, '--seed is for --pauses and --delays')
if (pauses && !canSeeProcesses())
  notUnderstood(COMMAND, '--pauses needs a system that shows processes in /proc, as Linux does')
const options = Object.entries(forRunner).flatMap(([name, value]) => {
  if (value === undefined || value === false) return []
  return [value === true ? `--${name}` : `--${name}=${value}`]
})

const say = (line) => process.stdout.write(`${line}\n`)
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
const grouped = (count) => count.toLocaleString('en-US')

const setUpStarted = performance.now()
ensureInstalled()
ensureClientTypes()
const { asked, notAsked, lacking } = chooseParts()
const seedOfRun = seed ?? randomInt(SEED_END)
const environment = {
  // A run of single paths uses the sources: it can start before the program would be built.
  ...(rest || all ? buildProgram() : {}),
  ...(delays ? { [DELAYS_VARIABLE]: seedOfRun } : {}),
}
say(`Set up in ${seconds(performance.now() - setUpStarted)}.\n`)

const reports = openReports()
if (delays) say(`Pages are delayed at random; to repeat this run: --delays --seed ${seedOfRun}\n`)
const pausing = pauses ? beginPauses() : undefined
let isEnding = false
for (const [signal, exitCode] of Object.entries(SIGNALS)) process.on(signal, () => interrupt(exitCode))
whenUnread(interrupt)
const started = performance.now()
const busyBefore = busyMs()
const ran = await runParts(asked)
const pauseCount = await pausing?.stop()
if (pauseCount !== undefined && !isEnding) say(`\nAll processes were paused ${grouped(pauseCount)} times.`)
if (!isEnding) finish(ran)

/** The parts that run, those that do not, and the files that cannot run because of what the machine lacks. */
function chooseParts() {
  const parts = testParts()
  const isAsked = (part) => all || (rest ? !part.isFast : part.isFast)
  const chosen =
    paths.length > 0 ? parts.map(ofPaths).filter(({ files }) => files.length > 0) : parts.filter(isAsked)
  const reasonOf = oncePerNeed()
  const gaps = chosen.map((part) => ({ part, reason: reasonOf(part) }))
  const runnable = gaps.filter(({ reason }) => reason === undefined).map(({ part }) => part)
  return {
    asked: paths.length > 0 ? [{ name: 'given', files: runnable.flatMap(({ files }) => files) }] : runnable,
    notAsked: paths.length > 0 ? [] : parts.filter((part) => !isAsked(part)),
    lacking: gaps.flatMap(({ part, reason }) =>
      reason === undefined ? [] : part.files.map((file) => `${file}: ${reason}`),
    ),
  }
}

/**
 * Returns why a part cannot run on this machine. Checked once for all shares of a part, since the check may
 * start a browser, and not for a part without files.
 */
function oncePerNeed() {
  const reasons = new Map()
  return ({ needs, files }) => {
    if (needs === undefined || files.length === 0) return undefined
    if (!reasons.has(needs)) reasons.set(needs, needs().reason)
    return reasons.get(needs)
  }
}

function ofPaths(part) {
  const wanted = paths.map((text) => text.replace(/^\.\//, ''))
  return { ...part, files: part.files.filter((file) => wanted.some((text) => file.includes(text))) }
}

function beginPauses() {
  say(`Processes are paused from time to time; to repeat this run: --pauses --seed ${seedOfRun}\n`)
  return startPauses(reports.run, seedOfRun)
}

/** Ends everything that runs, and then this process. */
async function interrupt(exitCode) {
  if (isEnding) return
  isEnding = true
  await pausing?.stop()
  await endAll(reports)
  say('\ninterrupted')
  endWith(exitCode)
}

/** Runs the parts, in their order and some at the same time. */
async function runParts(parts) {
  const done = []
  const isLive = paths.length > 0
  await runQueue(
    parts.filter(({ files }) => files.length > 0),
    {
      loadOf: ({ computes }) => (computes ? LOAD.computes : LOAD.waits),
      room: LOAD.room,
      isOver: () => isEnding,
      run: async (part) => {
        const result = await runPart(part, { reports, options, environment, isLive })
        done.push(result)
        if (!isEnding && !isLive) sayPart(result)
      },
    },
  )
  return done
}

function sayPart({ part, tests, exitCode, output, tookMs, cpuMs }) {
  const failed = tests.filter(({ outcome }) => outcome === 'failed').length
  if (exitCode !== 0) say(`${output.trimEnd()}\n`)
  const verdict = exitCode === 0 ? 'ok  ' : 'FAIL'
  const failures = failed === 0 ? '' : `, ${grouped(failed)} failed`
  say(
    `${verdict} ${part.name.padEnd(24)} ${grouped(tests.length).padStart(6)} tests ${seconds(tookMs).padStart(8)}${cpuOf(cpuMs)}${failures}`,
  )
}

/** Processor time, if known. */
function cpuOf(ms) {
  return ms === undefined ? '' : `, ${seconds(ms)} of CPU`
}

/** Processor time of all that this machine has run since it was started, on all of its processors. */
function busyMs() {
  return cpus().reduce((sum, { times: { idle, ...others } }) => {
    return sum + Object.values(others).reduce((one, other) => one + other, 0)
  }, 0)
}

/** The share of the processors that was idle while the parts ran, as a text. */
function idleShare() {
  const all = (performance.now() - started) * cpus().length
  const idle = Math.max(0, 1 - (busyMs() - busyBefore) / all)
  return `${Math.round(idle * 100)} % of ${cpus().length} processors idle`
}

function finish(results) {
  const tests = results.flatMap(({ tests: those, output }) => those.map((test) => ({ ...test, output })))
  const of = (wanted) => tests.filter(({ outcome }) => outcome === wanted).map(({ name }) => name)
  const passed = of('passed').length
  const failed = tests.filter(({ outcome }) => outcome === 'failed')
  const skipped = [...of('skipped'), ...lacking]

  if (paths.length === 0) sayTimes(results, tests)
  if (notAsked.length > 0) sayNotRun()
  if (failed.length > 0) sayFailed(failed)
  if (skipped.length > 0) say(`\nSKIPPED TESTS\n${skipped.map((name) => `  ${name}`).join('\n')}`)

  const problems = []
  if (passed + failed.length === 0) problems.push('no test ran')
  if (skipped.length > 0 && process.env.CI) problems.push('tests were skipped, which CI does not allow')
  // An error outside any test (a file that does not load, an unhandled rejection) is in no report.
  const hidden = results.filter((result) => {
    return result.exitCode !== 0 && !result.tests.some(({ outcome }) => outcome === 'failed')
  })
  for (const { part, exitCode } of hidden) {
    problems.push(`the runner of "${part.name}" ended with exit code ${exitCode}: see its output above`)
  }
  for (const problem of problems) say(`\nnpm test: ${problem}`)

  const failures = failed.length + hidden.length
  say(`\n${passed} passed, ${failures} failed, ${skipped.length} skipped`)
  endWith(failures > 0 || problems.length > 0 ? 1 : 0)
}

/**
 * Prints the total duration, the slowest tests and, on continuous-integration machines, the fast files that
 * are slow.
 */
function sayTimes(results, tests) {
  const cpuMs = results.reduce((sum, result) => sum + result.cpuMs, 0)
  say(
    `\nAll in ${seconds(performance.now() - started)}${cpuOf(Number.isNaN(cpuMs) ? undefined : cpuMs)}, ${idleShare()}. Reports: .cache/test-reports/${reports.run}`,
  )
  const slowest = tests.toSorted((one, other) => other.tookMs - one.tookMs).slice(0, SLOWEST_SHOWN)
  say('\nThe slowest:')
  for (const { name, tookMs } of slowest) say(`  ${seconds(tookMs).padStart(7)}  ${name}`)
  if (!process.env.CI) return
  const msByFile = new Map()
  for (const { part, tests: those } of results) {
    if (!part.isFast) continue
    for (const { file, tookMs } of those) msByFile.set(file, (msByFile.get(file) ?? 0) + tookMs)
  }
  for (const [file, tookMs] of msByFile) {
    if (tookMs > FAST_FILE_MS) say(`\nSlow for a fast part: ${file} took ${seconds(tookMs)}`)
  }
}

/** The failed tests, each with its error again: the output of its part may be far above, or cut off. */
function sayFailed(failed) {
  say('\nFAILED TESTS')
  for (const test of failed) {
    say(`  ${test.name}`)
    for (const line of errorLinesOf(test, test.output, REASON_LINES) ?? []) say(`    ${line}`)
  }
}

function sayNotRun() {
  const count = grouped(declaredTests(notAsked.flatMap(({ files }) => files)))
  const names = notAsked.map(({ name }) => name).join('; ')
  say(`\nNot run: at least ${count} tests in: ${names}. To run all: npm run test:all`)
}
