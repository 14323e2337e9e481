/**
 * What does a join cost for a book of many levels while the book changes? Measures the CPU time until the
 * text of the complete book is ready, including the transport's prefix: for the first client that joins, and
 * for one that joins after four more price changes.
 */

import type { Level } from '../src/core/market/order-book.ts'
import { NO_PAUSE } from '../src/server/stream/pace.ts'
import { Rooms } from '../src/server/stream/rooms.ts'
import type { Side } from '../src/units/order-enums.ts'
import { price, seq, timeMs } from '../src/units/quantities.ts'
import { MarketData } from '../src/views/market-data.ts'
import { NO_HISTORY } from '../test/support/no-history.ts'
import { emptyBootstrap, syntheticSymbol } from '../test/support/synthetic-market.ts'
import { cpuNanoseconds, table } from './support/conditions.ts'

const SYMBOL = syntheticSymbol(0, 'BTC/USDT')
const MIDDLE = 10_000_000
const JOINS = 50
/** Prices near the best change most. */
const CHANGED = 50

/** Prints the table; returns a digest of the last book of each size. */
export function joins(levelCounts: readonly number[]): string[] {
  const rows = [['levels', 'text', 'first ms', 'later ms']]
  const digests: string[] = []
  for (const count of levelCounts) {
    const joined = joinsOn(count)
    const size = `${(joined.text.length / 1024).toFixed(0)} KiB`
    rows.push([String(count), size, joined.firstMs.toFixed(2), joined.laterMs.toFixed(2)])
    digests.push(`book of ${count} levels: ${Bun.hash.crc32(joined.text).toString(16)}`)
  }
  if (levelCounts.length > 0) console.log(`${table(rows)}\nCPU per join; later: the mean of ${JOINS}`)
  return digests
}

function joinsOn(count: number): { text: string; firstMs: number; laterMs: number } {
  const book = { symbolId: SYMBOL.id, sell: side('SELL', count / 2), buy: side('BUY', count / 2) }
  const market = new MarketData({ ...emptyBootstrap([SYMBOL]), books: [book] })
  const rooms = new Rooms({ market, history: NO_HISTORY, tradesOnJoin: 500, pace: NO_PAUSE })
  const member = { update: () => {}, giveBooks: () => {}, lost: () => {} }
  const room = rooms.enter(SYMBOL, member)
  room.follow(member)
  let text = ''
  const join = (): void => {
    text = room.snapshot()?.[0]?.packet('42') ?? ''
    // Forces the text to be concatenated here; otherwise the socket would do it.
    Buffer.byteLength(text)
  }
  const firstMs = cpuMs(join)
  let laterMs = 0
  for (let i = 0; i < JOINS; i++) {
    const events = [0, 1, 2, 3].map((k) => ({
      kind: 'LevelChanged' as const,
      symbolId: SYMBOL.id,
      side: k % 2 === 0 ? ('BUY' as const) : ('SELL' as const),
      price: priceAt(k % 2 === 0 ? 'BUY' : 'SELL', (i * 7 + k) % CHANGED),
      quantity: BigInt(i * 1_000 + k + 1),
    }))
    const batch = { seq: seq(i + 1), time: timeMs(i + 1), events }
    market.apply(batch)
    rooms.publish(batch)
    laterMs += cpuMs(join)
  }
  return { text, firstMs, laterMs: laterMs / JOINS }
}

function side(which: Side, count: number): Level[] {
  return Array.from({ length: count }, (_, i) => ({
    price: priceAt(which, i),
    quantity: BigInt(100_000_000 + i * 37),
  }))
}

function priceAt(which: Side, i: number) {
  return price(which === 'SELL' ? MIDDLE + 1 + i : MIDDLE - i)
}

function cpuMs(work: () => void): number {
  const before = cpuNanoseconds()
  work()
  return (cpuNanoseconds() - before) / 1e6
}
