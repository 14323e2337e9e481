import { expect, test } from 'bun:test'
import { BTC } from '../../../../test/support/stream-server.ts'
import { dayTickerJson } from '../../../contract/api/candles.ts'
import type { Topic } from '../../../contract/stream/stream-channels.ts'
import { MINUTE_MS } from '../../../units/candle-intervals.ts'
import { lots, price } from '../../../units/quantities.ts'
import { dayTicker } from '../../../views/day-ticker.ts'
import { broadcast } from '../broadcast.fixture.ts'
import { bookTopic, Subscriber } from './subscriber.fixture.ts'

const DAY_MS = 24 * 60 * MINUTE_MS
const TICKER = { channel: 'bookTicker' } as const

/** A market with a subscriber of one topic, and the messages received since the last call. */
function subscribed(topic: Topic) {
  const it = broadcast()
  const client = it.connect(new Subscriber(it))
  client.subscribe(topic)
  client.names()
  const place = (side: 'BUY' | 'SELL', at: number, quantity: number) => {
    it.source.place(BTC.id, side, price(at), lots(quantity))
    it.publish()
    while (it.turn()) {}
  }
  const heard = () => client.heard.splice(0).map(([, payload]) => payload)
  return { ...it, client, place, heard }
}

test('bookTicker leaves out an empty side, and sends nothing while the best prices and quantities stay', () => {
  const { place, heard } = subscribed(TICKER)
  place('BUY', 100, 5)
  const bid = { bidPrice: '1.00', bidQty: '0.00000005' }
  expect(heard()).toEqual([{ symbol: 'BTC/USDT', seq: 1, prevSeq: 0, ...bid }])
  place('BUY', 99, 5)
  place('SELL', 105, 5)
  place('SELL', 106, 5)
  expect(heard()).toEqual([
    { symbol: 'BTC/USDT', seq: 3, prevSeq: 1, ...bid, askPrice: '1.05', askQty: '0.00000005' },
  ])
  place('SELL', 99, 10)
  expect(heard()).toEqual([
    { symbol: 'BTC/USDT', seq: 5, prevSeq: 3, askPrice: '1.05', askQty: '0.00000005' },
  ])
})

test('bookTicker has a new quantity at the same price', () => {
  const { place, heard } = subscribed(TICKER)
  place('BUY', 100, 5)
  place('BUY', 100, 5)
  expect(heard()).toEqual([
    { symbol: 'BTC/USDT', seq: 1, prevSeq: 0, bidPrice: '1.00', bidQty: '0.00000005' },
    { symbol: 'BTC/USDT', seq: 2, prevSeq: 1, bidPrice: '1.00', bidQty: '0.00000010' },
  ])
})

test('the best levels are complete in each message, and levels behind them are not published', () => {
  const { place, heard } = subscribed(bookTopic({ levels: 5 }))
  for (let at = 100; at < 106; at++) place('SELL', at, 1)
  const asks = ['1.00', '1.01', '1.02', '1.03', '1.04'].map((at) => [at, '0.00000001'])
  const [first, , , , fifth, ...more] = heard()
  const head = { symbol: 'BTC/USDT', levels: 5, bids: [] }
  expect(first).toEqual({ ...head, seq: 1, prevSeq: 0, asks: asks.slice(0, 1) })
  expect(fifth).toEqual({ ...head, seq: 5, prevSeq: 4, asks })
  expect(more).toEqual([])
  place('BUY', 100, 1)
  expect(heard()).toEqual([{ ...head, seq: 7, prevSeq: 5, asks: [...asks.slice(1), ['1.05', '0.00000001']] }])
})

test('ticker has the figures of its endpoint at every change, and publishes when time alone drops a minute from the window', () => {
  const it = subscribed({ channel: 'ticker', intervalMs: undefined })
  const { place, heard, market } = it
  const figures = () => JSON.parse(dayTickerJson('BTC/USDT', dayTicker(market, BTC, market.time), BTC))
  place('SELL', 100, 5)
  place('BUY', 100, 2)
  const traded = figures()
  expect(traded).toMatchObject({ lastPrice: '1', volume: '0.00000002', askQty: '0.00000003', count: 1 })
  expect(heard().at(-1)).toEqual({ seq: 2, prevSeq: 1, ...traded })
  it.pass(MINUTE_MS)
  while (it.turn()) {}
  const later = figures()
  expect(later.openTime).toBe(traded.openTime + MINUTE_MS)
  expect(heard()).toEqual([{ seq: 2, prevSeq: 2, ...later }])
  it.pass(1)
  while (it.turn()) {}
  expect(heard()).toEqual([])
  it.pass(DAY_MS)
  while (it.turn()) {}
  expect(heard()).toEqual([{ seq: 2, prevSeq: 2, ...figures() }])
  expect(figures()).toMatchObject({ volume: '0', prevClosePrice: '1', count: 0 })
})
