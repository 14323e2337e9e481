/**
 * The journal of a cluster: one row and one commit for each batch, by the one who leads. When `append` resolves, the batch is
 * on as many disks as the operator has declared. Whatever else an insertion ends with leaves its outcome unknown: then the
 * journal takes no more, and only a claim at the doubtful position tells (docs/cluster.md#in-doubt).
 */
import type { Seq } from '../../units/quantities.ts'
import {
  type Batch,
  type Digest,
  endOf,
  type Journal,
  JournalFault,
  type JournalPosition,
  lastSeqOf,
  type Quarantined,
  type RememberedPlace,
  requireNext,
  type Tail,
} from '../port/journal.ts'
import type { Scheduler } from '../writer/loop.ts'
import { quarantineBatch } from '../writer/own-batches.ts'
import { sealedBy } from '../writer/seal.ts'
import { claimAfter, requirePresented, requireRemembered, requireSilence, requireUnsealed } from './claim.ts'
import { faultWhile, type LeadershipTable, type OpenTable } from './leadership-table.ts'
import { givenUpBy, type OperatorClaim, operatorClaimOf } from './operator-claims.ts'
import { hashAt, quarantinedIn, readAfter } from './table-reader.ts'

export type ClaimedJournalOptions = {
  readonly openTable: OpenTable
  readonly digest: Digest
  readonly scheduler: Pick<Scheduler, 'later'>
  /** Who claims, for people. */
  readonly name: string
  /** `CLAIM_NONCE_BYTES` random bytes, new for each claim. */
  readonly nonce: () => Uint8Array
  /** A leader that was heard of less long ago is not deposed. */
  readonly silenceMs: number
  /** How often this leader is heard of; well below everybody's `silenceMs`. */
  readonly heartbeatMs: number
  /** The highest end of the journal that whoever claims remembers; undefined: it remembers none. */
  readonly remembered?: JournalPosition | undefined
  /** The highest one that others have presented; of another journal, or given up by an operator since, it counts for nothing. */
  readonly presented?: RememberedPlace | undefined
  /** Told once when the journal takes no more without having been closed; undefined: whoever calls it next learns of it. */
  readonly onFailed?: ((fault: JournalFault) => void) | undefined
}

/** A batch of which nobody knows whether it counts, and the end of the journal before it. */
export type Doubt = { readonly before: Tail; readonly batch: Batch }

export class ClaimedJournal implements Journal {
  readonly #table: LeadershipTable
  readonly #options: ClaimedJournalOptions
  readonly #epoch: number
  readonly #quarantined: Quarantined[]
  /** The claims by which operators have mended the journal. */
  readonly #operatorClaims: readonly Batch[]
  #tail: Tail
  /** One statement after another: a timeout counts from when a statement is sent. */
  #turn: Promise<unknown> = Promise.resolve()
  #failure: JournalFault | undefined
  #doubt: Doubt | undefined
  /** Why it takes no more although nothing has failed; undefined: it does. */
  #sealed: JournalFault | undefined
  #cancelBeat: () => void = () => {}
  #isClosing = false

  private constructor(
    table: LeadershipTable,
    options: ClaimedJournalOptions,
    claim: Batch,
    own: readonly Batch[],
  ) {
    this.#table = table
    this.#options = options
    this.#epoch = claim.epoch
    this.#tail = endOf(claim)
    this.#quarantined = [...quarantinedIn(own)]
    this.#operatorClaims = own.filter((batch) => operatorClaimOf(batch) !== undefined)
    this.#beatLater()
  }

  /**
   * Claims the journal and opens it. Throws `JournalFault`: `IN_USE` where somebody leads, `WITNESS` where it lacks what is
   * remembered, `SEALED` where the exchange goes on elsewhere, `UNSUPPORTED` where the database is not what was declared, `FAILED`.
   */
  static async open(options: ClaimedJournalOptions): Promise<ClaimedJournal> {
    return connected(options, async (table) => {
      await requireSilence(table, options.silenceMs)
      const known = await table.readTail()
      await requireUnsealed(table, known)
      const { journal } = await ClaimedJournal.#claim(table, options, known)
      return journal
    })
  }

