/** Any order: the stream's answer is the same text as HTTP's, with the same effect. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Fixture } from '../../src/server/public/gateway.fixture.ts'
import { type EntryClient, plainEntry } from './support/entry-clients.ts'
import { openExchange } from './support/exchange.ts'

const number = fc.oneof(
  fc.integer({ min: 0, max: 20_000 }).map((units) => (units / 100).toFixed(2)),
  fc.integer({ min: 0, max: 1_000_000 }).map((units) => (units / 10_000).toFixed(4)),
  fc.constantFrom('0', '1', '', '1e3', '-1', '.5', '9'.repeat(40), '0.000000001'),
)
const fields = fc.record(
  {
    symbol: fc.constantFrom('BTC/USDT', 'ETH/USDT', 'USDT/TRY', 'BTC/EUR'),
    side: fc.constantFrom('BUY', 'SELL', 'HOLD'),
    type: fc.constantFrom('LIMIT', 'MARKET', 'LIMIT_MAKER', 'STOP_LOSS'),
    quantity: number,
    price: number,
    total: number,
    timeInForce: fc.constantFrom('GTC', 'IOC', 'FOK', 'GTX'),
    selfTradePreventionMode: fc.constantFrom('NONE', 'EXPIRE_BOTH', 'DECREMENT'),
    icebergQty: number,
  },
  { requiredKeys: ['symbol', 'side', 'type', 'quantity', 'price'] },
)
/** Most of them are accepted; the rest exercise refusals. */
const good = fc.record({
  symbol: fc.constant('BTC/USDT'),
  side: fc.constantFrom('BUY', 'SELL'),
  type: fc.constantFrom('LIMIT', 'LIMIT_MAKER'),
  quantity: fc.integer({ min: 1, max: 500 }).map((lots) => `${lots / 100}`),
  price: fc.integer({ min: 95, max: 105 }).map(String),
})
const mode = fc.constantFrom('STOP_ON_FAILURE', 'ALLOW_FAILURE')
const step = fc.oneof(
  { weight: 3, arbitrary: good.map((order) => ({ place: order as Record<string, string> })) },
  { weight: 2, arbitrary: fields.map((order) => ({ place: order as Record<string, string> })) },
  { weight: 2, arbitrary: fc.nat(20).map((back) => ({ cancel: back })) },
  {
    weight: 2,
    arbitrary: fc.record({
      amend: fc.nat(4),
      newQty: fc.integer({ min: 1, max: 300 }).map((lots) => `${lots / 100}`),
    }),
  },
  { weight: 2, arbitrary: fc.record({ replace: fc.nat(4), mode, order: good }) },
  {
    weight: 1,
    arbitrary: fc.record({ cancelAll: fc.constantFrom('SYMBOL', 'ACCOUNT', 'ALL'), symbol: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ countdown: fc.constantFrom('0', '60000', '-1', '90000000') }) },
)
type Step =
  | { readonly place: Record<string, string> }
  | { readonly cancel: number }
  | { readonly amend: number; readonly newQty: string }
  | { readonly replace: number; readonly mode: string; readonly order: Record<string, string> }
  | { readonly cancelAll: string; readonly symbol: boolean }
  | { readonly countdown: string }

/**
 * Method, path and name of the message, and the parameters; a reference to an earlier order counts back from
 * the last one.
 */
function requestOf(
  step: Step,
  ids: readonly string[],
): readonly [string, string, string, Record<string, string>] {
  const named = (back: number) => ids.at(-1 - back) ?? 'none'
  if ('place' in step) return ['POST', 'order', 'order.place', step.place]
  if ('cancel' in step) return ['DELETE', 'order', 'order.cancel', { id: named(step.cancel) }]
  if ('amend' in step) {
    const amended = { orderId: named(step.amend), newQty: step.newQty }
    return ['PUT', 'order/amend/keepPriority', 'order.amend', amended]
  }
  if ('cancelAll' in step) {
    const scope = { scope: step.cancelAll, ...(step.symbol ? { symbol: 'BTC/USDT' } : {}) }
    return ['DELETE', 'openOrders', 'order.cancelAll', scope]
  }
  if ('countdown' in step) {
    const fields = { countdownTime: step.countdown, keepStops: 'true' }
    return ['POST', 'countdownCancelAll', 'order.countdownCancelAll', fields]
  }
  const replaced = { ...step.order, cancelReplaceMode: step.mode, cancelId: named(step.replace) }
  return ['POST', 'order/cancelReplace', 'order.cancelReplace', replaced]
}

/** The id of the order that was placed, according to an answer. */
function placedIn(body: {
  data?: { id?: string; newOrderResponse?: { data?: { id: string } } }
}): string | undefined {
  return body.data?.newOrderResponse?.data?.id ?? body.data?.id
}

/** Numbers in place of texts that have the same meaning. */
function asNumbers(order: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(order).map(([name, text]) => [name, String(Number(text)) === text ? Number(text) : text]),
  )
}

async function overHttp(f: Fixture, steps: readonly Step[]): Promise<string[]> {
  const ids: string[] = []
  const answers: string[] = []
  for (const step of steps) {
    const [method, path, , fields] = requestOf(step, ids)
    const { status, text, body } = await f.send(method, `/api/v3/${path}`, fields, f.alice)
    const id = placedIn(body)
    if (id !== undefined) ids.push(id)
    answers.push(`${status},${text}`)
  }
  return answers
}

async function overStream(
  client: EntryClient,
  steps: readonly Step[],
  isNumbers: boolean,
): Promise<string[]> {
  const ids: string[] = []
  const answers: string[] = []
  for (const [at, step] of steps.entries()) {
    const [, , name, fields] = requestOf(step, ids)
    const { body } = await client.ask(name, isNumbers ? asNumbers(fields) : fields, at)
    const id = placedIn(body)
    if (id !== undefined) ids.push(id)
    answers.push((client.frames.at(-1) ?? '').slice(`["answer",${at},`.length, -1))
  }
  return answers
}

test('the same orders have the same answers, to the letter, over HTTP and over the stream', async () => {
  let placed = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 40 }),
      fc.boolean(),
      async (steps, isNumbers) => {
        const [first, second] = [await openExchange(), await openExchange()]
        const client = await plainEntry(second.url)
        try {
          await client.login(second.alice, second.clock.time)
          const expected = await overHttp(first, steps)
          expect(await overStream(client, steps, isNumbers)).toEqual(expected)
          placed += expected.filter((answer) => answer.startsWith('200')).length
          refused += expected.filter((answer) => !answer.startsWith('200')).length
          const balances = []
          for (const f of [first, second])
            balances.push((await f.send('GET', '/api/v3/wallet/balance', {}, f.alice)).text)
          expect(balances[1]).toBe(balances[0] as string)
        } finally {
          client.close()
          await first.stop()
          await second.stop()
        }
      },
    ),
    { numRuns: 25 },
  )
  expect(Math.min(placed, refused)).toBeGreaterThan(25)
}, 300_000)
