import { expect, test } from 'bun:test'
import { BTC } from '../../../../test/support/stream-server.ts'
import { lots, price } from '../../../units/quantities.ts'
import { broadcast } from '../broadcast.fixture.ts'
import { PART_BYTES } from './channel.ts'
import { TradesKeeper } from './keepers.fixture.ts'
import { Subscriber } from './subscriber.fixture.ts'

const TRADES = { channel: 'trades' } as const
/** More than the part of a message that precedes its trades. */
const HEAD_BYTES = 200

test('the trades of one long order come in messages of bounded length, each following the one before', () => {
  const it = broadcast()
  const client = it.connect(new Subscriber(it))
  const keeper = new TradesKeeper()
  client.onMessage = (_channel, payload) => keeper.take(payload)
  it.rest(900)
  client.subscribe(TRADES)
  expect(client.heard.at(-1)).toEqual(['trades', { symbol: 'BTC/USDT', seq: 1, trades: [] }])
  it.sweep(900)
  let bytes = client.bytesWritten
  while (it.turn()) {
    expect(client.bytesWritten - bytes).toBeLessThanOrEqual(PART_BYTES + HEAD_BYTES)
    bytes = client.bytesWritten
  }
  expect(keeper.changes).toBeGreaterThan(3)
  expect(keeper.trades).toHaveLength(900)
  expect(keeper.text()).toBe(keeper.expected(it.market, BTC))
  it.rest(1)
  it.sweep(1)
  while (it.turn()) {}
  expect(keeper.text()).toBe(keeper.expected(it.market, BTC))
})

test('the side that rested is the maker, in the first list and later', () => {
  const it = broadcast()
  const [early, late] = [it.connect(new Subscriber(it)), it.connect(new Subscriber(it))]
  const makers = (client: Subscriber) =>
    client.heard.flatMap(([event, payload]) =>
      event === 'trades'
        ? (payload as { trades: { isBuyerMaker: boolean }[] }).trades.map(({ isBuyerMaker }) => isBuyerMaker)
        : [],
    )
  early.subscribe(TRADES)
  for (const [resting, arriving] of [
    ['BUY', 'SELL'],
    ['SELL', 'BUY'],
  ] as const) {
    it.source.place(BTC.id, resting, price(100), lots(1))
    it.source.place(BTC.id, arriving, price(100), lots(1))
    it.publish()
    while (it.turn()) {}
  }
  late.subscribe(TRADES)
  expect(makers(early)).toEqual([true, false])
  expect(makers(late)).toEqual([false, true])
})
