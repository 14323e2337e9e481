/**
 * The journal in PostgreSQL: one row and one commit for each batch, by the one who leads. When `append` resolves, the batch is
 * on as many disks as the operator has declared. Whatever else an insertion ends with leaves its outcome unknown: then the
 * journal takes no more, and only a claim at the doubtful position tells (docs/cluster.md#in-doubt).
 */
import { batchValues } from '../../engine/batch-row.ts'
import {
  type Batch,
  type Digest,
  endOf,
  type Journal,
  JournalFault,
  type JournalPosition,
  lastSeqOf,
  type Quarantined,
  requireNext,
  type Tail,
} from '../../engine/journal.ts'
import { quarantineBatch, quarantinedBy } from '../../engine/own-batches.ts'
import type { Seq } from '../../units/quantities.ts'
import { claimAfter, requireRemembered, requireSilence } from './claim.ts'
import { Connection, type ConnectionOptions, PostgresFault, postgresFault, SQLSTATE } from './connection.ts'
import { type Durability, sentenceOf } from './durability.ts'
import { confirmation, examine } from './look.ts'
import { INSERT_TEXT, positionAfter, readFrom, readOwn, readTail } from './rows.ts'
import { requireFormat, SCHEMA } from './schema.ts'

export type PostgresJournalOptions = {
  readonly connection: ConnectionOptions
  readonly durability: Durability
  readonly digest: Digest
  /** Who claims, for people. */
  readonly name: string
  /** `CLAIM_NONCE_BYTES` random bytes, new for each claim. */
  readonly nonce: () => Uint8Array
  /** A leader that was heard of less long ago is not deposed. */
  readonly silenceMs: number
  /** How often this leader is heard of; well below everybody's `silenceMs`. */
  readonly heartbeatMs: number
  /** The highest end of the journal that anybody remembers; undefined: nobody does. */
  readonly remembered?: JournalPosition
}

/** A batch of which nobody knows whether it counts, and the end of the journal before it. */
export type Doubt = { readonly before: Tail; readonly batch: Batch }

const INSERT = { name: 'append', text: INSERT_TEXT }
const HEARTBEAT = {
  name: 'heartbeat',
  text: `UPDATE ${SCHEMA}.leader SET beat_at = clock_timestamp() WHERE epoch = $1`,
}

export class PostgresJournal implements Journal {
  readonly #connection: Connection
  readonly #options: PostgresJournalOptions
  readonly #epoch: number
  readonly #quarantined: Quarantined[]
  readonly #heartbeat: ReturnType<typeof setInterval>
  #tail: Tail
  /** One statement after another: a timeout counts from when a statement is sent. */
  #turn: Promise<unknown> = Promise.resolve()
  #failure: JournalFault | undefined
  #doubt: Doubt | undefined

  private constructor(
    connection: Connection,
    options: PostgresJournalOptions,
    claim: Batch,
    quarantined: readonly Quarantined[],
  ) {
    this.#connection = connection
    this.#options = options
    this.#epoch = claim.epoch
    this.#tail = endOf(claim)
    this.#quarantined = [...quarantined]
    this.#heartbeat = setInterval(() => void this.#beat(), options.heartbeatMs)
    this.#heartbeat.unref()
  }

  /**
   * Claims the journal and opens it. Throws `JournalFault`: `IN_USE` where somebody leads, `WITNESS` where it lacks what is
   * remembered, `UNSUPPORTED` where the database is not what was declared, `FAILED`.
   */
  static async open(options: PostgresJournalOptions): Promise<PostgresJournal> {
    return connected(options, async (connection) => {
      await requireSilence(connection, options.silenceMs)
      const known = await readTail(connection)
      const { journal } = await PostgresJournal.#claim(connection, options, known)
      return journal
    })
  }

  /**
   * The same after a doubt of this process's own: claims the doubtful position itself, and tells whether the batch counts. It
   * asks for no silence, since it was this process that led. Throws as `open` does.
   */
  static async resolve(
    options: PostgresJournalOptions,
    { before, batch }: Doubt,
  ): Promise<{ readonly journal: PostgresJournal; readonly isStored: boolean }> {
    return connected(options, async (connection) => {
      const { journal, met } = await PostgresJournal.#claim(connection, options, before, batch)
      return { journal, isStored: met.length > 0 }
    })
  }

