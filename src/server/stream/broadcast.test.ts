/**
 * One batch that takes long to publish: in turns, to clients that keep up, that do not, and that connect and
 * disconnect in the meantime.
 */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { randomNumbers } from '../../../test/support/random-numbers.ts'
import { depthText, StreamBook } from '../../../test/support/stream-book.ts'
import { BTC } from '../../../test/support/stream-server.ts'
import { publicTradesJson } from '../../contract/api/market-data.ts'
import { price } from '../../units/quantities.ts'
import type { MarketData } from '../../views/market-data.ts'
import { ALL_TRADES, broadcast as fixture, ManualClient } from './broadcast.fixture.ts'
import { PART_BYTES } from './channels/channel.ts'
import type { StreamConfig } from './config.ts'

const KIB = 1024
/** Longer than `trades` with 900 trades. */
const TRADES_BYTES = 900 * 75

function broadcast(limits: Partial<StreamConfig> = {}) {
  const it = fixture(limits)
  return { ...it, client: () => it.connect(new Client(it)) }
}

/** A client that joins: it keeps a book and a list of trades. */
class Client extends ManualClient {
  book = new StreamBook()
  /** Its known trades, oldest first: the list of its last join, and the matches since. */
  trades: string[] = []
  /** Trades that the `trades` events since its last join confirmed. */
  confirmed: string[] = []

  take(event: string, payload: unknown): void {
    this.book.take(event, payload)
    if (event === 'trades') this.#takeTrades(payload as TradeFields[])
    if (event === 'matched_order') this.trades.push(tradeText(payload as TradeFields))
  }

  #takeTrades(payload: TradeFields[]): void {
    const listed = payload.map(tradeText).toReversed()
    if (this.book.seen.at(-2) === 'orders') {
      this.trades = listed
      this.confirmed = [...listed]
    } else {
      this.confirmed.push(...listed)
    }
  }
}

type TradeFields = { readonly quantity: number; readonly price: number; readonly timestamp: number }

function tradeText({ quantity, price: at, timestamp }: TradeFields): string {
  return `${quantity} ${at} ${timestamp}`
}

function tradesOf(market: MarketData): string[] {
  const trades = JSON.parse(publicTradesJson(market.recentTrades(BTC.id, ALL_TRADES), BTC)) as TradeFields[]
  return trades.map(tradeText).toReversed()
}

