import { describe, expect, test } from 'bun:test'
import { type BookMessage, ChannelBook, levelsText } from '../../../../test/support/channel-book.ts'
import { BTC } from '../../../../test/support/stream-server.ts'
import { lots, price } from '../../../units/quantities.ts'
import { broadcast } from '../broadcast.fixture.ts'
import { CHECKSUM_EVERY_CHANGES, CHECKSUM_EVERY_MS } from './book-channel.ts'
import { bookTopic, Subscriber } from './subscriber.fixture.ts'

const BOOK = bookTopic()

/** A market that remembers its books, and clients that compare theirs with it after each message. */
function watched(...options: Parameters<typeof broadcast>) {
  const it = broadcast(...options)
  const { market, publish } = it
  const textBySeq = new Map([[0, '']])
  it.hooks.onApplied = () => void textBySeq.set(market.seq, levelsText(market.depth(BTC.id)))
  const subscriber = () => {
    const client = it.connect(new Subscriber(it))
    const book = new ChannelBook()
    client.onMessage = (_channel, message) => {
      book.take(message as BookMessage)
      const isTheMarkets = book.text() === textBySeq.get(message.seq)
      expect([message.seq, isTheMarkets]).toEqual([message.seq, true])
    }
    return Object.assign(client, { book })
  }
  const settle = () => {
    while (it.turn()) {}
  }
  /** One more order, at a price of its own. */
  const rest = (at: number) => {
    it.source.place(BTC.id, 'BUY', price(at), lots(5))
    publish()
  }
  return { ...it, subscriber, settle, rest }
}

/** The last payload that a client received. */
function last(client: Subscriber): unknown {
  return client.heard.at(-1)?.[1]
}

describe('the channel book', () => {
  test('begins with the whole book and goes on with what changed, as exact texts', () => {
    const { source, publish, subscriber, settle, market } = watched()
    source.place(BTC.id, 'SELL', price(6_000_050), lots(50_000_000))
    source.place(BTC.id, 'BUY', price(5_999_000), lots(75_000_000))
    publish()
    const client = subscriber()
    client.subscribe(BOOK)
    expect(client.heard[0]).toEqual(['subscribed', { channel: 'book', symbol: 'BTC/USDT' }])
    expect(last(client)).toEqual({
      symbol: 'BTC/USDT',
      seq: 1,
      bids: [['59990.00', '0.75000000']],
      asks: [['60000.50', '0.50000000']],
      checksum: expect.any(Number),
    })
    source.place(BTC.id, 'BUY', price(6_000_050), lots(50_000_001))
    publish()
    settle()
    expect(last(client)).toEqual({
      symbol: 'BTC/USDT',
      seq: 2,
      prevSeq: 1,
      bids: [['60000.50', '0.00000001']],
      asks: [['60000.50', '0.00000000']],
    })
    expect(client.book.text()).toBe(levelsText(market.depth(BTC.id)))
  })

  test('a checksum comes with each whole book, with every so many changes, and with the first after so long', () => {
    const { clock, rest, subscriber, settle } = watched()
    const client = subscriber()
    client.subscribe(BOOK)
    expect(client.book).toMatchObject({ snapshots: 1, checksums: 1 })
    const change = (at: number) => {
      rest(at)
      settle()
    }
    for (let i = 1; i < CHECKSUM_EVERY_CHANGES; i++) change(i)
    expect(client.book.checksums).toBe(1)
    change(CHECKSUM_EVERY_CHANGES)
    expect(client.book.checksums).toBe(2)
    const checkedAt = clock.now
    change(1_000)
    expect(client.book.checksums).toBe(2)
    clock.now = checkedAt + CHECKSUM_EVERY_MS
    change(1_001)
    expect(client.book.checksums).toBe(3)
    change(1_002)
    expect(client.book.checksums).toBe(3)
  })

  test('one message is made for all subscribers, and none without a subscriber', () => {
    const { rest, subscriber, settle, rooms } = watched()
    const clients = Array.from({ length: 10 }, subscriber)
    for (const one of clients) one.subscribe(BOOK)
    const frames = new Set<unknown>()
    for (const one of clients) {
      const { send } = one
      one.send = (sent) => {
        for (const frame of sent) frames.add(frame)
        send.call(one, sent)
      }
    }
    rest(1)
    settle()
    expect(frames.size).toBe(1)
    for (const one of clients) one.unsubscribe(BOOK)
    expect(rooms.count).toBe(0)
    rest(2)
    expect(rooms.turns.isIdle).toBe(true)
  })

  test('many changed prices are one message, complete like a book', () => {
    const { source, publish, subscriber, settle } = watched()
    const client = subscriber()
    client.subscribe(BOOK)
    for (let i = 0; i < 3_000; i++) source.place(BTC.id, 'SELL', price(10_000 + i), lots(7))
    publish()
    source.place(BTC.id, 'BUY', price(20_000), lots(7 * 2_000))
    publish()
    settle()
    expect(client.book).toMatchObject({ snapshots: 1, changes: 2 })
  })
})
