/**
 * A book maintained from the messages of the channel `book`
 * (docs/reference/stream-extensions.md#keeping-a-book): it is exact, and never applies a change that does not
 * follow its state. It has no connection: when a message does not match, the caller must request the book
 * again.
 */

import type { BookMessage } from '../interface/messages.ts'
import { type BookLevel, BookSide } from './book-side.ts'
import { crc32 } from './crc32.ts'

/**
 * The effect of a message. `whole`: the book is replaced; `changed`: the change was applied; `gap`: the
 * message does not follow the previous one, or is older; `damaged`: its form is invalid, or its checksum
 * differs from the book's. After the last two, the book stays unknown until a complete book arrives.
 */
export type BookOutcome = 'whole' | 'changed' | 'gap' | 'damaged' | 'ignored'

/** Number of levels per side that the checksum includes. */
const CHECKSUM_LEVELS = 10

const DECIMAL = /^\d+(?:\.\d+)?$/

export class LocalBook {
  readonly #bids = new BookSide(1)
  readonly #asks = new BookSide(-1)
  /** Undefined if the book is unknown: only a complete book can follow. */
  #seq: number | undefined

  /** The number of the newest command whose effects the book includes; undefined while it is unknown. */
  get seq(): number | undefined {
    return this.#seq
  }

  /** Whether the levels are those of the exchange as of `seq`; otherwise they are the last known ones. */
  get isKnown(): boolean {
    return this.#seq !== undefined
  }

  /** At most `levelsMax` levels, best first; by default all. */
  bids(levelsMax = Number.POSITIVE_INFINITY): BookLevel[] {
    return this.#bids.top(levelsMax)
  }

  /** At most `levelsMax` levels, best first; by default all. */
  asks(levelsMax = Number.POSITIVE_INFINITY): BookLevel[] {
    return this.#asks.top(levelsMax)
  }

  get bestBid(): BookLevel | undefined {
    return this.#bids.best
  }

  get bestAsk(): BookLevel | undefined {
    return this.#asks.best
  }

  /** Number of levels of both sides together. */
  get size(): number {
    return this.#bids.size + this.#asks.size
  }

  /** Requires a complete book as the next message. The levels are kept, to be shown as outdated. */
  forget(): void {
    this.#seq = undefined
  }

  /** Applies a message of the complete channel, which has no `levels`. */
  take(message: BookMessage): BookOutcome {
    const { seq, prevSeq, checksum } = message
    const before = this.#seq
    if (prevSeq !== undefined && before === undefined) return 'ignored'
    this.#seq = undefined
    // No state is older than an earlier one: such a message was delayed, or duplicated.
    if (before !== undefined && (prevSeq === undefined ? seq < before : prevSeq !== before)) return 'gap'
    const bids = levelsOf(message.bids)
    const asks = levelsOf(message.asks)
    if (bids === undefined || asks === undefined) return 'damaged'
    if (prevSeq === undefined) {
      this.#bids.replace(bids)
      this.#asks.replace(asks)
    } else {
      this.#bids.setAll(bids)
      this.#asks.setAll(asks)
    }
    if (checksum !== undefined && checksum !== this.checksum()) return 'damaged'
    this.#seq = seq
    return prevSeq === undefined ? 'whole' : 'changed'
  }

  /** The checksum of the current levels (docs/reference/stream-extensions.md#checksum). */
  checksum(): number {
    return crc32(`${ticksAndLots(this.bids(CHECKSUM_LEVELS))}|${ticksAndLots(this.asks(CHECKSUM_LEVELS))}`)
  }
}

function ticksAndLots(levels: readonly BookLevel[]): string {
  return levels.map(({ ticks, lots }) => `${ticks}:${lots}`).join(',')
}

/** Undefined if the value does not consist of levels. */
function levelsOf(pairs: unknown): BookLevel[] | undefined {
  if (!Array.isArray(pairs)) return undefined
  const levels: BookLevel[] = []
  for (const pair of pairs as readonly unknown[]) {
    if (!Array.isArray(pair)) return undefined
    const [price, quantity] = pair as readonly unknown[]
    if (typeof price !== 'string' || typeof quantity !== 'string') return undefined
    if (!DECIMAL.test(price) || !DECIMAL.test(quantity)) return undefined
    const ticks = Number(price.replace('.', ''))
    if (!Number.isSafeInteger(ticks)) return undefined
    levels.push({ price, quantity, ticks, lots: BigInt(quantity.replace('.', '')) })
  }
  return levels
}
