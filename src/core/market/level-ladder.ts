/**
 * One side's price levels in order of price. The prices are divided into pages of `PAGE_PRICES` neighbors,
 * and a page into rows of `ROW_PRICES`. A row finds its levels by their place in it and has one word of bits
 * for the existing ones; a page has such a word for its rows. Rows use memory only while they have levels. So
 * levels are added and removed without moving others, and the next best is found at the highest bits of the
 * two words: constant time (`npm run bench -- book`: a sorted array of levels took twice as long). The pages
 * are ordered in `PageLadder`. An empty page is kept for a while (`KEPT_PAGES`), since orders far from the
 * others mostly come and go one by one, and each would cost a search and a move.
 *
 * A recently used page is found at once, any other by a search among all pages. There is no hash: clients
 * choose prices freely, so a client could choose colliding ones and make every order search through all of
 * them.
 */
import type { Side } from '../../units/order-enums.ts'
import type { Price } from '../../units/quantities.ts'
import { grownFloat64, grownInt32 } from '../../units/typed-arrays.ts'
import { type LevelId, type LevelPool, NO_LEVEL } from './level-pool.ts'
import { NO_PAGE, type PageId, PageLadder } from './page-ladder.ts'

/**
 * Neighboring prices in one row, and rows in one page, as many as a word has bits. They are not written as
 * powers: the compiler takes a power, and everything computed from it, for a floating-point number
 * (`npm run bench -- book`: a quarter of the mix).
 */
const ROW_PRICES = 32
const PAGE_ROWS = 32
const WORD_BITS = 5
const PAGE_PRICES = 1024

const NO_ROW = -1
const FIRST_PAGES = 2

/**
 * Number of pages that are found without a search: a power of two, so that this many neighbors never collide.
 */
const RECENT_PAGES = 256

/**
 * Maximum number of empty pages that are kept, a power of two; the page that has been empty the longest is
 * dropped first.
 */
const KEPT_PAGES = 64
const NOT_KEPT = -1

/**
 * A rank is a price, negated on the sell side, so that a higher rank is better. A level's position is its row
 * and its place there, `row * ROW_PRICES + place`, which does not change while the level exists. In the same
 * way a row's position is its page and its place there, `page * PAGE_ROWS + place`.
 */
export class LevelLadder {
  readonly #side: Side
  readonly #rankSign: 1 | -1
  readonly #levels: LevelPool
  readonly #pages = new PageLadder()
  /** By the low bits of a page's number: the last page that was requested with these bits. */
  readonly #recent = new Int32Array(RECENT_PAGES)
  /** By page: its number, which is the rank divided by `PAGE_PRICES`; NaN for a vacant page. */
  #numbers = new Float64Array(FIRST_PAGES).fill(Number.NaN)
  /** By position of a row: the row, or `NO_ROW`. */
  #rowAt = new Int32Array(FIRST_PAGES * PAGE_ROWS).fill(NO_ROW)
  /** By page: one bit for each row that has levels. */
  #rowBits = new Int32Array(FIRST_PAGES)
  /** By page: its index in `#kept`, or `NOT_KEPT`. */
  #keptAt = new Int32Array(FIRST_PAGES).fill(NOT_KEPT)
  readonly #vacantPages: PageId[] = []
  #usedPages = 0
  /**
   * Recently emptied pages, in a ring. A page is still listed if its `#keptAt` is its index in the ring; it
   * may have levels again.
   */
  readonly #kept = new Int32Array(KEPT_PAGES).fill(NO_PAGE)
  #nextKept = 0
  /** By row: its position; for a vacant row, the next vacant one. */
  #rowPosition = new Int32Array(FIRST_PAGES)
  /** By position of a level: the level, or `NO_LEVEL`. */
  #levelAt = new Int32Array(FIRST_PAGES * ROW_PRICES).fill(NO_LEVEL)
  /** By row: one bit for each place that has a level. */
  #levelBits = new Int32Array(FIRST_PAGES)
  #firstVacantRow = NO_ROW
  #usedRows = 0
  #best: LevelId = NO_LEVEL
  #count = 0

  /** The ladder takes its levels from `levels` and returns them to it. */
  constructor(side: Side, levels: LevelPool) {
    this.#side = side
    this.#rankSign = side === 'BUY' ? 1 : -1
    this.#levels = levels
  }

  get count(): number {
    return this.#count
  }

  /** Number of pages, including empty ones: at most `KEPT_PAGES` more than have levels. */
  get pageCount(): number {
    return this.#usedPages - this.#vacantPages.length
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
    const place = (rank - number * PAGE_PRICES) | 0
    const row = this.#rowAt[page * PAGE_ROWS + (place >> WORD_BITS)] as number
    if (row === NO_ROW) return NO_LEVEL
    return this.#levelAt[row * ROW_PRICES + (place & (ROW_PRICES - 1))] as LevelId
  }

  /** The level at `price`; a new and empty level if there is none. */
  take(price: Price): LevelId {
    const rank = price * this.#rankSign
    const number = Math.floor(rank / PAGE_PRICES)
    const recent = this.#recent[number & (RECENT_PAGES - 1)] as PageId
    const page = this.#numbers[recent] === number ? recent : this.#pageFor(number)
    const place = (rank - number * PAGE_PRICES) | 0
    const rowPosition = page * PAGE_ROWS + (place >> WORD_BITS)
    let row = this.#rowAt[rowPosition] as number
    if (row === NO_ROW) row = this.#openRow(rowPosition)
    const position = row * ROW_PRICES + (place & (ROW_PRICES - 1))
    const level = this.#levelAt[position] as LevelId
    return level === NO_LEVEL ? this.#open(price, position) : level
  }

