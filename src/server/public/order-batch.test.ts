/** Several placements and cancels in one signed request (docs/reference/extensions.md#order-batch). */
import { afterEach, describe, expect, test } from 'bun:test'
import { type Fixture, openFixture } from './gateway.fixture.ts'
import { SANDBOX_GATEWAY } from './gateway-config.ts'

const BUY = { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '1900' }
const PATH = '/api/v3/order/batch'

const WINDOWS = [{ name: '10S', windowMs: 10_000, ordersMax: 3 }]

type Answered = { readonly status: number; readonly body: { readonly [member: string]: unknown } }

let f: Fixture | undefined
afterEach(() => f?.stop())

async function openBatch(limits?: Parameters<typeof openFixture>[0]) {
  const fixture = await openFixture(limits)
  f = fixture
  const send = (operations: unknown) => {
    const text = typeof operations === 'string' ? operations : JSON.stringify(operations)
    return fixture.send('POST', PATH, { operations: text }, fixture.bob)
  }
  const open = async () => (await fixture.send('GET', '/api/v3/order/active', {}, fixture.bob)).body
  return { fixture, send, open }
}

describe('a batch', () => {
  test('places and cancels in its order, each with the answer of a single request', async () => {
    const { fixture, send, open } = await openBatch()
    const alone = await fixture.place(fixture.bob, { ...BUY, price: '1800' })
    const { status, body } = await send([
      { method: 'POST', ...BUY },
      { method: 'DELETE', id: alone.body.data.id },
      { method: 'DELETE', id: alone.body.data.id },
      { method: 'POST', ...BUY, quantity: 0.5, price: 1700 },
    ])
    const answers: readonly Answered[] = body.data
    expect([status, answers.map((answer) => answer.status)]).toEqual([200, [200, 200, 400, 200]])
    expect(answers[0]?.body).toMatchObject({ status: true, data: { price: 1900, qty: 1 } })
    expect(answers[1]?.body).toEqual({ status: true, code: '0000', msg: ['The order has been canceled.'] })
    expect(answers[2]?.body).toMatchObject({ status: false, reason: 'UNKNOWN_ORDER' })
    expect((await open()).map(({ price }: { price: string }) => price)).toEqual(['1700', '1900'])
  })

  test('continues after a refused operation', async () => {
    const { send, open } = await openBatch()
    const { body } = await send([
      { method: 'POST', ...BUY, quantity: '1000000000' },
      { method: 'POST', ...BUY, timestamp: '1' },
      { method: 'POST', ...BUY, strategyId: '1' },
      { method: 'DELETE' },
      { method: 'POST', ...BUY },
    ])
    const reasons = body.data.map((answer: Answered) => answer.body.reason)
    expect(reasons).toEqual([
      'INSUFFICIENT_FUNDS',
      'INVALID_PARAMETER',
      expect.any(String),
      'MISSING_PARAMETER',
      undefined,
    ])
    expect(await open()).toHaveLength(1)
  })

  test('keeps its order also where a placement is answered with the order itself', async () => {
    const { send, open } = await openBatch()
    const { body } = await send([
      { method: 'POST', ...BUY, newClientOrderId: 'brief', newOrderRespType: 'RESULT' },
      { method: 'DELETE', cancelOrigClientOrderId: 'brief' },
    ])
    expect(body.data.map((answer: Answered) => answer.status)).toEqual([200, 200])
    expect(await open()).toEqual([])
  })

  test('marks an order that had been placed before, and places it once', async () => {
    const { send, open } = await openBatch()
    const named = { method: 'POST', ...BUY, newClientOrderId: 'first' }
    const { body } = await send([named, { ...named, quantity: '1.0' }, { ...named, quantity: '2' }])
    const [first, again, other]: readonly (Answered & { readonly repeated?: boolean })[] = body.data
    expect([first?.repeated, again?.repeated, again?.body]).toEqual([undefined, true, first?.body])
    expect(other).toMatchObject({ body: { reason: 'DUPLICATE_CLIENT_ORDER_ID' } })
    expect(await open()).toHaveLength(1)
  })

  test('that is not a list of operations is refused as a whole, by the position, and nothing was done', async () => {
    const { send, open } = await openBatch()
    const right = { method: 'POST', ...BUY }
    for (const [operations, name] of [
      ['', 'operations'],
      ['[', 'operations'],
      ['{}', 'operations'],
      [[], 'operations'],
      [Array<unknown>(21).fill(right), 'operations'],
      [[right, 1], 'operations[1]'],
      [[right, [right]], 'operations[1]'],
      [[right, { ...BUY }], 'operations[1].method'],
      [[right, { ...BUY, method: 'PUT' }], 'operations[1].method'],
      [[right, { ...right, quantity: { a: 1 } }], 'operations[1].quantity'],
      [[right, { ...right, quantity: 1e21 }], 'operations[1].quantity'],
    ] as const) {
      const { status, body } = await send(operations)
      expect([status, body.reason]).toEqual([400, operations === '' ? body.reason : 'INVALID_PARAMETER'])
      expect(body.msg[0]).toContain(name)
    }
    expect(await open()).toEqual([])
  })

  test('that exceeds what is left of the order limits is refused as a whole', async () => {
    const { fixture, send, open } = await openBatch({
      config: { limits: { ...SANDBOX_GATEWAY.limits, isEnabled: true, orderWindows: WINDOWS } },
    })
    const right = { method: 'POST', ...BUY }
    const refused = await send([right, right, right, right])
    expect([refused.status, refused.body.reason]).toEqual([429, 'ORDER_RATE_LIMITED'])
    expect(await open()).toEqual([])
    const cancel = { method: 'DELETE', id: '01a0c450-6c7b-7100-8000-000000000001' }
    const taken = await send([right, cancel, right, right])
    expect([taken.status, taken.headers.get('x-mbx-order-count-10s')]).toEqual([200, '3'])
    expect((await fixture.place(fixture.bob, BUY)).status).toBe(429)
    expect((await send([cancel])).status).toBe(200)
  })
})
