import { expect, test } from 'bun:test'
import { until } from '../../../../test/support/until.ts'
import { ArchiveRule, type ArchiveRun, nextMs } from './archive-rule.ts'
import { runProgram } from './start-rule.ts'

const at = (text: string): number => Date.parse(`2026-03-01T${text}:00Z`)
const DAY_MS = 86_400_000

/** A rule whose clock and timers the test controls, and whose runs it ends. */
function ruled(from: string, directory?: string) {
  let problem: string | undefined
  let nowMs = at(from)
  let timers: { dueMs: number; task: () => void }[] = []
  const lines: (readonly string[])[] = []
  const runs: { end: (code: number, out?: string, err?: string) => void; isStopped: boolean }[] = []
  const logged: object[] = []
  const note = (level: string) => (fields: object, message: string) =>
    void logged.push({ level, message, ...fields })
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
  const rule = new ArchiveRule({
    settings: { keepDays: 90, everyDays: 30, at: '03:30', ...(directory === undefined ? {} : { directory }) },
    dataDirectory: '/data',
    start: (line) => {
      lines.push(line)
      if (problem !== undefined) throw new Error(problem)
      const ended = Promise.withResolvers<Awaited<ArchiveRun['ended']>>()
      const run = {
        isStopped: false,
        end: (code: number, out = '', err = '') => ended.resolve({ code, out, err }),
      }
      runs.push(run)
      return {
        ended: ended.promise,
        stop: () => {
          run.isStopped = true
          run.end(143)
        },
      }
    },
    scheduler: {
      later: (task, delayMs) => {
        const timer = { dueMs: nowMs + delayMs, task }
        timers.push(timer)
        return () => {
          timers = timers.filter((each) => each !== timer)
        }
      },
    },
    nowMs: () => nowMs,
    log,
  })
  const pass = (ms: number): void => {
    const endMs = nowMs + ms
    for (;;) {
      const next = timers.toSorted((a, b) => a.dueMs - b.dueMs)[0]
      if (next === undefined || next.dueMs > endMs) break
      timers = timers.filter((each) => each !== next)
      nowMs = next.dueMs
      next.task()
    }
    nowMs = endMs
  }
  return {
    rule,
    pass,
    lines,
    runs,
    logged,
    setClock: (ms: number): void => {
      nowMs = ms
    },
    timers: () => timers,
    /** The reason why no process can be started from now on; undefined if one can. */
    setProblem: (text: string | undefined): void => {
      problem = text
    },
  }
}

test('a daily time means its next occurrence, and never the present moment', () => {
  expect(nextMs('03:30', at('03:29'))).toBe(at('03:30'))
  expect(nextMs('03:30', at('03:30'))).toBe(at('03:30') + DAY_MS)
  expect(nextMs('00:00', at('23:59'))).toBe(at('00:00') + DAY_MS)
})

test('a rule archives once a day, at its time, according to the settings', async () => {
  const { pass, lines, runs, logged, timers } = ruled('01:00', '/archive')
  pass(2.4 * 3_600_000)
  expect(lines).toEqual([])
  pass(0.2 * 3_600_000)
  expect(lines.map((line) => line.join(' '))).toEqual([
    'archive --data /data --json --keep-days 90 --at-least-days 30 --to /archive',
  ])
  runs[0]?.end(0, '{"archived":true,"file":"a","toSeq":7}')
  await until('the rule waits again', () => timers().length === 1)
  expect(logged).toEqual([{ level: 'info', message: 'older commands were archived', file: 'a', toSeq: 7 }])
  pass(DAY_MS)
  expect(lines).toHaveLength(2)
  runs[1]?.end(0, '{"archived":false,"reason":"nothing is old enough"}')
  await until('the run is logged', () => logged.length === 2)
  expect(logged[1]).toMatchObject({ level: 'debug', reason: 'nothing is old enough' })
})

test('a failed run is an alarm until the next one succeeds, and is repeated the next day', async () => {
  const { rule, pass, lines, runs, logged, timers } = ruled('03:00')
  pass(3_600_000)
  runs[0]?.end(1, '', 'bourse archive: the archive is damaged\n')
  await until('the rule waits again', () => timers().length === 1)
  expect(logged).toMatchObject([
    { level: 'error', alarm: 'ARCHIVE_FAILED', code: 1, problem: 'bourse archive: the archive is damaged' },
  ])
  expect(rule.hasFailed).toBe(true)
  pass(DAY_MS)
  expect(lines).toHaveLength(2)
  runs[1]?.end(0, '{"archived":false,"reason":"nothing is old enough"}')
  await until('the run is logged', () => logged.length === 2)
  expect(rule.hasFailed).toBe(false)
})

test('a process that cannot be started and an unreadable answer are alarms, and the node continues', async () => {
  const { rule, pass, lines, runs, logged, timers, setProblem } = ruled('03:00')
  setProblem('no memory for a process')
  pass(3_600_000)
  await until('the rule waits again', () => timers().length === 1)
  expect(rule.hasFailed).toBe(true)
  setProblem(undefined)
  pass(DAY_MS)
  runs[0]?.end(0, 'no JSON')
  await until('the rule waits again', () => timers().length === 1)
  expect(rule.hasFailed).toBe(true)
  const alarm = { level: 'error', alarm: 'ARCHIVE_FAILED' }
  expect(logged).toMatchObject([{ ...alarm, problem: 'no memory for a process' }, alarm])
  expect(lines).toHaveLength(2)
})

test('a clock that is set forward is noticed within an hour, and a node that stops ends the run', async () => {
  const { rule, pass, lines, runs, logged, setClock, timers } = ruled('04:00')
  setClock(at('03:31') + DAY_MS)
  pass(0)
  timers()[0]?.task()
  expect(lines).toHaveLength(1)
  await rule.stop()
  expect([runs[0]?.isStopped, logged, timers().length]).toEqual([true, [], 0])
})

test('a rule starts this program, and gets its output back', async () => {
  const { code, out, err } = await runProgram(['archive', '--data', '/nowhere/at/all', '--json']).ended
  expect([code, out]).toEqual([2, expect.stringContaining('CANNOT_RUN')])
  expect(err).toContain('there is no directory /nowhere/at/all')
})