  /** Removes an empty level. */
  release(level: LevelId): void {
    const position = this.#levels.position(level)
    this.#levels.release(level)
    this.#levelAt[position] = NO_LEVEL
    this.#count--
    const row = position >> WORD_BITS
    const bits = (this.#levelBits[row] as number) ^ (1 << (position & (ROW_PRICES - 1)))
    this.#levelBits[row] = bits
    if (bits === 0) this.#closeRow(row)
    if (level === this.#best) this.#best = this.#highest()
  }

  /** All levels, best first. The ladder must not change during the iteration. */
  *fromBest(): Generator<LevelId> {
    for (const page of this.#pages.fromBest()) {
      for (let place = PAGE_PRICES - 1; place >= 0; place--) {
        const row = this.#rowAt[page * PAGE_ROWS + (place >> WORD_BITS)] as number
        if (row === NO_ROW) {
          place &= ~(ROW_PRICES - 1)
          continue
        }
        const level = this.#levelAt[row * ROW_PRICES + (place & (ROW_PRICES - 1))] as LevelId
        if (level !== NO_LEVEL) yield level
      }
    }
  }

  #open(price: Price, position: number): LevelId {
    const level = this.#levels.take(this.#side, price, position)
    this.#levelAt[position] = level
    this.#levelBits[position >> WORD_BITS]! |= 1 << (position & (ROW_PRICES - 1))
    this.#count++
    const best = this.#best
    if (best === NO_LEVEL || (price - this.#levels.price(best)) * this.#rankSign > 0) this.#best = level
    return level
  }

  /** Creates a row, to which a level must be added next. */
  #openRow(position: number): number {
    let row = this.#firstVacantRow
    if (row === NO_ROW) {
      row = this.#usedRows++
      if (row === this.#rowPosition.length) this.#growRows()
    } else this.#firstVacantRow = this.#rowPosition[row] as number
    this.#rowPosition[row] = position
    this.#rowAt[position] = row
    this.#rowBits[position >> WORD_BITS]! |= 1 << (position & (PAGE_ROWS - 1))
    return row
  }

  #closeRow(row: number): void {
    const position = this.#rowPosition[row] as number
    this.#rowPosition[row] = this.#firstVacantRow
    this.#firstVacantRow = row
    this.#rowAt[position] = NO_ROW
    const page = (position >> WORD_BITS) as PageId
    const bits = (this.#rowBits[page] as number) ^ (1 << (position & (PAGE_ROWS - 1)))
    this.#rowBits[page] = bits
    if (bits === 0 && this.#keptAt[page] === NOT_KEPT) this.#keep(page)
  }

  /** The best level. */
  #highest(): LevelId {
    const page = this.#pages.bestOf(this.#rowBits)
    if (page === NO_PAGE) return NO_LEVEL
    const place = 31 - Math.clz32(this.#rowBits[page] as number)
    const row = this.#rowAt[page * PAGE_ROWS + place] as number
    return this.#levelAt[row * ROW_PRICES + 31 - Math.clz32(this.#levelBits[row] as number)] as LevelId
  }

  /** The page of this number, or `NO_PAGE`; the next search for it uses `#recent`. */
  #find(number: number): PageId {
    const page = this.#pages.find(number)
    if (page !== NO_PAGE) this.#recent[number & (RECENT_PAGES - 1)] = page
    return page
  }

  #pageFor(number: number): PageId {
    const page = this.#find(number)
    return page === NO_PAGE ? this.#takePage(number) : page
  }

  /** Creates a page, to which a row must be added next. */
  #takePage(number: number): PageId {
    const page = this.#vacantPages.pop() ?? (this.#usedPages++ as PageId)
    if (page === this.#numbers.length) this.#growPages()
    this.#numbers[page] = number
    this.#recent[number & (RECENT_PAGES - 1)] = page
    this.#pages.insert(number, page)
    return page
  }

  /** Keeps an empty page, and drops the page that has been empty longest. */
  #keep(page: PageId): void {
    const at = this.#nextKept
    const oldest = this.#kept[at] as PageId
    if (oldest !== NO_PAGE && this.#keptAt[oldest] === at) {
      if (this.#rowBits[oldest] === 0) this.#releasePage(oldest)
      else this.#keptAt[oldest] = NOT_KEPT
    }
    this.#kept[at] = page
    this.#keptAt[page] = at
    this.#nextKept = (at + 1) & (KEPT_PAGES - 1)
  }

  #releasePage(page: PageId): void {
    this.#pages.delete(this.#numbers[page] as number)
    this.#numbers[page] = Number.NaN
    this.#keptAt[page] = NOT_KEPT
    this.#vacantPages.push(page)
  }

  #growPages(): void {
    const pages = this.#numbers.length
    this.#numbers = grownFloat64(this.#numbers, pages * 2).fill(Number.NaN, pages)
    this.#rowAt = grownInt32(this.#rowAt, pages * 2 * PAGE_ROWS).fill(NO_ROW, pages * PAGE_ROWS)
    this.#rowBits = grownInt32(this.#rowBits, pages * 2)
    this.#keptAt = grownInt32(this.#keptAt, pages * 2).fill(NOT_KEPT, pages)
  }

  #growRows(): void {
    const rows = this.#rowPosition.length
    this.#rowPosition = grownInt32(this.#rowPosition, rows * 2)
    this.#levelAt = grownInt32(this.#levelAt, rows * 2 * ROW_PRICES).fill(NO_LEVEL, rows * ROW_PRICES)
    this.#levelBits = grownInt32(this.#levelBits, rows * 2)
  }
}
