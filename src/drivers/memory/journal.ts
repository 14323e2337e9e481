/**
 * A journal that lives and dies with its object: for tests and for runs that need not last.
 */
import type { Batch, Journal, Quarantined, Tail } from '../../engine/journal.ts'
import { EMPTY_TAIL, lastSeqOf } from '../../engine/journal.ts'
import { upToBytes } from '../../engine/recent-batches.ts'
import { invariant } from '../../units/invariant.ts'
import type { Seq } from '../../units/quantities.ts'

export class MemoryJournal implements Journal {
  readonly #batches: Batch[] = []
  readonly #quarantined: Quarantined[] = []
  #tail: Tail = EMPTY_TAIL

  get tail(): Tail {
    return this.#tail
  }

  async append(batch: Batch): Promise<void> {
    invariant(batch.firstSeq === this.#tail.seq + 1, () => `expected command ${this.#tail.seq + 1} next`)
    this.#batches.push(batch)
    this.#tail = { seq: lastSeqOf(batch), time: batch.time, hash: batch.hash }
  }

  async read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    return upToBytes(this.#batches, this.#indexAfter(afterSeq), maxBytes)
  }

  async hashAt(seq: Seq): Promise<Uint8Array | undefined> {
    const batch = this.#batches[this.#indexAfter((seq - 1) as Seq)]
    return batch !== undefined && lastSeqOf(batch) === seq ? batch.hash : undefined
  }

  async quarantined(): Promise<readonly Quarantined[]> {
    return [...this.#quarantined]
  }

  async quarantine(entry: Quarantined): Promise<void> {
    this.#quarantined.push(entry)
  }

  async maintain(): Promise<void> {}

  async close(): Promise<void> {}

  /** Index of the first batch that ends after `seq`. */
  #indexAfter(seq: Seq): number {
    let low = 0
    let high = this.#batches.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (lastSeqOf(this.#batches[middle] as Batch) > seq) high = middle
      else low = middle + 1
    }
    return low
  }
}
