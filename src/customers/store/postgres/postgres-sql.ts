/**
 * A schema in PostgreSQL as the database of a store. A thread of its own has the connection, and this one
 * waits for each answer: docs/internals/customers-store.md#why-the-store-is-synchronous.
 */
import { Afterwards } from '../afterwards.ts'
import { type Sql, type SqlValue, StoreAwayFault, StoreFault } from '../sql.ts'
import { TABLES_CHANGED } from './connection-thread.ts'
import type { Outcome } from './messages.ts'
import { type StartThread, WaitingThread } from './waiting-thread.ts'

export type PostgresSqlOptions = {
  readonly start: StartThread
  /** The longest time for one statement; the connection thread enforces it. */
  readonly timeoutMs: number
  /** A random whole number below the given one. */
  readonly randomBelow: (limit: number) => number
  /** The table whose deleted rows `scrub` overwrites; this role owns it. */
  readonly scrubbed?: string
}

/**
 * Another transaction has changed data that this one has read, or the tables have changed: repeated, this
 * transaction may succeed.
 */
class ConflictFault extends StoreAwayFault {
  override readonly name = 'ConflictFault'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Maximum number of attempts at a transaction. */
const TRIES_MAX = 10
/** From this attempt on, transactions that are repeated run one after the other. */
const LOCKED_FROM = 3
/** Maximum number of attempts that end because the same row already exists. */
const DUPLICATES_MAX = 2
/** The lock of this program: any number that no other program of the database uses. */
const LOCK = 4_252_535
/** Maximum pause before a repeat, multiplied by the number of attempts. */
const PAUSE_MS_MAX = 5

const SERIALIZATION = '40001'
const DEADLOCK = '40P01'
/** Two transactions have added the same row, after both had found that it did not exist. */
const DUPLICATE = '23505'
/**
 * Classes and codes with which the server reports that it cannot serve now: no room, a statement that took
 * too long, a stop by its operator, a disk fault, an internal error, a standby.
 */
const UNABLE = ['53', '55', '57', '58', 'XX', '25006', '25P']

type Transaction = {
  isOpen: boolean
  /** The error of a statement: nothing of the transaction may remain, even if the work ignores the error. */
  fault: StoreFault | undefined
}

export class PostgresSql implements Sql {
  readonly #options: PostgresSqlOptions
  readonly #thread: WaitingThread
  /** By the statement and the positions of its numbers. */
  readonly #textByKey = new Map<string, string>()
  #transaction: Transaction | undefined
  readonly #afterwards = new Afterwards()
  /** An array that nothing changes, to wait on. */
  readonly #pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

  private constructor(options: PostgresSqlOptions) {
    this.#options = options
    // A request has at most two statements; a thread that keeps its time limits has answered by then.
    this.#thread = new WaitingThread(options.start, 2 * options.timeoutMs + 1_000)
  }

  /** Connects. Throws `StoreAwayFault`. */
  static open(options: PostgresSqlOptions): PostgresSql {
    const sql = new PostgresSql(options)
    const outcome = sql.#thread.ask({ kind: 'OPEN' })
    if (outcome.kind === 'ROWS') return sql
    sql.#thread.end()
    throw faultOf(outcome)
  }

  get<Row>(text: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#run(text, values).rows[0] as Row | undefined
  }

  all<Row>(text: string, ...values: readonly SqlValue[]): readonly Row[] {
    return this.#run(text, values).rows as readonly Row[]
  }

  run(text: string, ...values: readonly SqlValue[]): number {
    return this.#run(text, values).count
  }

  /**
   * A serializable transaction, which is repeated if it conflicted with another one. Throws `StoreAwayFault`,
   * also if the outcome is unknown: if the connection is lost while the end is being confirmed, the change
   * may be stored.
   */
  atOnce<Result>(work: () => Result): Result {
    const outer = this.#transaction
    if (outer !== undefined) return this.#afterwards.during(() => this.#within(outer, work))
    return this.#repeated(() => this.#afterwards.during(() => this.#once(work)))
  }

  afterwards(effect: () => void): void {
    this.#afterwards.add(effect)
  }

  /**
   * `VACUUM FULL` writes the table into a new file; `VACUUM` would leave the bytes of deleted rows in the old
   * one.
   */
  scrub(): void {
    const { scrubbed } = this.#options
    if (scrubbed !== undefined) this.#run(`VACUUM (FULL) ${scrubbed}`, [])
  }

  close(): void {
    this.#thread.close()
  }