  /**
   * The same after a doubt of this process's own: claims the doubtful position itself, and tells whether the batch counts. It
   * asks for no silence, since it was this process that led. Throws as `open` does.
   */
  static async resolve(
    options: ClaimedJournalOptions,
    { before, batch }: Doubt,
  ): Promise<{ readonly journal: ClaimedJournal; readonly isStored: boolean }> {
    return connected(options, async (table) => {
      // What this process knows to be confirmed it remembers as well as any witness.
      await requireRemembered(table, before)
      const { journal, met } = await ClaimedJournal.#claim(table, options, before, batch)
      return { journal, isStored: met.length > 0 }
    })
  }

  static async #claim(table: LeadershipTable, options: ClaimedJournalOptions, known: Tail, expected?: Batch) {
    const { digest, name } = options
    const claim = { name, nonce: options.nonce() }
    const found = await claimAfter(table, known, { digest, claim }, expected)
    const own = await table.readOwn()
    return { journal: new ClaimedJournal(table, options, found.claim, own), met: found.met }
  }

  get tail(): Tail {
    return this.#tail
  }

  /** The batch of which the outcome is unknown, where that has ended this journal. */
  get doubt(): Doubt | undefined {
    return this.#doubt
  }

  append(batch: Batch): Promise<void> {
    return this.#exclusively(() => this.#append(batch))
  }

  /**
   * Resolves when it is certain that nobody else led when this was asked: a heartbeat of this epoch is confirmed since. Rejects with
   * `FAILED` otherwise, and then the journal takes no more.
   */
  confirmLead(): Promise<void> {
    return this.#exclusively(async () => {
      await this.#heartbeat((notices) => notices[0])
      const what = 'whether it still leads is not known'
      const problem = await this.#table.confirm().catch((cause: JournalFault) => {
        throw this.#fail(`${what}: ${cause.message}`, cause)
      })
      if (problem !== undefined) throw this.#fail(`${what}: ${problem}`)
    })
  }

  async read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    return this.#reading(() => readAfter(this.#table, afterSeq, this.#tail, maxBytes))
  }

  async hashAt(seq: Seq): Promise<Uint8Array | undefined> {
    return this.#reading(() => hashAt(this.#table, seq, this.#tail))
  }

  /** By what an operator has given up a place that this journal has not; undefined: nobody has. */
  givenUp(remembered: JournalPosition): OperatorClaim | undefined {
    return givenUpBy(this.#operatorClaims, remembered)
  }

  /** The hash of the batch at `position`; undefined: this journal has none there. Rejects as `hashAt` does. */
  async hashAtPosition(position: number): Promise<Uint8Array | undefined> {
    if (position < 1 || position > this.#tail.position) return undefined
    return this.#reading(async () => (await this.#table.readAt(position))?.hash)
  }

  async quarantined(): Promise<readonly Quarantined[]> {
    return [...this.#quarantined]
  }

  quarantine(entry: Quarantined): Promise<void> {
    return this.#exclusively(async () => {
      await this.#append(quarantineBatch(this.#options.digest, this.#tail, entry))
      this.#quarantined.push(entry)
    })
  }

  /** The database does its housekeeping by itself. */
  async maintain(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Takes no more from here on: somebody else was seen to lead. Nothing happens where it takes none anyway. */
  depose(why: string): void {
    if (!this.#isClosing) this.#fail(why)
  }

  /** Takes no more from here on, as `depose` does, and then says that nobody leads any more. Never rejects. */
  async giveUp(why: string): Promise<void> {
    if (this.#failure !== undefined || this.#isClosing) return
    this.#refuse(new JournalFault('FAILED', why))
    await this.#turn
    await this.#table.resign(this.#epoch).catch(() => {})
    await this.#table.close()
  }

  /** Says that nobody leads any more, so that nobody needs to wait for silence. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#cancelBeat()
    await this.#turn
    if (this.#failure === undefined) {
      // Unsaid, it is only a wait for whoever comes next.
      await this.#table.resign(this.#epoch).catch(() => {})
      this.#failure = new JournalFault('FAILED', 'the journal is closed')
    }
    await this.#table.close()
  }

  #reading<T>(read: () => Promise<T>): Promise<T> {
    return this.#exclusively(async () => {
      try {
        return await read()
      } catch (cause) {
        // What is damaged stays so; a connection that is lost is of no use for anything else either.
        if (cause instanceof JournalFault && cause.kind === 'FAILED') throw this.#fail(cause.message, cause)
        throw cause
      }
    })
  }

  async #append(batch: Batch): Promise<void> {
    if (this.#sealed !== undefined) throw this.#sealed
    requireNext(batch, this.#tail)
    const what = `cannot append commands ${batch.firstSeq} to ${lastSeqOf(batch)} at position ${batch.position}`
    const insertion = await this.#table.insert(batch)
    switch (insertion.kind) {
      case 'STORED':
        await this.#requireConfirmed(batch, what, insertion.notices[0])
        this.#tail = endOf(batch)
        if (batch.kind === 'SEAL') this.#sealed = sealedBy(batch)
        return
      case 'FULL':
        // The statement was refused while it ran, long before its commit: the database itself goes on.
        throw faultWhile(what, insertion.fault)
      case 'TAKEN':
        throw this.#inDoubt(batch, `${what}: another has taken it, and leads`, insertion.fault)
      case 'UNKNOWN':
        throw this.#inDoubt(batch, `${what}: ${insertion.fault.message}`, insertion.fault)
    }
  }

  async #requireConfirmed(batch: Batch, what: string, notice: string | undefined): Promise<void> {
    let problem = notice
    try {
      problem ??= await this.#table.confirm()
    } catch (cause) {
      throw this.#inDoubt(batch, `${what}: ${(cause as JournalFault).message}`, cause)
    }
    if (problem !== undefined)
      throw this.#inDoubt(batch, `${what}: whether it counts is not known: ${problem}`)
  }

  #inDoubt(batch: Batch, message: string, cause?: unknown): JournalFault {
    this.#doubt = { before: this.#tail, batch }
    return this.#fail(message, cause)
  }

  #beatLater(): void {
    const { scheduler, heartbeatMs } = this.#options
    this.#cancelBeat = scheduler.later(() => {
      const beaten = this.#exclusively(() => this.#heartbeat(() => undefined))
      void beaten.then(
        () => {
          if (!this.#isClosing) this.#beatLater()
        },
        () => {},
      )
    }, heartbeatMs)
  }

  /** Is heard of as the leader; `problemOf` says what of the notices is one. */
  async #heartbeat(problemOf: (notices: readonly string[]) => string | undefined): Promise<void> {
    const beat = await this.#table.heartbeat(this.#epoch).catch((cause: JournalFault) => {
      throw this.#fail(`cannot be heard of as the leader: ${cause.message}`, cause)
    })
    if (!beat.isMine) throw this.#fail(`epoch ${this.#epoch} is over: another leads`)
    const problem = problemOf(beat.notices)
    if (problem !== undefined) throw this.#fail(`whether it still leads is not known: ${problem}`)
  }

  /** Nothing more is taken from here on, and nothing that is under way can be answered by mistake. */
  #fail(message: string, cause?: unknown): JournalFault {
    if (this.#failure !== undefined) return this.#failure
    const fault = new JournalFault('FAILED', message, { cause })
    this.#table.cut()
    this.#refuse(fault)
    return fault
  }

  #refuse(fault: JournalFault): void {
    this.#failure = fault
    this.#cancelBeat()
    this.#options.onFailed?.(fault)
  }

  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#turn
    const done = before.then(() => {
      if (this.#failure !== undefined) throw this.#failure
      return work()
    })
    this.#turn = done.catch(() => {})
    return done
  }
}

/** Opens the table, looks whether it has what is remembered, and does `work`; a connection that did not end well is cut. */
async function connected<T>(
  { openTable, remembered, presented }: ClaimedJournalOptions,
  work: (table: LeadershipTable) => Promise<T>,
): Promise<T> {
  let table: LeadershipTable | undefined
  try {
    table = await openTable()
    await requireRemembered(table, remembered)
    await requirePresented(table, presented)
    return await work(table)
  } catch (cause) {
    table?.cut()
    if (cause instanceof JournalFault) throw faultWhile('cannot open the journal', cause)
    throw cause
  }
}
