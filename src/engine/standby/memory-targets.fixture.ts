/**
 * The two homes of a journal, in memory, as destinations of a move. Everything that the drivers do in one
 * commit is one step in memory too.
 */
import type { MemoryPlace } from '../../../sim/memory/journal.ts'
import type { MemoryTablePlace } from '../../../sim/memory/leadership-table.ts'
import type { Seq } from '../../units/quantities.ts'
import { RECEIVING_EPOCH } from '../leadership/leadership-table.ts'
import { quarantinedIn } from '../leadership/table-reader.ts'
import {
  type Batch,
  EMPTY_TAIL,
  endOf,
  JournalFault,
  lastSeqOf,
  type Quarantined,
  requireNext,
} from '../port/journal.ts'
import { upToBytes } from '../writer/recent-batches.ts'
import { isElsewhere, type JournalHome } from '../writer/seal.ts'
import type { MoveTarget } from './move.ts'

/** A data directory: a journal, and whether it is still being moved there. */
export type MemoryDirectory = { readonly place: MemoryPlace; isIncoming: boolean }

abstract class MemoryTarget implements MoveTarget {
  readonly #batches: Batch[]

  constructor(batches: Batch[]) {
    this.#batches = batches
  }

  get tail() {
    return endOfAll(this.#batches)
  }

  async write(batches: readonly Batch[]) {
    add(this.#batches, batches)
  }

  async read(afterSeq: Seq, maxBytes: number) {
    const first = this.#batches.findIndex((batch) => lastSeqOf(batch) > afterSeq)
    return first < 0 ? [] : upToBytes(this.#batches, first, maxBytes)
  }

  async hashAt(seq: Seq) {
    return this.#batches.find((batch) => lastSeqOf(batch) === seq)?.hash
  }

  async settle() {}

  abstract requireFree(): Promise<void>
  abstract begin(): Promise<void>
  abstract finish(seal: Batch, quarantined: readonly Quarantined[]): Promise<void>
}

export class DirectoryTarget extends MemoryTarget {
  readonly #directory: MemoryDirectory

  constructor(directory: MemoryDirectory) {
    super(directory.place.batches)
    this.#directory = directory
  }

  async requireFree() {
    if (!this.#directory.isIncoming) requireFree(this.#directory.place.batches, 'DIRECTORY')
  }

  async begin() {
    await this.requireFree()
    this.#directory.isIncoming = true
  }

  async finish(seal: Batch, entries: readonly Quarantined[]) {
    const { batches, quarantined } = this.#directory.place
    add(batches, [seal])
    for (const entry of entries)
      if (!quarantined.some(({ seq }) => seq === entry.seq)) quarantined.push(entry)
    this.#directory.isIncoming = false
  }
}

export class ClusterTarget extends MemoryTarget {
  readonly #place: MemoryTablePlace

  constructor(place: MemoryTablePlace) {
    super(place.rows)
    this.#place = place
  }

  async requireFree() {
    if (this.#place.leader.epoch !== RECEIVING_EPOCH) requireFree(this.#place.rows, 'CLUSTER')
  }

  async begin() {
    await this.requireFree()
    this.#place.leader = { epoch: RECEIVING_EPOCH, name: 'a move', heardAt: undefined }
  }

  async finish(seal: Batch) {
    add(this.#place.rows, [seal])
    this.#place.leader = { epoch: seal.epoch, name: '', heardAt: undefined }
  }
}

/** A cluster that was sealed, so that it can only be read. */
export class SealedCluster extends ClusterTarget {
  readonly #rows: readonly Batch[]

  constructor(place: MemoryTablePlace) {
    super(place)
    this.#rows = place.rows
  }

  async quarantined() {
    return quarantinedIn(this.#rows)
  }

  append(): Promise<void> {
    return Promise.reject(new JournalFault('SEALED', 'it is sealed'))
  }
}

function endOfAll(batches: readonly Batch[]) {
  const last = batches.at(-1)
  return last === undefined ? EMPTY_TAIL : endOf(last)
}

function add(batches: Batch[], more: readonly Batch[]): void {
  for (const batch of more) {
    requireNext(batch, endOfAll(batches))
    batches.push(batch)
  }
}

function requireFree(batches: readonly Batch[], home: JournalHome): void {
  const last = batches.at(-1)
  if (last === undefined || isElsewhere(last, home)) return
  throw new JournalFault('IN_USE', 'an exchange is there')
}
