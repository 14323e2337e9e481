/**
 * A book kept from the messages of the channel `book`, as docs/reference/stream-extensions.md#keeping-a-book
 * specifies: any deviation is an error.
 */
import { crc32 } from 'node:zlib'
import { fixedDecimal } from '../../src/units/decimal.ts'
import { decimals } from '../../src/units/quantities.ts'
import type { DepthView } from '../../src/views/depth.ts'

type Pair = readonly [price: string, quantity: string]

export type BookMessage = {
  readonly symbol: string
  readonly seq: number
  readonly prevSeq?: number
  readonly bids: readonly Pair[]
  readonly asks: readonly Pair[]
  readonly checksum?: number
}

const CHECKSUM_LEVELS = 10

export class ChannelBook {
  /** Sequence number of the last message processed. */
  seq = -1
  /** Number of messages with a complete book; the next two are those with changes, and with a checksum. */
  snapshots = 0
  changes = 0
  checksums = 0
  #bids = new Map<string, string>()
  #asks = new Map<string, string>()

  take({ seq, prevSeq, bids, asks, checksum }: BookMessage): void {
    if (prevSeq === undefined) {
      this.snapshots++
      this.#bids = new Map(bids)
      this.#asks = new Map(asks)
    } else {
      this.changes++
      if (prevSeq !== this.seq) throw new Error(`a gap: at ${this.seq}, found a change of ${prevSeq}`)
      if (bids.length + asks.length === 0) throw new Error('a change of nothing')
      change(this.#bids, bids)
      change(this.#asks, asks)
    }
    this.seq = seq
    this.#refuseCrossed()
    if (checksum !== undefined) this.#check(checksum)
  }

  /** Both sides, best first. */
  get levels(): { readonly bids: readonly Pair[]; readonly asks: readonly Pair[] } {
    return { bids: [...this.#bids].sort(descending), asks: [...this.#asks].sort(ascending) }
  }

  /** The text whose CRC-32 is the checksum. */
  checksumText(): string {
    const { bids, asks } = this.levels
    return [bids, asks].map((side) => side.slice(0, CHECKSUM_LEVELS).map(whole).join(',')).join('|')
  }

  /** Equals `levelsText` of the depth that the book follows. */
  text(): string {
    const { bids, asks } = this.levels
    return linesOf(bids, asks)
  }

  #check(checksum: number): void {
    this.checksums++
    const expected = crc32(this.checksumText())
    if (checksum !== expected) throw new Error(`checksum ${checksum}, expected ${expected}`)
  }

  #refuseCrossed(): void {
    const { bids, asks } = this.levels
    const [[bid] = ['-1'], [ask] = ['Infinity']] = [bids[0] ?? [], asks[0] ?? []]
    if (Number(bid) >= Number(ask)) throw new Error(`crossed book: bid ${bid}, ask ${ask}`)
  }
}

function change(side: Map<string, string>, pairs: readonly Pair[]): void {
  for (const [price, quantity] of pairs) {
    if (Number(quantity) === 0) side.delete(price)
    else side.set(price, quantity)
  }
}

/** `6000050:50000000`: ticks and lots are the texts without the decimal point. */
function whole(pair: Pair): string {
  return pair.map((text) => BigInt(text.replace('.', ''))).join(':')
}

function ascending([a]: Pair, [b]: Pair): number {
  return Number(a) - Number(b)
}

function descending(a: Pair, b: Pair): number {
  return ascending(b, a)
}

/** A line for each level, best first. */
export function linesOf(bids: readonly Pair[], asks: readonly Pair[]): string {
  return [
    ...bids.map((pair) => `bid ${pair.join(' ')}`),
    ...asks.map((pair) => `ask ${pair.join(' ')}`),
  ].join('\n')
}

/**
 * The text of a depth whose prices have 2 decimals and whose quantities have 8, or of its best `limit` levels
 * per side.
 */
export function levelsText(depth: DepthView, limit?: number): string {
  const pairs = (side: 'BUY' | 'SELL') =>
    depth
      .levels(side, limit)
      .map(
        ({ price, quantity }): Pair => [
          fixedDecimal(price, decimals(2)),
          fixedDecimal(quantity, decimals(8)),
        ],
      )
  return linesOf(pairs('BUY'), pairs('SELL'))
}
