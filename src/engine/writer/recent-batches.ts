/**
 * The newest batches, kept in memory so that an up-to-date follower never makes the engine read its journal.
 */
import type { Seq } from '../../units/quantities.ts'
import { type Batch, lastSeqOf, sizeOf } from '../port/journal.ts'

export class RecentBatches {
  readonly #bytesMax: number
  #batches: Batch[] = []
  /** Index of the oldest batch kept; batches before it are released in bulk. */
  #start = 0
  #bytes = 0

  /** Uses at most `bytesMax` of memory, but always keeps the newest batch. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  add(batch: Batch): void {
    this.#batches.push(batch)
    this.#bytes += sizeOf(batch)
    while (this.#bytes > this.#bytesMax && this.#start < this.#batches.length - 1) {
      this.#bytes -= sizeOf(this.#batches[this.#start] as Batch)
      this.#start++
    }
    if (this.#start > this.#batches.length / 2) {
      this.#batches = this.#batches.slice(this.#start)
      this.#start = 0
    }
  }

  /**
   * The batches that end after `afterSeq`, up to `maxBytes` (`sizeOf`) and at least one; undefined if some of
   * them are no longer in memory, empty if `afterSeq` is the newest.
   */
  after(afterSeq: Seq, maxBytes: number): readonly Batch[] | undefined {
    let low = this.#start
    const oldest = this.#batches[low]
    if (oldest === undefined || oldest.firstSeq > afterSeq + 1) return undefined
    let high = this.#batches.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (lastSeqOf(this.#batches[middle] as Batch) > afterSeq) high = middle
      else low = middle + 1
    }
    return upToBytes(this.#batches, low, maxBytes)
  }
}

/** Batches from index `from`: as many as fit into `maxBytes` (`sizeOf`), at least one if there are any. */
export function upToBytes(batches: readonly Batch[], from: number, maxBytes: number): Batch[] {
  const taken: Batch[] = []
  let bytes = 0
  for (let i = from; i < batches.length; i++) {
    const batch = batches[i] as Batch
    bytes += sizeOf(batch)
    if (taken.length > 0 && bytes > maxBytes) break
    taken.push(batch)
  }
  return taken
}
