import { describe, expect, test } from 'bun:test'
import { LivingMarket } from './living-market.ts'
import { NoAnswerFault, RetryLaterFault, type Trader, type TraderAnswer } from './trader-client.ts'

type Asked = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly fields: object
}

const done = (data: unknown = []): TraderAnswer => ({ status: 200, reason: undefined, data })

/** A market that stops after so many requests; `answer`: what the exchange says to the n-th. */
async function played(
  seed: number,
  requests: number,
  answer: (asked: Asked, place: number) => TraderAnswer | Error = (asked) => usual(asked),
) {
  const asked: Asked[] = []
  const pauses: number[] = []
  const warnings: string[] = []
  const leveled: (readonly string[])[] = []
  let market: LivingMarket | undefined
  const trader = (name: string): Trader => ({
    name,
    async ask(method, path, fields = {}) {
      const request = { name, method, path, fields }
      const said = answer(request, asked.push(request))
      if (asked.length === requests) void market?.stop()
      if (said instanceof Error) throw said
      return said
    },
  })
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
  // What is under way when it is told to stop ends first.
  for (let turn = 0; turn < 200; turn++) await Promise.resolve()
  return { asked, pauses, warnings, leveled }
}

function usual({ path }: Asked): TraderAnswer {
  return path === 'ticker/price' ? done({ symbol: 'X' }) : done()
}

const texts = ({ asked }: { readonly asked: readonly Asked[] }) =>
  asked.slice(0, 200).map((each) => JSON.stringify(each))

describe('a living market', () => {
  test('makes the same decisions again with the same seed and the same answers, and others with another seed', async () => {
    const first = texts(await played(7, 200))
    expect(texts(await played(7, 200))).toEqual(first)
    expect(texts(await played(8, 200))).not.toEqual(first)
  })

  test('cancels what an earlier run left, sets a countdown for each trader and quotes every symbol before anybody trades', async () => {
    const { asked, leveled } = await played(1, 100)
    const paths = asked.map(({ name, method, path }) => `${name} ${method} ${path}`)
    const names = ['maker-1', 'maker-2', 'taker-1', 'taker-2']
    expect(paths.slice(0, 4)).toEqual(names.map((name) => `${name} DELETE openOrders`))
    expect(paths.slice(8, 12)).toEqual(names.map((name) => `${name} POST countdownCancelAll`))
    expect(asked[8]?.fields).toEqual({ countdownTime: '120000' })
    const batches = asked.slice(12, 28).filter(({ path }) => path === 'order/batch')
    expect(batches.map(({ name }) => name)).toEqual(
      Array.from({ length: 4 }, () => ['maker-1', 'maker-2']).flat(),
    )
    expect(leveled).toEqual([names])
  })

  test('ends by canceling everything and switching the countdowns off', async () => {
    const { asked } = await played(1, 60)
    const last = asked.slice(-8).map(({ path, fields }) => [path, fields])
    const scope = ['openOrders', { scope: 'ACCOUNT' }]
    const off = ['countdownCancelAll', { countdownTime: '0' }]
    expect(last).toEqual([scope, off, scope, off, scope, off, scope, off])
  })

  test('waits as long as the exchange asks for, goes on behind answers that do not come, and says so once a row', async () => {
    const { pauses, warnings, asked } = await played(1, 80, (request, place) => {
      if (place === 40) return new RetryLaterFault(7_000)
      return place >= 50 && place < 53 ? new NoAnswerFault('POST /x has no answer') : usual(request)
    })
    expect(pauses).toContain(7_000)
    expect(pauses.filter((ms) => ms === 1_000)).toHaveLength(3)
    expect(warnings).toEqual(Array.from({ length: 2 }, () => 'the demo market waits and tries again'))
    expect(asked.length).toBeGreaterThanOrEqual(80)
  })
})
