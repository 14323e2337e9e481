/** Bots with known mistakes are graded: each mistake is found, and nothing else. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import path from 'node:path'
import { type Grade, gradeBot } from '../../src/app/sandbox/grade/grade-bot.ts'
import type { FaultRequest } from '../../src/contract/admin/operations/faults.ts'
import { LeftRunning } from '../support/left-running.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(300_000)

const BOT = path.join(import.meta.dir, 'bot.ts')
const log = { debug() {}, info() {}, warn() {}, error: console.error }
const ORDER = 'POST /api/v3/order'

/**
 * Runs a bot until it reports that it is done, at any speed of the machine; the faults are active from the
 * start.
 */
function graded(mistake: string, ...faults: readonly FaultRequest[]): Promise<Grade> {
  const done = Promise.withResolvers<void>()
  return gradeBot({
    command: [process.execPath, '--no-env-file', BOT, mistake],
    environment: process.env,
    seed: 7,
    seconds: 240,
    plan: faults.map((request) => ({ fromMs: 0, toMs: 240_000, request })),
    version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
    log,
    passOn: (line) => {
      if (line === 'DONE') done.resolve()
    },
    interrupted: done.promise,
  })
}

const kinds = ({ findings }: Grade) => findings.map(({ kind }) => kind)

test('a grade whose bot cannot be started leaves nothing of its sandbox running', async () => {
  using left = new LeftRunning()
  const grade = gradeBot({
    command: [path.join(import.meta.dir, 'no-such-bot')],
    environment: {},
    seed: 7,
    seconds: 240,
    plan: [],
    version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
    log,
    passOn: () => {},
    interrupted: new Promise(() => {}),
  })
  await expect(grade).rejects.toThrow('no-such-bot')
  // The timer for request bodies stops by itself when no body arrives.
  await until('its timers and threads have ended', () => left.all.length === 0)
})

test('a bot that does everything right gets no finding, whatever goes wrong around it', async () => {
  const grade = await graded(
    'none',
    { kind: 'LOST_ANSWER', endpoint: ORDER, times: 4 },
    { kind: 'DISCONNECT', endpoint: ORDER, percent: 30, times: 4 },
    { kind: 'DISCONNECT', endpoint: 'GET /ws', times: 2 },
    { kind: 'LATENCY', latencyMs: 5, spreadMs: 20, times: 20 },
    { kind: 'RATE_LIMIT', retryAfterSeconds: 1, times: 1 },
    { kind: 'CLOCK', aheadMs: 30_000 },
  )
  expect(grade.findings).toEqual([])
  expect(grade.unchecked).toEqual([])
  expect(Object.keys(grade.faults).sort()).toEqual([
    'CLOCK',
    'DISCONNECT',
    'LATENCY',
    'LOST_ANSWER',
    'RATE_LIMIT',
  ])
  expect(grade.fills).toBeGreaterThan(10)
})

test.each<[string, string, readonly FaultRequest[]]>([
  [
    'sends an order again without an id',
    'double:DOUBLED_ORDER',
    [{ kind: 'LOST_ANSWER', endpoint: ORDER, percent: 40, times: 3 }],
  ],
  [
    'never asks for a lost order',
    'unasked:OUTCOME_NOT_ASKED',
    [{ kind: 'LOST_ANSWER', endpoint: ORDER, times: 48 }],
  ],
  [
    'goes on after 429',
    'limit:LIMIT_IGNORED',
    [{ kind: 'RATE_LIMIT', retryAfterSeconds: 60, endpoint: ORDER, times: 1 }],
  ],
  ['keeps its own clock', 'clock:CLOCK_IGNORED', [{ kind: 'CLOCK', behindMs: 30_000 }]],
  ['connects again at once', 'hammer:HAMMERING', [{ kind: 'DISCONNECT', endpoint: 'GET /ws' }]],
  ['does not round its prices', 'refusal:REFUSAL_REPEATED', []],
  ['counts fills that it has not had', 'fills:FILLS_WRONG', []],
  ['counts orders as its position', 'position:POSITION_WRONG', []],
  ['believes in an old book', 'book:BOOK_DRIFTED', []],
  ['leaves orders behind', 'left:ORDERS_LEFT', []],
  ['ends by itself', 'early:ENDED_EARLY,ORDERS_LEFT', []],
])('of a bot that %s nothing but that is found', async (_, names, faults) => {
  const [mistake = '', expected = ''] = names.split(':')
  expect(kinds(await graded(mistake, ...faults))).toEqual(expected.split(',') as never)
})
