/**
 * The table of a cluster's journal in memory: all connections share the place, and each has a table object of
 * its own. Every commit is confirmed at once; nothing outlives the process.
 */

import {
  type ClaimInsertion,
  type Insertion,
  type LeaderHeartbeat,
  type LeaderRow,
  type LeadershipTable,
  RECEIVING_EPOCH,
  receiving,
} from '../../src/engine/leadership/leadership-table.ts'
import {
  type Batch,
  EMPTY_TAIL,
  endOf,
  JournalFault,
  lastSeqOf,
  type Tail,
} from '../../src/engine/port/journal.ts'
import { upToBytes } from '../../src/engine/writer/recent-batches.ts'
import { invariant } from '../../src/units/invariant.ts'
import type { Seq } from '../../src/units/quantities.ts'

/** The database: rows, and the leader. */
export class MemoryTablePlace {
  /** Position 1 first. */
  readonly rows: Batch[] = []
  leader: { epoch: number; name: string; heardAt: number | undefined } = {
    epoch: 0,
    name: '',
    heardAt: undefined,
  }
  readonly #nowMs: () => number

  /** `nowMs` is the database's own clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  get nowMs(): number {
    return this.#nowMs()
  }

  async open(): Promise<MemoryTable> {
    return new MemoryTable(this)
  }
}

export class MemoryTable implements LeadershipTable {
  readonly #place: MemoryTablePlace
  #isCut = false

  constructor(place: MemoryTablePlace) {
    this.#place = place
  }

  async insert(batch: Batch): Promise<Insertion> {
    if (this.#isCut) return { kind: 'UNKNOWN', fault: lost() }
    const { rows } = this.#place
    invariant(
      batch.position <= rows.length + 1,
      () => `expected position ${rows.length + 1} or one before it`,
    )
    if (batch.position <= rows.length) {
      const fault = new JournalFault('FAILED', `position ${batch.position} is taken`)
      return { kind: 'TAKEN', fault }
    }
    rows.push(batch)
    return { kind: 'STORED', notices: [] }
  }

  async insertClaim(claim: Batch, name: string): Promise<ClaimInsertion> {
    const { leader } = this.#place
    if (leader.epoch === RECEIVING_EPOCH) return { kind: 'RECEIVING', fault: receiving(leader.name) }
    const insertion = await this.insert(claim)
    if (insertion.kind === 'STORED') {
      this.#place.leader = { epoch: claim.epoch, name, heardAt: this.#place.nowMs }
    }
    return insertion
  }

  async confirm(): Promise<undefined> {
    this.#requireOpen()
  }

  async readTail(): Promise<Tail> {
    this.#requireOpen()
    const last = this.#place.rows.at(-1)
    return last === undefined ? EMPTY_TAIL : endOf(last)
  }

  async readAt(position: number): Promise<Batch | undefined> {
    this.#requireOpen()
    return this.#place.rows[position - 1]
  }

  async lastSeqAt(position: number): Promise<Seq | undefined> {
    const batch = await this.readAt(position)
    return batch && lastSeqOf(batch)
  }

  async readFrom(first: number, last: number, maxBytes: number): Promise<readonly Batch[]> {
    this.#requireOpen()
    return upToBytes(this.#place.rows.slice(0, last), first - 1, maxBytes)
  }

  async readOwn(): Promise<readonly Batch[]> {
    this.#requireOpen()
    return this.#place.rows.filter(({ kind }) => kind !== 'COMMANDS')
  }

  async leader(): Promise<LeaderRow> {
    this.#requireOpen()
    const { nowMs, leader } = this.#place
    const { epoch, name, heardAt } = leader
    return { epoch, name, heardMsAgo: heardAt === undefined ? undefined : nowMs - heardAt }
  }

  async heartbeat(epoch: number): Promise<LeaderHeartbeat> {
    return { isMine: this.#hear(epoch, this.#place.nowMs), notices: [] }
  }

  async resign(epoch: number): Promise<void> {
    this.#hear(epoch, undefined)
  }

  async close(): Promise<void> {
    this.cut()
  }

  cut(): void {
    this.#isCut = true
  }

  #hear(epoch: number, heardAt: number | undefined): boolean {
    this.#requireOpen()
    const { leader } = this.#place
    if (leader.epoch !== epoch) return false
    leader.heardAt = heardAt
    return true
  }

  #requireOpen(): void {
    if (this.#isCut) throw lost()
  }
}

function lost(): JournalFault {
  return new JournalFault('FAILED', 'the connection to the table is closed')
}
