/**
 * `book`, all levels (docs/reference/stream-extensions.md#book): the whole book, then the levels that
 * changed, both sides in one message, so that no client ever shows a crossed book.
 */

import { eventJson } from '../../../contract/stream/stream.ts'
import {
  CHECKSUM_LEVELS,
  checksumText,
  levelPairsJson,
  seqMembers,
  type Topic,
  topicMembers,
} from '../../../contract/stream/stream-channels.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { Side } from '../../../units/order-enums.ts'
import type { Price, Seq } from '../../../units/quantities.ts'
import type { DepthView } from '../../../views/depth.ts'
import type { BookText } from '../book-text.ts'
import { Frame } from '../link.ts'
import { bestFirst } from './best-first.ts'
import { type Channel, type MarketEvent, type Part, singlePart } from './channel.ts'

/**
 * A change has a checksum if this number of changes, itself included, were published since the last checksum,
 * or this much time has passed.
 */
export const CHECKSUM_EVERY_CHANGES = 50
export const CHECKSUM_EVERY_MS = 10_000

export type BookChannelOptions = {
  readonly topic: Topic
  readonly symbol: TradingSymbol
  readonly depth: DepthView
  /** In the form of `levelPairsJson`. */
  readonly bookText: BookText
  /** The last command whose effects `depth` shows. */
  readonly seq: Seq
  /** Milliseconds since an arbitrary time. */
  readonly now: () => number
}

type Levels = Map<Price, bigint>

export class BookChannel implements Channel {
  readonly dueAt = undefined
  readonly #options: BookChannelOptions
  readonly #head: string
  /** The command of the newest message. */
  #seq: Seq
  /** The command of the last addition. */
  #addedSeq: Seq
  #bids: Levels = new Map()
  #asks: Levels = new Map()
  #changesUnchecked = 0
  #checkedAt: number

  constructor(options: BookChannelOptions) {
    this.#options = options
    this.#head = topicMembers(options.symbol.name, options.topic)
    this.#seq = options.seq
    this.#addedSeq = options.seq
    this.#checkedAt = options.now()
  }

  get queued(): number {
    return this.#bids.size + this.#asks.size
  }

  add(event: MarketEvent, seq: Seq): boolean {
    if (event.kind !== 'LevelChanged') return false
    this.#levels(event.side).set(event.price, event.quantity)
    this.#addedSeq = seq
    return true
  }

  pass(): boolean {
    return false
  }

  /** The checksum is computed at once: when the message is created, the market may have changed further. */
  take(): Iterable<Part> {
    const [bids, asks, prevSeq] = [this.#bids, this.#asks, this.#seq]
    this.forget()
    this.#seq = this.#addedSeq
    const members = seqMembers(this.#seq, prevSeq)
    const checksum = this.#isChecksumDue() ? this.#checksum() : ''
    return this.#change(members, bids, asks, checksum)
  }

  forget(): void {
    this.#bids = new Map()
    this.#asks = new Map()
  }

  snapshot(): readonly Frame[] {
    const { bookText, depth, symbol } = this.#options
    const bids = bookText.side(depth, 'BUY', symbol)
    const asks = bookText.side(depth, 'SELL', symbol)
    return [this.#message(seqMembers(this.#seq, undefined), bids, asks, this.#checksum())]
  }

  *#change(members: string, bids: Levels, asks: Levels, checksum: string): Generator<Part> {
    const { symbol } = this.#options
    const [bidPairs, askPairs] = [bestFirst('BUY', bids), bestFirst('SELL', asks)].map((levels) =>
      levelPairsJson(levels, symbol),
    ) as [string, string]
    yield singlePart(this.#message(members, bidPairs, askPairs, checksum))
  }

  #message(members: string, bids: string, asks: string, checksum: string): Frame {
    return new Frame(
      eventJson('book', `{${this.#head},${members},"bids":[${bids}],"asks":[${asks}]${checksum}}`),
    )
  }

  #isChecksumDue(): boolean {
    const now = this.#options.now()
    const isDue =
      ++this.#changesUnchecked >= CHECKSUM_EVERY_CHANGES || now - this.#checkedAt >= CHECKSUM_EVERY_MS
    if (isDue) {
      this.#changesUnchecked = 0
      this.#checkedAt = now
    }
    return isDue
  }

  #checksum(): string {
    const { depth } = this.#options
    const [bids, asks] = [depth.levels('BUY', CHECKSUM_LEVELS), depth.levels('SELL', CHECKSUM_LEVELS)]
    return `,"checksum":${Bun.hash.crc32(checksumText(bids, asks))}`
  }

  #levels(side: Side): Levels {
    return side === 'BUY' ? this.#bids : this.#asks
  }
}