describe('a batch that takes long to publish', () => {
  test('is sent in turns of one write each, of bounded length, and every client gets the same', () => {
    const { market, rest, sweep, client, turn } = broadcast()
    rest(900)
    const clients = [client(), client(), client()]
    for (const one of clients) one.join('BTC/USDT')
    while (turn()) {}
    const written = () => clients.reduce((sum, one) => sum + one.bytesWritten, 0)
    const writes = () => clients.reduce((sum, one) => sum + one.writes, 0)
    let [bytes, count] = [written(), writes()]
    sweep(900)
    let turns = 0
    do {
      // A part, or the one list of all trades.
      expect(written() - bytes).toBeLessThanOrEqual(Math.max(PART_BYTES, TRADES_BYTES))
      expect(writes() - count).toBeLessThanOrEqual(1)
      bytes = written()
      count = writes()
      turns++
    } while (turn())
    expect(turns).toBeGreaterThan(10)
    for (const { book, trades, confirmed } of clients) {
      expect(book.text()).toBe(depthText(market.depth(BTC.id)))
      expect(book.seen).toEqual(clients[0]?.book.seen as string[])
      expect(trades).toEqual(tradesOf(market))
      expect(confirmed).toEqual(trades)
    }
  })

  test('is all matches, then one list of trades, then the updates, however it is cut', () => {
    const { rest, sweep, client, turn } = broadcast()
    rest(500)
    const one = client()
    one.join('BTC/USDT')
    while (turn()) {}
    one.book.seen.length = 0
    sweep(501)
    while (turn()) {}
    expect(one.book.seen).toEqual([
      ...Array<string>(500).fill('matched_order'),
      'trades',
      'sell_order_update',
      'buy_order_update',
    ])
  })

  test('reaches a client that joins, changes rooms or leaves in the middle of it without a loss or a repeat', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = randomNumbers(seed)
        const { market, rooms, source, publish, client, turn, rest, sweep } = broadcast({
          sendBufferBytesMax: 100 * KIB,
          drainedBytesMax: KIB,
        })
        rest(300)
        const clients = Array.from({ length: 5 }, () => client())
        const last = clients[4] as Client
        for (const one of clients) one.join('BTC/USDT')
        for (let i = 0; i < 60; i++) {
          const one = clients[Math.floor(random() * 4)] as Client
          const action = Math.floor(random() * 8)
          if (action === 0) one.session.receive({ kind: 'change_room', from: 'BTC/USDT', to: 'ETH/USDT' })
          else if (action === 1)
            one.session.receive({ kind: 'change_room', from: 'ETH/USDT', to: 'BTC/USDT' })
          else if (action === 2) one.join('BTC/USDT')
          else if (action === 3) one.isQuick = !one.isQuick
          else if (action === 4) one.drain()
          else if (action === 5 && i % 20 === 0) sweep(100)
          else {
            source.place(
              BTC.id,
              random() < 0.5 ? 'BUY' : 'SELL',
              price(10_000 + Math.floor(random() * 300)),
              70,
            )
            publish()
          }
          for (let turns = Math.floor(random() * 6); turns > 0; turns--) turn()
          if (i === 30) last.session.end()
        }
        const seen = last.book.seen.length
        for (const one of clients.slice(0, 4)) {
          one.isQuick = true
          one.join('ETH/USDT')
          one.session.receive({ kind: 'change_room', from: 'ETH/USDT', to: 'BTC/USDT' })
          one.drain()
        }
        while (turn()) {}
        sweep(5)
        while (turn()) {}
        for (const { book, trades, confirmed } of clients.slice(0, 4)) {
          expect(book.text()).toBe(depthText(market.depth(BTC.id)))
          expect(trades.slice(-ALL_TRADES)).toEqual(tradesOf(market))
          expect(confirmed).toEqual(trades)
        }
        for (const one of clients.slice(0, 4)) one.session.end()
        expect([rooms.count, rooms.turns.isIdle, last.book.seen.length]).toEqual([0, true, seen])
      }),
      { numRuns: 100 },
    )
  })

  test('is dropped for a client that cannot take it, which gets the book once it has drained, and no match again', () => {
    const { market, rooms, rest, sweep, client, turn } = broadcast({ sendBufferBytesMax: 100 * KIB })
    rest(900)
    const [quick, slow] = [client(), client()]
    for (const one of [quick, slow]) one.join('BTC/USDT')
    while (turn()) {}
    slow.isQuick = false
    sweep(900)
    while (turn()) {}
    expect(rooms.fallenBehind).toBe(1)
    expect(slow.pending).toBeLessThanOrEqual(100 * KIB)
    const matches = slow.book.seen.filter((event) => event === 'matched_order').length
    expect(matches).toBeGreaterThan(0)
    expect(matches).toBeLessThan(900)
    slow.drain()
    while (turn()) {}
    expect(slow.book.seen.slice(-2)).toEqual(['orders', 'trades'])
    expect(slow.book.seen.filter((event) => event === 'matched_order')).toHaveLength(matches)
    for (const { book, trades } of [quick, slow]) {
      expect(book.text()).toBe(depthText(market.depth(BTC.id)))
      expect(trades).toEqual(tradesOf(market))
    }
  })

  test('costs nothing beyond the memory of all buffers, which is checked before each write', () => {
    const bytesMax = 100 * KIB
    const { rooms, rest, sweep, client, turn, pendingBytes } = broadcast({ sendBuffersBytesMax: bytesMax })
    rest(300)
    const clients = Array.from({ length: 20 }, () => client())
    for (const one of clients) one.join('BTC/USDT')
    while (turn()) {}
    for (const one of clients) one.isQuick = false
    sweep(300)
    let most = 0
    do most = Math.max(most, pendingBytes())
    while (turn())
    expect(most).toBeLessThanOrEqual(bytesMax)
    expect(most).toBeGreaterThan(bytesMax / 2)
    expect(rooms.fallenBehind).toBeGreaterThan(15)
    for (const one of clients) one.drain()
    do expect(pendingBytes()).toBeLessThanOrEqual(bytesMax)
    while (turn())
  })

  test('a queue beyond its bound is dropped, and the room’s clients get the book instead', () => {
    const { market, rooms, rest, sweep, client, turn } = broadcast({ queuedEventsMax: 1_000 })
    rest(900)
    const one = client()
    one.join('BTC/USDT')
    while (turn()) {}
    one.book.seen.length = 0
    sweep(300)
    turn()
    expect(rooms.fallenBehind).toBe(0)
    rest(300)
    sweep(300)
    expect(rooms.fallenBehind).toBe(1)
    while (turn()) {}
    expect(one.book.snapshots).toBe(2)
    expect(one.book.text()).toBe(depthText(market.depth(BTC.id)))
    expect(one.trades).toEqual(tradesOf(market))
    sweep(100)
    while (turn()) {}
    expect(one.book.text()).toBe(depthText(market.depth(BTC.id)))
    expect(one.trades).toEqual(tradesOf(market))
  })

  test('a room without listeners publishes nothing any more', () => {
    const { rooms, rest, sweep, client, turn } = broadcast()
    rest(900)
    const one = client()
    one.join('BTC/USDT')
    while (turn()) {}
    sweep(900)
    turn()
    const { writes } = one
    one.session.end()
    expect([rooms.count, rooms.turns.isIdle]).toEqual([0, true])
    while (turn()) {}
    expect(one.writes).toBe(writes)
  })

  test('a server that stops publishes it to the end, if that does not take long', async () => {
    const { market, rooms, rest, sweep, client, turn } = broadcast()
    rest(300)
    const one = client()
    one.join('BTC/USDT')
    while (turn()) {}
    sweep(300)
    const finished = rooms.finish()
    while (!rooms.turns.isIdle) turn()
    await finished
    expect(one.book.text()).toBe(depthText(market.depth(BTC.id)))
  })
})
