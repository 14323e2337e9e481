/**
 * Checks the part of the journal that a start skips because a snapshot covers it, in bounded pieces while the
 * node runs, so that damage is found long before a replay from the first command needs that part. It has no
 * clock; the caller decides when the next piece is due.
 */

import { sameBytes } from '../../units/typed-arrays.ts'
import type { BatchFeed } from '../port/feed.ts'
import { type Digest, EMPTY_TAIL, hexOf, JournalFault, type Mark, verifyBatch } from '../port/journal.ts'

export type ChainCheckParts = {
  readonly feed: Pick<BatchFeed, 'next'>
  readonly digest: Digest
  /** Maximum number of bytes of batches (`sizeOf`) in one piece, unless one batch alone is larger. */
  readonly pieceBytesMax: number
}

export class ChainCheck {
  readonly #parts: ChainCheckParts
  /** The end of the check; nothing is checked if that is command 0. */
  readonly until: Mark
  #tail = EMPTY_TAIL

  /** `until`: the end of a batch, with its hash as recorded outside the journal. */
  constructor(parts: ChainCheckParts, until: Mark) {
    this.#parts = parts
    this.until = until
  }

  get isDone(): boolean {
    return this.#tail.seq >= this.until.seq
  }

  /**
   * Checks the next piece. Rejects with `EngineFault`, or with `JournalFault`, which names the batch or the
   * position.
   */
  async step(): Promise<void> {
    if (this.isDone) return
    const { feed, digest, pieceBytesMax } = this.#parts
    for (const batch of await feed.next(this.#tail.seq, pieceBytesMax)) {
      if (this.isDone) break
      this.#tail = verifyBatch(digest, this.#tail, batch)
    }
    if (!this.isDone) return
    const { seq, hash } = this.until
    if (this.#tail.seq === seq && sameBytes(this.#tail.hash, hash)) return
    const found = `but its chain has ${hexOf(this.#tail.hash)} at command ${this.#tail.seq}`
    throw new JournalFault('DAMAGED', `the journal had hash ${hexOf(hash)} at command ${seq}, ${found}`)
  }
}
