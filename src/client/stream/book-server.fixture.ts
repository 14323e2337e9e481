/**
 * The exchange's side of the channel `book`, whose messages a test damages in transit: it records the book
 * after each message.
 */
import { crc32 } from 'node:zlib'
import { fixedDecimal } from '../../units/decimal.ts'
import { decimals } from '../../units/quantities.ts'
import type { BookMessage } from '../interface/messages.ts'

type PricePair = BookMessage['bids'][number]

const PRICE_PLACES = decimals(2)
const QUANTITY_PLACES = decimals(4)
const CHECKSUM_LEVELS = 10

type Levels = Map<number, bigint>

export class BookServer {
  readonly symbol: string
  seq = 1
  /** The book after each command, as a text. */
  readonly textBySeq = new Map<number, string>()
  readonly #bids: Levels = new Map()
  readonly #asks: Levels = new Map()

  constructor(symbol: string) {
    this.symbol = symbol
    this.#note()
  }

  /** Sets the quantity at a price. `hasChecksum`: the message has a checksum. */
  change(side: 'bids' | 'asks', ticks: number, lots: bigint, hasChecksum: boolean): BookMessage {
    const levels = side === 'bids' ? this.#bids : this.#asks
    if (lots === 0n) levels.delete(ticks)
    else levels.set(ticks, lots)
    const prevSeq = this.seq
    this.seq += 2
    this.#note()
    const changed = pairs([[ticks, lots]])
    const sides = side === 'bids' ? { bids: changed, asks: [] } : { bids: [], asks: changed }
    const checksum = hasChecksum ? { checksum: this.checksum() } : {}
    return { symbol: this.symbol, seq: this.seq, prevSeq, ...sides, ...checksum }
  }

  whole(): BookMessage {
    const [bids, asks] = this.#sorted()
    const sides = { bids: pairs(bids), asks: pairs(asks) }
    return { symbol: this.symbol, seq: this.seq, ...sides, checksum: this.checksum() }
  }

  checksum(): number {
    const text = this.#sorted().map((levels) =>
      levels
        .slice(0, CHECKSUM_LEVELS)
        .map((level) => level.join(':'))
        .join(','),
    )
    return crc32(text.join('|'))
  }

  #note(): void {
    const [bids, asks] = this.#sorted()
    this.textBySeq.set(this.seq, textOf([pairs(bids), pairs(asks)]))
  }

  #sorted(): [bids: [number, bigint][], asks: [number, bigint][]] {
    return [[...this.#bids].sort(([a], [b]) => b - a), [...this.#asks].sort(([a], [b]) => a - b)]
  }
}

function pairs(levels: readonly (readonly [number, bigint])[]): PricePair[] {
  return levels.map(([ticks, lots]) => [
    fixedDecimal(ticks, PRICE_PLACES),
    fixedDecimal(lots, QUANTITY_PLACES),
  ])
}

/** Both sides, best first. */
export function textOf(sides: readonly (readonly PricePair[])[]): string {
  return sides.map((side) => side.map((pair) => pair.join('x')).join(' ')).join(' | ')
}
