import { expect, test } from 'bun:test'
import { NO_HISTORY } from '../../../test/support/no-history.ts'
import { randomNumbers } from '../../../test/support/random-numbers.ts'
import { BTC } from '../../../test/support/stream-server.ts'
import { emptyBootstrap, SyntheticMarket } from '../../../test/support/synthetic-market.ts'
import { price } from '../../units/quantities.ts'
import { MarketData } from '../../views/market-data.ts'
import { SendMemory } from './intake/send-memory.ts'
import type { StreamPace } from './pace.ts'
import { Rooms } from './rooms.ts'

test('exactly the maximum of waiting events waits, and with one more the room’s members lose them all', () => {
  const queuedEventsMax = 10
  const never: StreamPace = {
    now: () => 0,
    later: () => () => {},
    pauseMs: () => 0,
    sliceMs: 0,
    turnBytes: 1,
  }
  const memory = new SendMemory({ bytesMax: 1, count: () => 0, now: () => 0 })
  const market = new MarketData(emptyBootstrap([BTC]))
  const rooms = new Rooms({
    market,
    history: NO_HISTORY,
    tradesOnJoin: 500,
    queuedEventsMax,
    pace: never,
    memory,
  })
  const source = new SyntheticMarket(randomNumbers(1))
  let lost = 0
  const member = {
    update: () => {},
    giveBooks: () => {},
    lost: () => {
      lost++
    },
  }
  const room = rooms.enter(BTC, member)
  room.follow(member)
  const queued: number[] = []
  for (let level = 1; level <= queuedEventsMax + 1; level++) {
    source.place(BTC.id, 'BUY', price(level), 100)
    const batch = source.flush()
    market.apply(batch)
    rooms.publish(batch)
    queued.push(room.queued)
    expect(lost).toBe(level > queuedEventsMax ? 1 : 0)
  }
  expect(queued).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0])
})
