import { describe, expect, test } from 'bun:test'
import { decimals, lots, price, timeMs } from '../../units/quantities.ts'
import { readServerMessage } from './server-message.ts'

const BTC_USDT = { baseFraction: decimals(8), quoteFraction: decimals(2) }
const read = (text: string) => readServerMessage(text, BTC_USDT)

describe('messages of the stream', () => {
  test('a whole book becomes ticks and lots', () => {
    expect(read('["orders",{"sell":{"60000.00":1.5,"60000.50":0.00000001},"buy":{}}]')).toEqual({
      kind: 'orders',
      book: {
        sell: [
          { price: price(6_000_000), quantity: 150_000_000n },
          { price: price(6_000_050), quantity: 1n },
        ],
        buy: [],
      },
    })
  })

  test('a quantity with more digits than a float holds keeps them all', () => {
    expect(read('["sell_order_update",{"1.00":123456789012345678.12345678}]')).toEqual({
      kind: 'update',
      side: 'SELL',
      levels: [{ price: price(100), quantity: 12_345_678_901_234_567_812_345_678n }],
    })
  })

  test('an update of 0 says that the level is gone', () => {
    expect(read('["buy_order_update",{"59999.99":0}]')).toEqual({
      kind: 'update',
      side: 'BUY',
      levels: [{ price: price(5_999_999), quantity: 0n }],
    })
  })

  test('trades carry price, quantity and time', () => {
    expect(read('["trades",[{"quantity":2,"price":60000.5,"timestamp":1700000000000}]]')).toEqual({
      kind: 'trades',
      trades: [{ price: price(6_000_050), quantity: lots(200_000_000), time: timeMs(1_700_000_000_000) }],
    })
  })

  test('digits, quotes and escapes inside texts are left alone', () => {
    const body = { status: false, code: '4001', msg: ['at 1.5, "7" \\ and 8:9'], reason: 'UNKNOWN_SYMBOL' }
    expect(read(JSON.stringify(['error', body]))).toEqual({
      kind: 'error',
      reason: 'UNKNOWN_SYMBOL',
      text: 'at 1.5, "7" \\ and 8:9',
    })
  })

  test('events without use are no faults', () => {
    expect(read('["matched_order",{"id":"x"}]')).toEqual({ kind: 'other', event: 'matched_order' })
    expect(read('["a_later_event",1]')).toEqual({ kind: 'other', event: 'a_later_event' })
  })

  test.each([
    'rubbish',
    '{}',
    '[]',
    '[null]',
    '["orders"]',
    '["orders",{"sell":{}}]',
    '["orders",{"sell":{"1.001":1},"buy":{}}]',
    '["orders",{"sell":{"1.00":1e3},"buy":{}}]',
    '["orders",{"sell":{"1.00":-1},"buy":{}}]',
    '["orders",{"sell":{"__proto__":1},"buy":{}}]',
    '["sell_order_update",{"99999999999999999999.00":1}]',
    '["trades",{}]',
    '["trades",[{"quantity":1,"price":1}]]',
    '["trades",[null]]',
  ])('what the interface does not allow is a fault: %s', (text) => {
    expect(read(text).kind).toBe('fault')
  })
})
