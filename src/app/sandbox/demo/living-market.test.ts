import { describe, expect, test } from 'bun:test'
import { BourseError, type ErrorDetail, RefusedError } from '../../../client/errors.ts'
import { LivingMarket } from './living-market.ts'
import type { DemoTrader, TraderRequests } from './trader.ts'

type Asked = {
  readonly name: string
  readonly request: keyof TraderRequests
  readonly parameters: object
}

const REQUESTS: readonly (keyof TraderRequests)[] = [
  ...(['openOrders', 'priceTicker', 'newOrder', 'orderBatch', 'massCancel', 'countdown'] as const),
]

/** A market that stops after this number of requests; `answer`: the exchange's answer to the n-th. */
async function played(
  seed: number,
  requests: number,
  answer: (asked: Asked, place: number) => unknown = (asked) => usual(asked),
) {
  const asked: Asked[] = []
  const pauses: number[] = []
  const warnings: string[] = []
  const leveled: (readonly string[])[] = []
  let market: LivingMarket | undefined
  const trader = (name: string): DemoTrader => {
    const ask = (request: keyof TraderRequests) => async (parameters: object) => {
      const one = { name, request, parameters }
      const said = answer(one, asked.push(one))
      if (asked.length === requests) void market?.stop()
      if (said instanceof Error) throw said
      return said
    }
    const client = Object.fromEntries(REQUESTS.map((request) => [request, ask(request)]))
    return { name, client: client as unknown as TraderRequests }
  }
  const over = Promise.withResolvers<void>()
  market = new LivingMarket({
    seed,
    pace: 10,
    makers: [trader('maker-1'), trader('maker-2')],
    takers: [trader('taker-1'), trader('taker-2')],
    treasury: {
      async level(names) {
        leveled.push(names)
      },
    },
    monotonicMs: () => 0,
    pause: async (ms, until) => {
      pauses.push(ms)
      await Promise.race([until, new Promise<void>((resolve) => setImmediate(resolve))])
      if (asked.length >= requests) over.resolve()
    },
    log: { debug() {}, info() {}, warn: (_, message) => void warnings.push(message), error() {} },
  })
  await over.promise
  await market.stop()
  // The step in progress at the stop is completed first.
  for (let turn = 0; turn < 200; turn++) await Promise.resolve()
  return { asked, pauses, warnings, leveled }
}

function usual({ request }: Asked): unknown {
  return request === 'priceTicker' ? { symbol: 'X' } : []
}

const texts = ({ asked }: { readonly asked: readonly Asked[] }) =>
  asked.slice(0, 200).map((each) => JSON.stringify(each))

describe('a living market', () => {
  test('makes the same decisions again with the same seed and the same answers, and others with another seed', async () => {
    const first = texts(await played(7, 200))
    expect(texts(await played(7, 200))).toEqual(first)
    expect(texts(await played(8, 200))).not.toEqual(first)
  })

  test('cancels what an earlier run left, sets a countdown for each trader and quotes every symbol before the first trade', async () => {
    const { asked, leveled } = await played(1, 100)
    const made = asked.map(({ name, request }) => `${name} ${request}`)
    const names = ['maker-1', 'maker-2', 'taker-1', 'taker-2']
    expect(made.slice(0, 4)).toEqual(names.map((name) => `${name} massCancel`))
    expect(made.slice(8, 12)).toEqual(names.map((name) => `${name} countdown`))
    expect(asked[8]?.parameters).toEqual({ countdownTime: 120_000 })
    const batches = asked.slice(12, 28).filter(({ request }) => request === 'orderBatch')
    expect(batches.map(({ name }) => name)).toEqual(
      Array.from({ length: 4 }, () => ['maker-1', 'maker-2']).flat(),
    )
    expect(leveled).toEqual([names])
  })

  test('ends by canceling everything and switching the countdowns off', async () => {
    const { asked } = await played(1, 60)
    const last: unknown[] = asked.slice(-8).map(({ request, parameters }) => [request, parameters])
    const scope = ['massCancel', { scope: 'ACCOUNT' }]
    const off = ['countdown', { countdownTime: 0 }]
    expect(last).toEqual([scope, off, scope, off, scope, off, scope, off])
  })

  test('waits as long as the exchange asks for, continues after missing answers, and reports a row of them once', async () => {
    const { pauses, warnings, asked } = await played(1, 80, (request, place) => {
      if (place === 40) return refused('RATE_LIMITED', { outcome: 'NOT_DONE', retryAfterMs: 7_000 })
      const lost = new BourseError('NO_ANSWER', 'POST /x: no answer', { outcome: 'UNKNOWN' })
      return place >= 50 && place < 53 ? lost : usual(request)
    })
    expect(pauses).toContain(7_000)
    expect(pauses.filter((ms) => ms === 1_000)).toHaveLength(3)
    expect(warnings).toEqual(Array.from({ length: 2 }, () => 'the demo market waits and tries again'))
    expect(asked.length).toBeGreaterThanOrEqual(80)
  })

  test('continues at once after an order that is refused', async () => {
    const { warnings, asked } = await played(1, 200, (one) =>
      one.request === 'newOrder' ? refused('INSUFFICIENT_FUNDS', { outcome: 'NOT_DONE' }) : usual(one),
    )
    expect(asked.filter(({ request }) => request === 'newOrder').length).toBeGreaterThan(10)
    expect(warnings).toEqual([])
  })
})

function refused(reason: string, detail: ErrorDetail): RefusedError {
  return new RefusedError({ reason, status: 400, code: '0001', messages: [reason] } as never, detail)
}
