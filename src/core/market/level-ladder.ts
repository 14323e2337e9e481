/**
 * One side's price levels in order of price. The prices are cut into pages of `PAGE_PRICES` neighbours; a page knows
 * its levels by their place in it, and in two words of bits which of them there are. So levels come and go without
 * moving others, and the next best is the highest bit: what happens at the busy end of a book takes constant time
 * (`npm run bench -- book`: a sorted array of levels took twice as long). Pages themselves come and go seldom, in `PageLadder`.
 *
 * A page asked for lately is found at once, any other by a search among all. There is no hash: prices are free to
 * choose, so somebody could choose those that collide and make every order search through all of them.
 */
import type { Side } from '../../units/order-words.ts'
import type { Price } from '../../units/quantities.ts'
import { grownFloat64, grownInt32 } from '../../units/typed-arrays.ts'
import { type LevelId, type LevelPool, NO_LEVEL } from './level-pool.ts'
import { NO_PAGE, type PageId, PageLadder } from './page-ladder.ts'

/**
 * Neighbouring prices in one page: two words of bits. Not written as a power, which is a floating-point number to the
 * compiler, as is then everything computed from it (`npm run bench -- book`: a quarter of the mix).
 */
const PAGE_PRICES = 64
const PAGE_BITS = 6

const FIRST_PAGES = 2

/** Pages found at once: a power of two, and so many neighbours never stand in each other's place. */
const RECENT_PAGES = 256

/**
 * A rank is a price, negated on the sell side, so that a higher one is better. A position is a page and a place in it,
 * `page * PAGE_PRICES + place`: the same for a level as long as it is there.
 */
export class LevelLadder {
  readonly #side: Side
  readonly #rankSign: 1 | -1
  readonly #levels: LevelPool
  readonly #pages = new PageLadder()
  /** By the low bits of a page's number: the page of such a number that was asked for last. */
  readonly #recent = new Int32Array(RECENT_PAGES)
  /** By page: its rank over `PAGE_PRICES`; NaN of a vacant one. */
  #numbers = new Float64Array(FIRST_PAGES).fill(Number.NaN)
  /** By position: the level, or `NO_LEVEL`. */
  #levelAt = new Int32Array(FIRST_PAGES * PAGE_PRICES).fill(NO_LEVEL)
  /** One bit by position: whether there is a level. A page's lower ranks are its first word. */
  #bits = new Int32Array(FIRST_PAGES * 2)
  readonly #vacantPages: PageId[] = []
  #usedPages = 0
  #best: LevelId = NO_LEVEL
  #count = 0

  /** Takes its levels from `levels`, and gives them back. */
  constructor(side: Side, levels: LevelPool) {
    this.#side = side
    this.#rankSign = side === 'BUY' ? 1 : -1
    this.#levels = levels
  }

  get count(): number {
    return this.#count
  }

  /** The level with the best price, or `NO_LEVEL`. */
  get best(): LevelId {
    return this.#best
  }

  /** The level at `price`, or `NO_LEVEL`. */
  find(price: Price): LevelId {
    const rank = price * this.#rankSign
    const number = Math.floor(rank / PAGE_PRICES)
    const recent = this.#recent[number & (RECENT_PAGES - 1)] as PageId
    const page = this.#numbers[recent] === number ? recent : this.#find(number)
    if (page === NO_PAGE) return NO_LEVEL
    return this.#levelAt[page * PAGE_PRICES + (rank - number * PAGE_PRICES)] as LevelId
  }

  /** The level at `price`; where there is none, a new and empty one. */
  take(price: Price): LevelId {
    const rank = price * this.#rankSign
    const number = Math.floor(rank / PAGE_PRICES)
    const recent = this.#recent[number & (RECENT_PAGES - 1)] as PageId
    const page = this.#numbers[recent] === number ? recent : this.#pageFor(number)
    const position = page * PAGE_PRICES + ((rank - number * PAGE_PRICES) | 0)
    const level = this.#levelAt[position] as LevelId
    return level === NO_LEVEL ? this.#open(price, position) : level
  }

  /** Takes an empty level away. */
  release(level: LevelId): void {
    const position = this.#levels.position(level)
    this.#levels.release(level)
    this.#levelAt[position] = NO_LEVEL
    this.#flip(position)
    this.#count--
    const page = (position >> PAGE_BITS) as PageId
    const isEmpty = this.#bits[page * 2] === 0 && this.#bits[page * 2 + 1] === 0
    if (isEmpty) this.#releasePage(page)
    if (level === this.#best) this.#best = this.#highestOf(isEmpty ? this.#pages.best : page)
  }

  /** All levels, best first. The ladder must not change meanwhile. */
  *fromBest(): Generator<LevelId> {
    for (const page of this.#pages.fromBest()) {
      for (let place = PAGE_PRICES - 1; place >= 0; place--) {
        const level = this.#levelAt[page * PAGE_PRICES + place] as LevelId
        if (level !== NO_LEVEL) yield level
      }
    }
  }

  #open(price: Price, position: number): LevelId {
    const level = this.#levels.take(this.#side, price, position)
    this.#levelAt[position] = level
    this.#flip(position)
    this.#count++
    const best = this.#best
    if (best === NO_LEVEL || (price - this.#levels.price(best)) * this.#rankSign > 0) this.#best = level
    return level
  }

  /** Turns the bit of a position over. */
  #flip(position: number): void {
    this.#bits[position >> 5]! ^= 1 << (position & 31)
  }

  /** The best level of a page. */
  #highestOf(page: PageId): LevelId {
    if (page === NO_PAGE) return NO_LEVEL
    const high = this.#bits[page * 2 + 1] as number
    const low = this.#bits[page * 2] as number
    const place = high === 0 ? 31 - Math.clz32(low) : 63 - Math.clz32(high)
    return this.#levelAt[page * PAGE_PRICES + place] as LevelId
  }

  /** The page of this number, or `NO_PAGE`; the next search for it ends in `#recent`. */
  #find(number: number): PageId {
    const page = this.#pages.find(number)
    if (page !== NO_PAGE) this.#recent[number & (RECENT_PAGES - 1)] = page
    return page
  }

  #pageFor(number: number): PageId {
    const page = this.#find(number)
    return page === NO_PAGE ? this.#takePage(number) : page
  }

  #takePage(number: number): PageId {
    const page = this.#vacantPages.pop() ?? (this.#usedPages++ as PageId)
    if (page === this.#numbers.length) this.#grow()
    this.#numbers[page] = number
    this.#recent[number & (RECENT_PAGES - 1)] = page
    this.#pages.insert(number, page)
    return page
  }

  #releasePage(page: PageId): void {
    this.#pages.delete(this.#numbers[page] as number)
    this.#numbers[page] = Number.NaN
    this.#vacantPages.push(page)
  }

  #grow(): void {
    const pages = this.#numbers.length
    this.#numbers = grownFloat64(this.#numbers, pages * 2).fill(Number.NaN, pages)
    this.#levelAt = grownInt32(this.#levelAt, pages * 2 * PAGE_PRICES).fill(NO_LEVEL, pages * PAGE_PRICES)
    this.#bits = grownInt32(this.#bits, pages * 2 * 2)
  }
}
