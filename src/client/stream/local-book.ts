/**
 * A book kept from the messages of the channel `book` (docs/reference/stream-extensions.md#keeping-a-book): exact, and never
 * with a change that does not follow what is there. It knows no connection: who gives it messages asks for the book anew when
 * it says that one does not fit.
 */

import type { BookMessage } from '../interface/messages.ts'
import { type BookLevel, BookSide } from './book-side.ts'
import { crc32 } from './crc32.ts'

/**
 * What became of a message. `whole`: the book is what it said; `changed`: the change was taken in; `gap`: it does not follow the
 * one before, or is older; `damaged`: it has no book's form, or the book has not the checksum that it names. After the last two
 * the book stays unknown until a whole one comes.
 */
export type BookOutcome = 'whole' | 'changed' | 'gap' | 'damaged' | 'ignored'

/** Levels a side that the checksum is about. */
const CHECKSUM_LEVELS = 10

const DECIMAL = /^\d+(?:\.\d+)?$/

export class LocalBook {
  readonly #bids = new BookSide(1)
  readonly #asks = new BookSide(-1)
  /** Undefined: the book is unknown, and only a whole one fits. */
  #seq: number | undefined

  /** Number of the newest command whose effects the book shows; undefined while it is unknown. */
  get seq(): number | undefined {
    return this.#seq
  }

  /** Whether the levels are those of the exchange as of `seq`; otherwise they are the last ones that were. */
  get isKnown(): boolean {
    return this.#seq !== undefined
  }

  /** At most so many levels, best first; all without a limit. */
  bids(levelsMax = Number.POSITIVE_INFINITY): BookLevel[] {
    return this.#bids.top(levelsMax)
  }

  /** At most so many levels, best first; all without a limit. */
  asks(levelsMax = Number.POSITIVE_INFINITY): BookLevel[] {
    return this.#asks.top(levelsMax)
  }

  get bestBid(): BookLevel | undefined {
    return this.#bids.best
  }

  get bestAsk(): BookLevel | undefined {
    return this.#asks.best
  }

  /** Levels of both sides together. */
  get size(): number {
    return this.#bids.size + this.#asks.size
  }

  /** What comes next must be a whole book. The levels stay, to be shown as out of date. */
  forget(): void {
    this.#seq = undefined
  }

  /** Takes in a message of the whole channel, one without `levels`. */
  take(message: BookMessage): BookOutcome {
    const { seq, prevSeq, checksum } = message
    const before = this.#seq
    if (prevSeq !== undefined && before === undefined) return 'ignored'
    this.#seq = undefined
    // No state is older than one before it: such a message was held up, or came twice.
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

  /** docs/reference/stream-extensions.md#checksum, of the levels as they are. */
  checksum(): number {
    return crc32(`${ticksAndLots(this.bids(CHECKSUM_LEVELS))}|${ticksAndLots(this.asks(CHECKSUM_LEVELS))}`)
  }
}

function ticksAndLots(levels: readonly BookLevel[]): string {
  return levels.map(({ ticks, lots }) => `${ticks}:${lots}`).join(',')
}

/** Undefined: these are no levels. */
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
