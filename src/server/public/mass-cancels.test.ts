/**
 * Mass cancels and countdowns, over HTTP (docs/reference/timers.md#mass-cancel,
 * docs/reference/timers.md#countdown).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const SELL = { symbol: 'ETH/USDT', side: 'SELL', type: 'LIMIT', quantity: '1', price: '1700' }
const place = async (fields: Fields = {}) =>
  (await f.place(f.alice, { ...SELL, ...fields })).body.data.id as string
const cancelAll = async (fields: Fields) =>
  (await f.send('DELETE', '/api/v3/openOrders', fields, f.alice)).body
const countdown = async (fields: Fields) =>
  (await f.send('POST', '/api/v3/countdownCancelAll', fields, f.alice)).body
const endOf = async (orderId: string) =>
  JSON.parse((await f.send('GET', '/api/v3/order', { orderId }, f.alice)).text).data

describe('DELETE /openOrders', () => {
  test('cancels the open orders of a symbol, or of all of them, and says how many', async () => {
    const eth = [await place(), await place({ price: '1701' })]
    const waiting = await place({ type: 'STOP_LOSS_LIMIT', stopPrice: '1000' })
    const symbol = 'ETH/USDT'
    expect((await cancelAll({ scope: 'SYMBOL', symbol })).data).toEqual({ symbol, canceled: 3, left: 0 })
    for (const id of [...eth, waiting])
      expect(await endOf(id)).toMatchObject({ status: 'CANCELED', endReason: 'USER' })
    await place()
    expect((await cancelAll({ scope: 'ACCOUNT' })).data).toEqual({ canceled: 1, left: 0 })
    expect((await cancelAll({ scope: 'ACCOUNT' })).data).toEqual({ canceled: 0, left: 0 })
  })

  test('names what is missing or wrong, and cancels nothing then', async () => {
    const id = await place()
    const reasons: readonly (readonly [Fields, string])[] = [
      [{}, 'MISSING_PARAMETER: The parameter scope'],
      [{ symbol: 'ETH/USDT' }, 'MISSING_PARAMETER: The parameter scope'],
      [{ scope: 'account' }, 'INVALID_PARAMETER: The parameter scope'],
      [{ scope: 'SYMBOL' }, 'MISSING_PARAMETER: The parameter symbol'],
      [{ scope: 'ACCOUNT', symbol: 'ETH/USDT' }, 'INVALID_PARAMETER: The parameter symbol'],
      [{ scope: 'SYMBOL', symbol: 'ETHUSDT' }, 'UNKNOWN_SYMBOL'],
    ]
    for (const [fields, expected] of reasons) {
      const { reason, msg } = await cancelAll(fields)
      expect(`${reason}: ${msg[0]}`).toStartWith(expected)
    }
    expect(await endOf(id)).toMatchObject({ status: 'NEW' })
    await cancelAll({ scope: 'ACCOUNT' })
  })
})

describe('POST /countdownCancelAll', () => {
  test('cancels open orders when it ends, and spares waiting ones on request', async () => {
    const resting = await place()
    const waiting = await place({ type: 'STOP_LOSS_LIMIT', stopPrice: '1000' })
    const { data } = await countdown({ countdownTime: 1, keepStops: 'true' })
    expect([data.countdownTime, data.triggerAt > 1_000_000_000_000, data.symbol]).toEqual([
      1,
      true,
      undefined,
    ])
    f.clock.time += 10
    for (;;) {
      const order = await endOf(resting)
      if (order.status === 'NEW') continue
      expect(order).toMatchObject({ status: 'CANCELED', endReason: 'DEAD_MAN' })
      break
    }
    expect(await endOf(waiting)).toMatchObject({ status: 'NEW', isWorking: false })
    await cancelAll({ scope: 'ACCOUNT' })
  })

  test('is switched off by 0, and names what is missing or wrong', async () => {
    expect((await countdown({ countdownTime: 60_000, symbol: 'ETH/USDT' })).data.symbol).toBe('ETH/USDT')
    expect((await countdown({ countdownTime: 0, symbol: 'ETH/USDT' })).data).toEqual({
      symbol: 'ETH/USDT',
      countdownTime: 0,
    })
    const reasons: readonly (readonly [Fields, string])[] = [
      [{}, 'MISSING_PARAMETER: The parameter countdownTime'],
      [{ countdownTime: -1 }, 'INVALID_PARAMETER: The parameter countdownTime'],
      [{ countdownTime: 86_400_001 }, 'INVALID_PARAMETER: The parameter countdownTime'],
      [{ countdownTime: 5, keepStops: 'yes' }, 'INVALID_PARAMETER: The parameter keepStops'],
      [{ countdownTime: 5, symbol: 'ETHUSDT' }, 'UNKNOWN_SYMBOL'],
    ]
    for (const [fields, expected] of reasons) {
      const { reason, msg } = await countdown(fields)
      expect(`${reason}: ${msg[0]}`).toStartWith(expected)
    }
  })
})
