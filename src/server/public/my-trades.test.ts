/** Fills of an account over HTTP (docs/reference/orders.md#fills). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

describe('the fills of an account', () => {
  let f: Fixture
  let sold = ''
  const start = 1_790_000_000_123
  beforeAll(async () => {
    f = await openFixture()
    const order = { type: 'LIMIT', quantity: '0.1', price: '10' }
    for (const symbol of ['BTC/USDT', 'ETH/USDT', 'BTC/USDT']) {
      const resting = await f.place(f.alice, { ...order, symbol, side: 'SELL' })
      sold = resting.body.data.id
      f.clock.time += 1_000
      await f.place(f.bob, { ...order, symbol, side: 'BUY' })
    }
  })
  afterAll(() => f.stop())

  const ask = (fields: Fields, trader = f.alice) => f.send('GET', '/api/v3/myTrades', fields, trader)
  const fills = async (fields: Fields, trader = f.alice) => {
    const { data } = (await ask(fields, trader)).body
    return { ...data, fills: data.fills.map((fill: { symbol: string }) => fill.symbol) }
  }

  test("are each party's own side of a trade", async () => {
    const [alice, bob] = [await ask({ limit: 1 }), await ask({ limit: 1 }, f.bob)].map(
      ({ body }) => body.data.fills[0],
    )
    expect(alice).toEqual({
      id: bob.id,
      number: 2,
      orderId: sold,
      symbol: 'BTC/USDT',
      side: 'SELL',
      price: '10',
      quantity: '0.1',
      total: '1',
      commission: '0.001',
      commissionAsset: 'USDT',
      isMaker: true,
      time: start + 3_000,
    })
    expect(bob).toMatchObject({ side: 'BUY', commission: '0.0001', commissionAsset: 'BTC', isMaker: false })
  })

  test('continue from next, and end without it', async () => {
    const first = await fills({ limit: 2 })
    expect(first.fills).toEqual(['BTC/USDT', 'ETH/USDT'])
    expect(await fills({ limit: 2, before: first.next })).toEqual({ fills: ['BTC/USDT'] })
  })

  test('are those of a symbol, of an order, and of a time, both its ends included', async () => {
    expect(await fills({ symbol: 'ETH/USDT' })).toEqual({ fills: ['ETH/USDT'] })
    expect(await fills({ orderId: sold })).toEqual({ fills: ['BTC/USDT'] })
    expect(await fills({ orderId: sold }, f.bob)).toEqual({ fills: [] })
    expect(await fills({ from: start + 2_000, to: start + 2_000 })).toEqual({ fills: ['ETH/USDT'] })
    expect(await fills({ from: start + 3_001 })).toEqual({ fills: [] })
    expect(await fills({ to: start })).toEqual({ fills: [] })
  })

  test('are refused for invalid parameters, by name', async () => {
    const other = '00000000-0000-4000-8000-000000000000'
    const wrong: Fields[] = [
      { orderId: 'x' },
      { orderId: other },
      { before: other },
      { from: -1 },
      { from: 5, to: 4 },
      { limit: 0 },
      { limit: 1_001 },
    ]
    for (const fields of wrong) {
      const { status, body } = await ask(fields)
      const name = Object.keys(fields).at(-1) as string
      expect([fields, status, body.reason]).toEqual([fields, 400, 'INVALID_PARAMETER'])
      expect(body.msg[0]).toContain(name)
    }
    expect((await ask({ symbol: 'XXX/USDT' })).body.reason).toBe('UNKNOWN_SYMBOL')
  })

  test('weigh 20, and more for the number of fills read', async () => {
    f.clock.time += 60_000
    const used = async (fields: Fields) => (await ask(fields)).headers.get('x-mbx-used-weight-1m')
    expect(await used({})).toBe('20')
    const order = { symbol: 'ETH/BTC', type: 'LIMIT', quantity: '0.1', price: '0.1' }
    for (let i = 0; i < 510; i++) await f.place(f.alice, { ...order, side: 'SELL' })
    await f.place(f.bob, { ...order, side: 'BUY', quantity: '51' })
    f.clock.time += 60_000
    expect([await used({ limit: 500 }), await used({ limit: 501 })]).toEqual(['20', '41'])
  })
})
