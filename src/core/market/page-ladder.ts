/**
 * Pages of price levels in order of their numbers: sorted blocks of at most `BLOCK_PAGES` pages, lowest
 * first, so that a new page anywhere among a million moves kilobytes, not megabytes. Pages are rarely added
 * and removed if prices are close together; if each level has its own page, every new level has this cost.
 */
import type { Branded } from '../../units/brand.ts'

/** Index of a page in its ladder's memory; valid until the page is empty, then reused. */
export type PageId = Branded<number, 'PageId'>

/** The result if there is no page. */
export const NO_PAGE = -1 as PageId

/** Maximum number of pages in one block; a full one is split in two. */
const BLOCK_PAGES = 256

/** A run of neighboring pages. */
class Block {
  readonly numbers = new Float64Array(BLOCK_PAGES)
  readonly pages = new Int32Array(BLOCK_PAGES)
  count = 0
}

export class PageLadder {
  /** Lowest numbers first; no block is empty, except the only one of an empty ladder. */
  readonly #blocks: Block[] = []

  /**
   * The page with the highest number among those whose word in `bits`, by page, is not 0; or `NO_PAGE`. Steps
   * over the others one by one.
   */
  bestOf(bits: Int32Array): PageId {
    for (let i = this.#blocks.length - 1; i >= 0; i--) {
      const { pages, count } = this.#blocks[i]!
      for (let at = count - 1; at >= 0; at--) {
        const page = pages[at] as PageId
        if (bits[page] !== 0) return page
      }
    }
    return NO_PAGE
  }

  /** The page with this number, or `NO_PAGE`. */
  find(number: number): PageId {
    const block = this.#blocks[this.#blockIndex(number)]
    if (block === undefined) return NO_PAGE
    const at = positionIn(block, number)
    return at < block.count && block.numbers[at] === number ? (block.pages[at] as PageId) : NO_PAGE
  }

  /** Puts a page in its place; there must be none with its number yet. */
  insert(number: number, page: PageId): void {
    const blockIndex = this.#blockIndex(number)
    let block = this.#blocks[blockIndex]
    if (block === undefined) {
      block = new Block()
      this.#blocks.push(block)
    } else if (block.count === BLOCK_PAGES) {
      block = this.#split(blockIndex, block, number)
    }
    const at = positionIn(block, number)
    block.numbers.copyWithin(at + 1, at, block.count)
    block.pages.copyWithin(at + 1, at, block.count)
    block.numbers[at] = number
    block.pages[at] = page
    block.count++
  }

  /** Removes the page of `number`, which must exist. */
  delete(number: number): void {
    const blockIndex = this.#blockIndex(number)
    const block = this.#blocks[blockIndex]!
    const at = positionIn(block, number)
    block.numbers.copyWithin(at, at + 1, block.count)
    block.pages.copyWithin(at, at + 1, block.count)
    block.count--
    // The only block stays: a side whose only level comes and goes must not allocate.
    if (block.count === 0 && this.#blocks.length > 1) this.#blocks.splice(blockIndex, 1)
  }

  /** All pages, highest number first. The ladder must not change during the iteration. */
  *fromBest(): Generator<PageId> {
    for (let i = this.#blocks.length - 1; i >= 0; i--) {
      const block = this.#blocks[i]!
      for (let at = block.count - 1; at >= 0; at--) yield block.pages[at] as PageId
    }
  }

  /**
   * Index of the block in whose range `number` is: the last one that begins at or below it, else the first.
   */
  #blockIndex(number: number): number {
    let low = 0
    let high = this.#blocks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#blocks[middle]!.numbers[0] as number) <= number) low = middle
      else high = middle - 1
    }
    return low
  }

  /**
   * Moves the higher half of a full block into a new one after it; returns the one whose range contains
   * `number`.
   */
  #split(index: number, lower: Block, number: number): Block {
    const half = BLOCK_PAGES / 2
    const higher = new Block()
    higher.numbers.set(lower.numbers.subarray(half))
    higher.pages.set(lower.pages.subarray(half))
    higher.count = half
    lower.count = half
    this.#blocks.splice(index + 1, 0, higher)
    return number < (higher.numbers[0] as number) ? lower : higher
  }
}

/**
 * Position of the first page in `block` whose number is at or above `number`; the block's count if there is
 * none.
 */
function positionIn(block: Block, number: number): number {
  const numbers = block.numbers
  let low = 0
  let high = block.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) < number) low = middle + 1
    else high = middle
  }
  return low
}
