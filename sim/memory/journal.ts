/**
 * A journal in memory: for tests and for runs that need not persist. Appended data outlives the journal in
 * the place from which it was opened, and is lost with that place.
 */
import type { Batch, Journal, Quarantined, Tail } from '../../src/engine/port/journal.ts'
import { EMPTY_TAIL, endOf, JournalFault, lastSeqOf, requireNext } from '../../src/engine/port/journal.ts'
import { upToBytes } from '../../src/engine/writer/recent-batches.ts'
import { isElsewhere, sealedBy } from '../../src/engine/writer/seal.ts'
import type { Seq } from '../../src/units/quantities.ts'

/** The storage of a journal, and whether it is open. */
export class MemoryPlace {
  readonly batches: Batch[] = []
  readonly quarantined: Quarantined[] = []
  #holder: MemoryJournal | undefined

  /**
   * Opens the journal of this place. Throws `IN_USE` while it is already open, `SEALED` if the exchange has
   * moved.
   */
  open(): MemoryJournal {
    const last = this.batches.at(-1)
    if (last !== undefined && isElsewhere(last, 'DIRECTORY')) throw sealedBy(last)
    return this.openToMove()
  }

  /** Opens the journal for the move of an exchange: a sealed one is opened too, and accepts nothing. */
  openToMove(): MemoryJournal {
    if (this.#holder !== undefined) {
      throw new JournalFault('IN_USE', 'the journal in memory is in use by this process')
    }
    this.#holder = new MemoryJournal(this)
    return this.#holder
  }

  /** A place whose only journal is `journal`. */
  static heldBy(journal: MemoryJournal): MemoryPlace {
    const place = new MemoryPlace()
    place.#holder = journal
    return place
  }

  isHeldBy(journal: MemoryJournal): boolean {
    return this.#holder === journal
  }

  /** Releases the open journal, as the end of a process does. */
  release(): void {
    this.#holder = undefined
  }
}

export class MemoryJournal implements Journal {
  readonly #place: MemoryPlace
  #tail: Tail
  /** The reason why the journal accepts no more data; undefined while it accepts data. */
  #ended: JournalFault | undefined

  /** Opened with `MemoryPlace.open`; without a place, the only journal of a place of its own. */
  constructor(place?: MemoryPlace) {
    this.#place = place ?? MemoryPlace.heldBy(this)
    const last = this.#place.batches.at(-1)
    this.#tail = last === undefined ? EMPTY_TAIL : endOf(last)
    if (last !== undefined && isElsewhere(last, 'DIRECTORY')) this.#ended = sealedBy(last)
  }

  get tail(): Tail {
    return this.#tail
  }

  async append(batch: Batch): Promise<void> {
    requireNext(batch, this.#tail)
    this.#requireHeld()
    this.#place.batches.push(batch)
    this.#tail = endOf(batch)
    if (batch.kind === 'SEAL') this.#ended = sealedBy(batch)
  }

  async read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    return upToBytes(this.#place.batches, this.#indexAfter(afterSeq), maxBytes)
  }

  async hashAt(seq: Seq): Promise<Uint8Array | undefined> {
    const batch = this.#place.batches[this.#indexAfter((seq - 1) as Seq)]
    return batch !== undefined && lastSeqOf(batch) === seq ? batch.hash : undefined
  }

  async quarantined(): Promise<readonly Quarantined[]> {
    return [...this.#place.quarantined]
  }

  async quarantine(entry: Quarantined): Promise<void> {
    this.#requireHeld()
    this.#place.quarantined.push(entry)
  }

  async maintain(): Promise<void> {}

  async close(): Promise<void> {
    if (this.#place.isHeldBy(this)) this.#place.release()
  }

  #requireHeld(): void {
    if (this.#ended !== undefined) throw this.#ended
    if (!this.#place.isHeldBy(this))
      throw new JournalFault('FAILED', 'the journal in memory was lost or closed')
  }

  /** Index of the first batch that ends after `seq`. */
  #indexAfter(seq: Seq): number {
    let low = 0
    let high = this.#place.batches.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (lastSeqOf(this.#place.batches[middle] as Batch) > seq) high = middle
      else low = middle + 1
    }
    return low
  }
}
