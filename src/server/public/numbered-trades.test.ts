/** Trades by their numbers and aggregates over HTTP (docs/reference/extensions.md#trades-by-number). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture, see } from './gateway.fixture.ts'

/** Four trades of BTC/USDT in three aggregates, with one of ETH/USDT between them. */
const START = 1_790_000_000_123
const TIMES = [START + 1_000, START + 1_000, START + 1_000, START + 3_000]

describe('trades of a symbol by their numbers', () => {
  let f: Fixture
  beforeAll(async () => {
    f = await openFixture()
    const order = { symbol: 'BTC/USDT', type: 'LIMIT', side: 'SELL', quantity: '0.1', price: '10' }
    await f.place(f.alice, order)
    await f.place(f.alice, { ...order, quantity: '0.2' })
    await f.place(f.alice, { ...order, price: '11' })
    f.clock.time += 1_000
    await f.place(f.bob, { ...order, side: 'BUY', price: '11', quantity: '0.4' })
    const other = { ...order, symbol: 'ETH/USDT' }
    await f.place(f.alice, other)
    f.clock.time += 1_000
    await f.place(f.bob, { ...other, side: 'BUY' })
    await f.place(f.bob, { ...order, side: 'BUY', price: '11' })
    f.clock.time += 1_000
    await f.place(f.alice, { ...order, price: '11' })
  })
  afterAll(() => f.stop())

  const ask = async (path: string, fields: Fields = {}) => {
    const query = new URLSearchParams({ symbol: 'BTC/USDT', ...(fields as Record<string, string>) })
    return see(await fetch(`${f.url}/api/v3/${path}?${query}`))
  }
  const numbers = async (path: string, fields: Fields = {}): Promise<number[]> =>
    (await ask(path, fields)).body.data.map(({ number }: { number: number }) => number)

  test('need no key, are oldest first, with the id of the parties, the number and the taker’s side', async () => {
    const { status, body } = await ask('historicalTrades')
    expect(status).toBe(200)
    const ids = (await f.send('GET', '/api/v3/myTrades', { symbol: 'BTC/USDT' }, f.alice)).body.data.fills
      .toReversed()
      .map(({ id, number }: { id: string; number: number }) => ({ id, number }))
    const bought = { side: 'BUY', isBuyerMaker: false }
    const figures = [
      { price: '10', quantity: '0.1', time: TIMES[0], ...bought },
      { price: '10', quantity: '0.2', time: TIMES[1], ...bought },
      { price: '11', quantity: '0.1', time: TIMES[2], ...bought },
      { price: '11', quantity: '0.1', time: TIMES[3], side: 'SELL', isBuyerMaker: true },
    ]
    expect(body.data).toEqual(figures.map((row, index) => ({ ...ids[index], number: index + 1, ...row })))
  })

  test('are one aggregate where an order took at one price, one trade after another', async () => {
    const { body } = await ask('aggTrades')
    const bought = { time: TIMES[0], side: 'BUY', isBuyerMaker: false }
    expect(body.data).toEqual([
      { number: 1, firstTrade: 1, lastTrade: 2, price: '10', quantity: '0.3', ...bought },
      { number: 2, firstTrade: 3, lastTrade: 3, price: '11', quantity: '0.1', ...bought },
      {
        ...{ number: 3, firstTrade: 4, lastTrade: 4, price: '11', quantity: '0.1' },
        ...{ time: TIMES[3], side: 'SELL', isBuyerMaker: true },
      },
    ])
  })

  test('are the oldest that fit from a number or a time on, and otherwise the newest', async () => {
    expect(await numbers('historicalTrades', { fromId: '2', limit: '2' })).toEqual([2, 3])
    expect(await numbers('historicalTrades', { fromId: '0', limit: '1' })).toEqual([1])
    expect(await numbers('historicalTrades', { fromId: '5' })).toEqual([])
    expect(await numbers('historicalTrades', { limit: '1' })).toEqual([4])
    expect(await numbers('historicalTrades', { endTime: String(TIMES[2]), limit: '1' })).toEqual([3])
    expect(await numbers('historicalTrades', { startTime: String(START + 1_001) })).toEqual([4])
    expect(await numbers('aggTrades', { fromId: '2', limit: '1' })).toEqual([2])
    expect(await numbers('aggTrades', { startTime: String(START), limit: '2' })).toEqual([1, 2])
    expect(await numbers('aggTrades', { symbol: 'ETH/USDT' })).toEqual([1])
  })

  test('have their number in answers with fills too', async () => {
    const order = { symbol: 'ETH/USDT', type: 'LIMIT', quantity: '0.1', price: '10' }
    await f.place(f.alice, { ...order, side: 'SELL' })
    const { body } = await f.place(f.bob, { ...order, side: 'BUY', newOrderRespType: 'FULL' })
    expect(body.data.fills[0].number).toBe(2)
  })

  test.each([
    [{ fromId: '-1' }, 'fromId'],
    [{ limit: '1001' }, 'limit'],
    [{ startTime: '2', endTime: '1' }, 'endTime'],
  ])('refuse %j by name', async (fields, name) => {
    for (const path of ['historicalTrades', 'aggTrades']) {
      const { status, body } = await ask(path, fields)
      expect([status, body.reason]).toEqual([400, 'INVALID_PARAMETER'])
      expect(body.msg[0]).toContain(name)
    }
  })
})