  #run(text: string, values: readonly SqlValue[]) {
    const transaction = this.#transaction
    return transaction === undefined
      ? this.#repeated(() => this.#ask('NONE', text, values))
      : this.#part(transaction, () => this.#statement(transaction, text, values))
  }

  #statement(transaction: Transaction, text: string, values: readonly SqlValue[]) {
    if (transaction.fault !== undefined) throw transaction.fault
    const place = transaction.isOpen ? 'WITHIN' : 'BEGIN'
    transaction.isOpen = true
    return this.#ask(place, text, values)
  }

  #within<Result>(transaction: Transaction, work: () => Result): Result {
    return this.#part(transaction, work)
  }

  /** An error in a part of a transaction undoes all of it. */
  #part<Result>(transaction: Transaction, work: () => Result): Result {
    try {
      return work()
    } catch (cause) {
      transaction.fault ??= cause instanceof StoreFault ? cause : undefined
      throw cause
    }
  }

  #once<Result>(work: () => Result): Result {
    const transaction: Transaction = { isOpen: false, fault: undefined }
    this.#transaction = transaction
    try {
      const result = work()
      if (transaction.fault !== undefined) throw transaction.fault
      if (!transaction.isOpen) return result
      transaction.isOpen = false
      this.#ask('WITHIN', 'COMMIT', [])
      return result
    } catch (cause) {
      if (transaction.isOpen) this.#thread.ask(statement('WITHIN', 'ROLLBACK', []))
      throw transaction.fault ?? cause
    } finally {
      this.#transaction = undefined
    }
  }

  #repeated<Result>(work: () => Result): Result {
    let duplicates = 0
    for (let tries = 1; ; tries++) {
      const isLocked = tries >= LOCKED_FROM && this.#lock()
      try {
        return work()
      } catch (cause) {
        if (!(cause instanceof ConflictFault) || tries === TRIES_MAX) throw cause
        // A conflict with a row that really exists occurs again with each repeat.
        if (cause.code === DUPLICATE && ++duplicates > DUPLICATES_MAX)
          throw new StoreFault(cause.message, { cause })
      } finally {
        if (isLocked) this.#thread.ask(statement('NONE', 'SELECT pg_advisory_unlock($1)', [LOCK]))
      }
      Atomics.wait(this.#pause, 0, 0, this.#options.randomBelow(PAUSE_MS_MAX * tries))
    }
  }

  /**
   * Lets only one of the processes that repeat a transaction run at a time; false if the lock was not free in
   * time.
   */
  #lock(): boolean {
    return this.#thread.ask(statement('NONE', 'SELECT pg_advisory_lock($1)', [LOCK])).kind === 'ROWS'
  }

  #ask(transaction: 'NONE' | 'BEGIN' | 'WITHIN', text: string, values: readonly SqlValue[]) {
    const outcome = this.#thread.ask(statement(transaction, this.#textOf(text, values), values))
    if (outcome.kind === 'ROWS') return outcome
    throw faultOf(outcome)
  }

  /** Every number has 64 bits: PostgreSQL does not guess the type of a sum of parameters. */
  #textOf(sql: string, values: readonly SqlValue[]): string {
    const types = values.map((value) => (typeof value === 'number' ? '::bigint' : ''))
    const key = `${types.join()} ${sql}`
    const known = this.#textByKey.get(key)
    if (known !== undefined) return known
    let count = 0
    const text = sql.replaceAll(/\?(\d*)/g, (_, digits: string) => {
      const number = digits === '' ? ++count : Number(digits)
      return `$${number}${types[number - 1] ?? ''}`
    })
    this.#textByKey.set(key, text)
    return text
  }
}

function statement(transaction: 'NONE' | 'BEGIN' | 'WITHIN', text: string, values: readonly SqlValue[]) {
  return { kind: 'RUN', transaction, text, values } as const
}

function faultOf(outcome: Exclude<Outcome, { kind: 'ROWS' }>): StoreFault {
  const { message } = outcome
  if (outcome.kind === 'AWAY') return new StoreAwayFault(`the customer database does not answer: ${message}`)
  const { code } = outcome
  if ([SERIALIZATION, DEADLOCK, DUPLICATE, TABLES_CHANGED].includes(code))
    return new ConflictFault(code, `${code}: ${message}`)
  const what = `the customer database: ${code}: ${message}`
  return UNABLE.some((start) => code.startsWith(start)) ? new StoreAwayFault(what) : new StoreFault(what)
}