  static async #claim(
    connection: Connection,
    options: PostgresJournalOptions,
    known: Tail,
    expected?: Batch,
  ) {
    const { digest, durability, name, connection: where } = options
    const claiming = {
      digest,
      durability,
      claim: { name, nonce: options.nonce() },
      timeoutMs: where.timeoutMs,
    }
    const found = await claimAfter(connection, known, claiming, expected)
    const own = await readOwn(connection)
    const quarantined = own.filter(({ kind }) => kind === 'QUARANTINE').map(quarantinedBy)
    return { journal: new PostgresJournal(connection, options, found.claim, quarantined), met: found.met }
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

  async read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    return this.#exclusively(async () => {
      const first = await positionAfter(this.#connection, afterSeq, this.#tail)
      const batches = await readFrom(this.#connection, first, this.#tail.position, maxBytes)
      requireRising(batches, afterSeq)
      return batches
    })
  }

  async hashAt(seq: Seq): Promise<Uint8Array | undefined> {
    if (seq < 1 || seq > this.#tail.seq) return undefined
    const [batch] = await this.read((seq - 1) as Seq, 0)
    return batch !== undefined && lastSeqOf(batch) === seq ? batch.hash : undefined
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

  /** Says that nobody leads any more, so that nobody needs to wait for silence. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    await this.#turn
    if (this.#failure === undefined) {
      const text = `UPDATE ${SCHEMA}.leader SET beat_at = NULL WHERE epoch = $1`
      // Unsaid, it is only a wait for whoever comes next.
      await this.#connection.run({ text }, [this.#epoch]).catch(() => {})
      this.#failure = new JournalFault('FAILED', 'the journal is closed')
    }
    await this.#connection.close()
  }

  async #append(batch: Batch): Promise<void> {
    requireNext(batch, this.#tail)
    const what = `cannot append commands ${batch.firstSeq} to ${lastSeqOf(batch)} at position ${batch.position}`
    let problem: string | undefined
    try {
      const { notices } = await this.#connection.run(INSERT, batchValues(batch))
      const { durability, connection } = this.#options
      problem = notices[0] ?? (await confirmation(this.#connection, durability, connection.timeoutMs))
    } catch (cause) {
      const fault = postgresFault(cause, what)
      // The statement was refused while it ran, long before its commit: the database itself goes on.
      if (fault.kind === 'STORAGE_FULL') throw fault
      const isTaken = cause instanceof PostgresFault && cause.code === SQLSTATE.DUPLICATE_KEY
      this.#doubt = { before: this.#tail, batch }
      throw this.#fail(isTaken ? `${what}: another has taken it, and leads` : fault.message, fault)
    }
    if (problem !== undefined) {
      this.#doubt = { before: this.#tail, batch }
      throw this.#fail(`${what}: whether it counts is not known: ${problem}`)
    }
    this.#tail = endOf(batch)
  }

  async #beat(): Promise<void> {
    await this.#exclusively(async () => {
      const { count } = await this.#connection.run(HEARTBEAT, [this.#epoch])
      if (count === 0) this.#fail(`epoch ${this.#epoch} is over: another leads`)
    }).catch((cause) => {
      this.#fail(postgresFault(cause, 'cannot be heard of as the leader').message, cause)
    })
  }

  /** Nothing more is taken from here on, and nothing that is under way can be answered by mistake. */
  #fail(message: string, cause?: unknown): JournalFault {
    this.#failure ??= new JournalFault('FAILED', message, { cause })
    clearInterval(this.#heartbeat)
    this.#connection.destroy()
    return this.#failure
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

/** Where a key is damaged, reading could go round in circles. */
function requireRising(batches: readonly Batch[], afterSeq: Seq): void {
  let after = afterSeq
  for (const batch of batches) {
    if (lastSeqOf(batch) <= after) {
      const found = `position ${batch.position} ends at ${lastSeqOf(batch)}`
      throw new JournalFault('DAMAGED', `expected a batch behind command ${after}; ${found}`)
    }
    after = lastSeqOf(batch)
  }
}

/** Connects, looks whether the database is what was declared and has what is remembered, and does `work`. */
async function connected<T>(
  options: PostgresJournalOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let connection: Connection | undefined
  try {
    connection = await Connection.open(options.connection)
    await requireFormat(connection)
    const findings = await examine(connection, options.durability)
    const wrong = findings.filter(({ severity }) => severity !== 'WEAKENS')
    if (wrong.length > 0) throw new JournalFault('UNSUPPORTED', wrong.map(sentenceOf).join('; '))
    await requireRemembered(connection, options.remembered)
    return await work(connection)
  } catch (cause) {
    connection?.destroy()
    throw postgresFault(cause, 'cannot open the journal')
  }
}
