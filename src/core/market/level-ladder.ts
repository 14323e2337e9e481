/**
 * One side's price levels in order of price. Sorted blocks of at most `BLOCK_LEVELS` levels, worst block first
 * and worst level first in each, so that the busy end of a book is the cheap end of the arrays, and a new level
 * anywhere in a book of a million levels moves kilobytes, not megabytes. A price is found by binary search, without
 * a map beside the blocks: levels come and go with almost every order at the top of a book, and keeping a map in step
 * with that costs more than the search saves.
 */
import type { Side } from '../../units/order-words.ts'
import type { Price } from '../../units/quantities.ts'
import { type LevelId, NO_LEVEL } from './level-pool.ts'

/** Most levels in one block; a full one is split in two. */
const BLOCK_LEVELS = 256

/** A run of neighbouring levels; rank is the price, negated on the sell side, so that a higher one is better. */
class Block {
  readonly ranks = new Float64Array(BLOCK_LEVELS)
  readonly levels = new Int32Array(BLOCK_LEVELS)
  count = 0
}

export class LevelLadder {
  readonly #rankSign: 1 | -1
  /** Worst first; none is empty, but for the only one of an empty side. */
  readonly #blocks: Block[] = []
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
    const block = this.#blocks[this.#blockIndex(rank)]
    if (block === undefined) return NO_LEVEL
    const at = positionIn(block, rank)
    return at < block.count && block.ranks[at] === rank ? (block.levels[at] as LevelId) : NO_LEVEL
  }

  /** Puts a level in its place; there must be none at `price` yet. */
  insert(price: Price, level: LevelId): void {
    const rank = price * this.#rankSign
    const blockIndex = this.#blockIndex(rank)
    let block = this.#blocks[blockIndex]
    if (block === undefined) {
      block = new Block()
      this.#blocks.push(block)
    } else if (block.count === BLOCK_LEVELS) {
      block = this.#split(blockIndex, block, rank)
    }
    const at = positionIn(block, rank)
    block.ranks.copyWithin(at + 1, at, block.count)
    block.levels.copyWithin(at + 1, at, block.count)
    block.ranks[at] = rank
    block.levels[at] = level
    block.count++
    this.#count++
    this.#findBest()
  }

  /** Takes away the level at `price`, which must exist. */
  delete(price: Price): void {
    const rank = price * this.#rankSign
    const blockIndex = this.#blockIndex(rank)
    const block = this.#blocks[blockIndex]!
    const at = positionIn(block, rank)
    block.ranks.copyWithin(at, at + 1, block.count)
    block.levels.copyWithin(at, at + 1, block.count)
    block.count--
    this.#count--
    // The only block stays: a side whose only level comes and goes must not allocate.
    if (block.count === 0 && this.#blocks.length > 1) this.#blocks.splice(blockIndex, 1)
    this.#findBest()
  }

  /** All levels, best first. The ladder must not change meanwhile. */
  *fromBest(): Generator<LevelId> {
    for (let i = this.#blocks.length - 1; i >= 0; i--) {
      const block = this.#blocks[i]!
      for (let at = block.count - 1; at >= 0; at--) yield block.levels[at] as LevelId
    }
  }

  /** Index of the block in whose range `rank` is: the last one that begins at or below it, else the first. */
  #blockIndex(rank: number): number {
    let low = 0
    let high = this.#blocks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#blocks[middle]!.ranks[0] as number) <= rank) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Moves the better half of a full block into a new one behind it; answers the one in whose range `rank` is. */
  #split(index: number, worse: Block, rank: number): Block {
    const half = BLOCK_LEVELS / 2
    const better = new Block()
    better.ranks.set(worse.ranks.subarray(half))
    better.levels.set(worse.levels.subarray(half))
    better.count = half
    worse.count = half
    this.#blocks.splice(index + 1, 0, better)
    return rank < (better.ranks[0] as number) ? worse : better
  }

  #findBest(): void {
    const block = this.#blocks[this.#blocks.length - 1]
    this.#best =
      block === undefined || block.count === 0 ? NO_LEVEL : (block.levels[block.count - 1] as LevelId)
  }
}

/** Position of the first level in `block` whose rank is at or above `rank`; the block's count when there is none. */
function positionIn(block: Block, rank: number): number {
  const ranks = block.ranks
  let low = 0
  let high = block.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranks[middle] as number) < rank) low = middle + 1
    else high = middle
  }
  return low
}
