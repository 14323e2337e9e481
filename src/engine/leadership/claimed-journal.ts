/**
 * The journal of a cluster: one row and one commit for each batch, written by the leader. When `append`
 * resolves, the batch is on as many disks as the operator declared. Any other end of an insertion leaves its
 * outcome unknown: then the journal accepts nothing more, and only a claim at the doubtful position
 * determines it (docs/cluster-guarantees.md#in-doubt).
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
import type { Floor } from '../writer/recovery/rules-floor.ts'
import { sealedBy } from '../writer/seal.ts'
import {
  claimAfter,
  requireFloor,
  requireLeaderTimeout,
  requirePresented,
  requireRemembered,
  requireUnsealed,
} from './claim.ts'
import { faultWhile, type LeadershipTable, type OpenTable } from './leadership-table.ts'
import { givenUpBy, type OperatorClaim, operatorClaimOf } from './operator-claims.ts'
import { hashAt, quarantinedIn, readAfter } from './table-reader.ts'

export type ClaimedJournalOptions = {
  readonly openTable: OpenTable
  readonly digest: Digest
  readonly scheduler: Pick<Scheduler, 'later'>
  /** The claimant's name, for people. */
  readonly name: string
  /** `CLAIM_NONCE_BYTES` random bytes, new for each claim. */
  readonly nonce: () => Uint8Array
  /** A leader whose last heartbeat is more recent than this is not deposed. */
  readonly silenceMs: number
  /** Interval of this leader's heartbeats; well below every engine's `silenceMs`. */
  readonly heartbeatMs: number
  /** The highest end of the journal that the claimant has seen; undefined if there is none. */
  readonly remembered?: JournalPosition | undefined
  /**
   * The highest position that others have presented. It does not count if it belongs to another journal, or
   * if an operator has given it up since.
   */
  readonly presented?: RememberedPlace | undefined
  /**
   * The factory of the machines that replay the journal; if undefined, the journal may begin with any
   * command.
   */
  readonly machines?: Floor | undefined
  /**
   * Called once when the journal accepts nothing more without having been closed. If undefined, the next
   * caller gets the fault.
   */
  readonly onFailed?: ((fault: JournalFault) => void) | undefined
}

/** A batch in doubt, and the end of the journal before it. */
export type Doubt = { readonly before: Tail; readonly batch: Batch }

export class ClaimedJournal implements Journal {
  readonly #table: LeadershipTable
  readonly #options: ClaimedJournalOptions
  readonly #epoch: number
  readonly #quarantined: Quarantined[]
  /** The claims by which operators repaired the journal. */
  readonly #operatorClaims: readonly Batch[]
  #tail: Tail
  /** One statement after another: a timeout counts from when a statement is sent. */
  #turn: Promise<unknown> = Promise.resolve()
  #failure: JournalFault | undefined
  #doubt: Doubt | undefined
  /**
   * The reason why the journal accepts nothing more although nothing has failed; undefined if it does accept
   * batches.
   */
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
   * Claims the journal and opens it. Throws `JournalFault`: `IN_USE` if another engine leads, `WITNESS` if a
   * position that was seen is missing, `SEALED` if the exchange continues elsewhere, `UNSUPPORTED` if the
   * database does not match its declaration, `FAILED`.
   */
  static async open(options: ClaimedJournalOptions): Promise<ClaimedJournal> {
    return connected(options, async (table) => {
      await requireLeaderTimeout(table, options.silenceMs)
      const known = await table.readTail()
      await requireUnsealed(table, known)
      await requireFloor(table, options.machines ?? {})
      const { journal } = await ClaimedJournal.#claim(table, options, known)
      return journal
    })
  }

  /**
   * Reopens the journal after a doubt of this process: claims the position in doubt itself, and finds out
   * whether the batch counts. It waits for no leader timeout, since this process led. Throws like `open`.
   */
  static async resolve(
    options: ClaimedJournalOptions,
    { before, batch }: Doubt,
  ): Promise<{ readonly journal: ClaimedJournal; readonly isStored: boolean }> {
    return connected(options, async (table) => {
      // Positions confirmed to this process are as reliable as any witness.
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

  /** The batch with an unknown outcome, if such a batch ended this journal. */
  get doubt(): Doubt | undefined {
    return this.#doubt
  }

  append(batch: Batch): Promise<void> {
    return this.#exclusively(() => this.#append(batch))
  }

  /**
   * Resolves when it is certain that no other engine led at the time of the call: a heartbeat of this epoch
   * was confirmed after it. Rejects with `FAILED` otherwise, and then the journal accepts nothing more.
   */
  confirmLead(): Promise<void> {
    return this.#exclusively(async () => {
      await this.#heartbeat((notices) => notices[0])
      const what = 'it is not known whether this engine still leads'
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

  /** The operator's claim that gave up a position which this journal lacks; undefined if there is none. */
  givenUp(remembered: JournalPosition): OperatorClaim | undefined {
    return givenUpBy(this.#operatorClaims, remembered)
  }

  /**
   * The hash of the batch at `position`; undefined if this journal has no batch there. Rejects like `hashAt`.
   */
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

  /** The database does its own housekeeping. */
  async maintain(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
  }

  /**
   * Accepts nothing more from now on: another leader was seen. Does nothing if the journal already accepts
   * nothing.
   */
  depose(why: string): void {
    if (!this.#isClosing) this.#fail(why)
  }

  /**
   * Accepts nothing more from now on, like `depose`, and then records that no engine leads. Never rejects.
   */
  async giveUp(why: string): Promise<void> {
    if (this.#failure !== undefined || this.#isClosing) return
    this.#refuse(new JournalFault('FAILED', why))
    await this.#turn
    await this.#table.resign(this.#epoch).catch(() => {})
    await this.#table.close()
  }

  /** Records that no engine leads, so that others need not wait for the leader timeout. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#cancelBeat()
    await this.#turn
    if (this.#failure === undefined) {
      // If this fails, the next leader only has to wait.
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
        // Damage is permanent and concerns only reads; a lost connection is useless for anything else too.
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
        // The statement was refused while it ran, long before its commit: the database itself continues.
        throw faultWhile(what, insertion.fault)
      case 'TAKEN':
        throw this.#inDoubt(batch, `${what}: another engine has taken it, and leads`, insertion.fault)
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
      throw this.#inDoubt(batch, `${what}: it is not known whether the batch counts: ${problem}`)
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

  /** Sends the leader's heartbeat; `problemOf` finds a problem in the notices. */
  async #heartbeat(problemOf: (notices: readonly string[]) => string | undefined): Promise<void> {
    const beat = await this.#table.heartbeat(this.#epoch).catch((cause: JournalFault) => {
      throw this.#fail(`cannot renew the lead: ${cause.message}`, cause)
    })
    if (!beat.isMine) throw this.#fail(`epoch ${this.#epoch} is over: another engine leads`)
    const problem = problemOf(beat.notices)
    if (problem !== undefined) throw this.#fail(`it is not known whether this engine still leads: ${problem}`)
  }

  /** Nothing more is accepted from now on, and nothing in progress can be answered by mistake. */
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

/**
 * Opens the table, checks that it has the remembered position, and does `work`; a connection that did not end
 * well is cut.
 */
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
