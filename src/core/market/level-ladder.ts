/**
 * One side's price levels in order of price. The prices are cut into pages of `PAGE_PRICES` neighbours; a page knows
 * its levels by their place in it, and in two words of bits which of them there are. So levels come and go without
 * moving others, and the next best is the highest bit: what happens at the busy end of a book takes constant time
 * (`bench` book: a sorted array of levels took twice as long). Pages themselves come and go seldom, in `PageLadder`.
 *
 * A page asked for lately is found at once, any other by a search among all. There is no hash: prices are free to
 * choose, so somebody could choose those that collide and make every order search through all of them.
 */
import type { Side } from '../../units/order-words.ts'
import type { Price } from '../../units/quantities.ts'
import { grownFloat64, grownInt32 } from '../../units/typed-arrays.ts'
import { type LevelId, NO_LEVEL } from './level-pool.ts'
import { NO_PAGE, type PageId, PageLadder } from './page-ladder.ts'

/** Neighbouring prices in one page: two words of bits. */
const PAGE_PRICES = 64
const WORD_BITS = 32

const FIRST_PAGES = 2

/** Pages found at once: a power of two, and so many neighbours never stand in each other's place. */
const RECENT_PAGES = 256

/** A rank is a price, negated on the sell side, so that a higher one is better. */
export class LevelLadder {
  readonly #rankSign: 1 | -1
  readonly #pages = new PageLadder()
  /** By the low bits of a page's number: the page of such a number that was asked for last. */
  readonly #recent = new Int32Array(RECENT_PAGES)
  /** By page: its rank over `PAGE_PRICES`; NaN of a vacant one. */
  #numbers = new Float64Array(FIRST_PAGES).fill(Number.NaN)
  /** By page and place in it: the level, or `NO_LEVEL`. */
  #levels = new Int32Array(FIRST_PAGES * PAGE_PRICES).fill(NO_LEVEL)
  /** By page: which of its lower and of its higher ranks have levels. */
  #lowBits = new Int32Array(FIRST_PAGES)
  #highBits = new Int32Array(FIRST_PAGES)
  readonly #vacantPages: PageId[] = []
  #usedPages = 0
  #bestPage: PageId = NO_PAGE
  #best: LevelId = NO_LEVEL
  #count = 0

  constructor(side: Side) {
    this.#rankSign = side === 'BUY' ? 1 : -1
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
    const page = this.#find(number)
    if (page === NO_PAGE) return NO_LEVEL
    return this.#levels[page * PAGE_PRICES + (rank - number * PAGE_PRICES)] as LevelId
  }

  /** Puts a level in its place; there must be none at `price` yet. */
  insert(price: Price, level: LevelId): void {
    const rank = price * this.#rankSign
    const number = Math.floor(rank / PAGE_PRICES)
    const place = rank - number * PAGE_PRICES
    let page = this.#find(number)
    if (page === NO_PAGE) page = this.#takePage(number)
    this.#levels[page * PAGE_PRICES + place] = level
    this.#flip(page, place)
    this.#count++
    this.#findBest(this.#bestPage === page ? page : this.#pages.best)
  }

  /** Takes away the level at `price`, which must exist. */
  delete(price: Price): void {
    const rank = price * this.#rankSign
    const number = Math.floor(rank / PAGE_PRICES)
    const place = rank - number * PAGE_PRICES
    const page = this.#find(number)
    this.#levels[page * PAGE_PRICES + place] = NO_LEVEL
    this.#flip(page, place)
    this.#count--
    if (this.#lowBits[page] === 0 && this.#highBits[page] === 0) {
      this.#releasePage(page, number)
      this.#findBest(this.#pages.best)
    } else if (page === this.#bestPage) {
      this.#findBest(page)
    }
  }

  /** All levels, best first. The ladder must not change meanwhile. */
  *fromBest(): Generator<LevelId> {
    for (const page of this.#pages.fromBest()) {
      for (let place = PAGE_PRICES - 1; place >= 0; place--) {
        const level = this.#levels[page * PAGE_PRICES + place] as LevelId
        if (level !== NO_LEVEL) yield level
      }
    }
  }

  /** Turns the bit of a place in a page over. */
  #flip(page: PageId, place: number): void {
    if (place < WORD_BITS) this.#lowBits[page]! ^= 1 << place
    else this.#highBits[page]! ^= 1 << (place - WORD_BITS)
  }

  /** The best level is the highest of `page`, the best page. */
  #findBest(page: PageId): void {
    this.#bestPage = page
    if (page === NO_PAGE) {
      this.#best = NO_LEVEL
      return
    }
    const high = this.#highBits[page] as number
    const place = high === 0 ? 31 - Math.clz32(this.#lowBits[page] as number) : 63 - Math.clz32(high)
    this.#best = this.#levels[page * PAGE_PRICES + place] as LevelId
  }

  /** The page of this number, or `NO_PAGE`. */
  #find(number: number): PageId {
    const place = number & (RECENT_PAGES - 1)
    const recent = this.#recent[place] as PageId
    if (this.#numbers[recent] === number) return recent
    const page = this.#pages.find(number)
    if (page !== NO_PAGE) this.#recent[place] = page
    return page
  }

  #takePage(number: number): PageId {
    const page = this.#vacantPages.pop() ?? (this.#usedPages++ as PageId)
    if (page === this.#numbers.length) this.#grow()
    this.#numbers[page] = number
    this.#recent[number & (RECENT_PAGES - 1)] = page
    this.#pages.insert(number, page)
    return page
  }

  #releasePage(page: PageId, number: number): void {
    this.#numbers[page] = Number.NaN
    this.#pages.delete(number)
    this.#vacantPages.push(page)
  }

  #grow(): void {
    const pages = this.#numbers.length
    this.#numbers = grownFloat64(this.#numbers, pages * 2).fill(Number.NaN, pages)
    this.#levels = grownInt32(this.#levels, pages * 2 * PAGE_PRICES).fill(NO_LEVEL, pages * PAGE_PRICES)
    this.#lowBits = grownInt32(this.#lowBits, pages * 2)
    this.#highBits = grownInt32(this.#highBits, pages * 2)
  }
}
