import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { NO_HISTORY } from '../../../test/support/no-history.ts'
import { randomNumbers } from '../../../test/support/random-numbers.ts'
import { depthText, StreamBook } from '../../../test/support/stream-book.ts'
import { emptyBootstrap, SyntheticMarket, syntheticSymbol } from '../../../test/support/synthetic-market.ts'
import { price } from '../../units/quantities.ts'
import { MarketData } from '../../views/market-data.ts'
import type { Frame } from './link.ts'
import { NO_PAUSE } from './pace.ts'
import type { Member } from './room.ts'
import { Rooms } from './rooms.ts'

const SYMBOL = syntheticSymbol(0, 'BTC/USDT')

/** A room with one member that applies every message to a book. */
function roomWithBook() {
  const market = new MarketData(emptyBootstrap([SYMBOL]))
  const rooms = new Rooms({ market, history: NO_HISTORY, tradesOnJoin: 500, pace: NO_PAUSE })
  const book = new StreamBook()
  const messages: string[] = []
  const take = (frame: Frame) => {
    messages.push(frame.text)
    const [event, payload] = JSON.parse(frame.text)
    book.take(event, payload)
  }
  const member: Member = {
    update: (_room, { frames }) => frames.forEach(take),
    giveBooks: () => {},
    lost: () => {},
  }
  /** The member is in the room and has been given the book. */
  const enter = () => {
    const room = rooms.enter(SYMBOL, member)
    const snapshot = room.snapshot() ?? []
    room.follow(member)
    return { room, snapshot }
  }
  return { market, rooms, book, messages, take, member, enter }
}

describe('messages of a batch', () => {
  test('a client applying message after message never sees a crossed book and ends at the market’s', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 30 }), (seed, commandsMax) => {
        const random = randomNumbers(seed)
        const source = new SyntheticMarket(random)
        const { market, rooms, book, take, enter } = roomWithBook()
        for (const frame of enter().snapshot) take(frame)
        for (let i = 0; i < 40; i++) {
          const batch = source.randomBatch(SYMBOL.id, 1 + Math.floor(random() * commandsMax), 12)
          market.apply(batch)
          rooms.publish(batch)
          expect(book.text()).toBe(depthText(market.depth(SYMBOL.id)))
        }
      }),
      { numRuns: 150 },
    )
  })

  test('an order that matches and rests: matches, trades newest first, then the side that lost quantity', () => {
    const source = new SyntheticMarket(randomNumbers(1))
    const { market, rooms, messages, enter } = roomWithBook()
    source.place(SYMBOL.id, 'SELL', price(10_000), 100_000_000)
    source.place(SYMBOL.id, 'SELL', price(10_100), 100_000_000)
    market.apply(source.flush())
    enter()
    source.place(SYMBOL.id, 'BUY', price(10_100), 350_000_000)
    const batch = source.flush()
    market.apply(batch)
    rooms.publish(batch)
    const ids = '"id":"018bcfe5-6800-7100-8000-000000000001","takerId":"018bcfe5-6800-7100-8000-000000000003"'
    const first = '"quantity":1,"price":100,"timestamp":1700000000001'
    const second = '"quantity":1,"price":101,"timestamp":1700000000001'
    expect(messages).toEqual([
      `["matched_order",{${ids},${first}}]`,
      `["matched_order",{${ids},${second}}]`,
      `["trades",[{${second}},{${first}}]]`,
      '["sell_order_update",{"100.00":0,"101.00":0}]',
      '["buy_order_update",{"101.00":1.5}]',
    ])
  })

  test('a batch without trades sends no trades, and one without changes nothing', () => {
    const source = new SyntheticMarket(randomNumbers(1))
    const { market, rooms, messages, enter } = roomWithBook()
    enter()
    source.place(SYMBOL.id, 'BUY', price(5), 100_000_000)
    for (const batch of [source.flush(), source.flush()]) {
      market.apply(batch)
      rooms.publish(batch)
    }
    expect(messages).toEqual(['["buy_order_update",{"0.05":1}]'])
  })
})

describe('rooms', () => {
  test('a room exists while it has members, and a newcomer after that finds the book as it is then', () => {
    const source = new SyntheticMarket(randomNumbers(1))
    const { market, rooms, book, take, member, enter } = roomWithBook()
    const first = enter().room
    expect(rooms.find(SYMBOL)).toBe(first)
    rooms.leave(first, member)
    expect(rooms.find(SYMBOL)).toBeUndefined()
    const batch = source.randomBatch(SYMBOL.id, 50)
    market.apply(batch)
    rooms.publish(batch)
    for (const frame of enter().snapshot) take(frame)
    expect(book.text()).toBe(depthText(market.depth(SYMBOL.id)))
  })
})
