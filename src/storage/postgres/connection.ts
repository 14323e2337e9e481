/**
 * One connection to PostgreSQL. A connection that was lost, or that did not answer in time, is never used
 * again: its socket is closed, since a late answer would be taken for that of the next statement. The package
 * is loaded with the first connection, so that a node without PostgreSQL does not load it.
 */
import type { Client, QueryResult, types as TypesOfPg } from 'pg'
import { JournalFault, type JournalFaultKind } from '../../engine/port/journal.ts'

/** The address of a database and the credentials. */
export type ConnectionOptions = {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  /** Undefined if the server requires no password. */
  readonly password: string | undefined
  /**
   * Undefined for no TLS. The server's certificate must be valid for `host`, according to `ca` (PEM) or the
   * system's authorities.
   */
  readonly tls: { readonly ca: string | undefined } | undefined
  /**
   * Longest time for connecting, and for each statement, in milliseconds; then the connection is given up.
   */
  readonly timeoutMs: number
}

/** Options of a session besides its address. */
export type SessionOptions = {
  /** Settings of the server for this session. */
  readonly settings?: Readonly<Record<string, string>>
  /** Whether integers are read as numbers, and bytes as `Uint8Array`s with memory of their own. */
  readonly isPlain?: boolean
  /** Called once if the connection is lost, whether or not a statement is in progress. */
  readonly onLost?: (problem: string) => void
}

/** A statement; one with a name is prepared once for the connection. */
export type Statement = { readonly text: string; readonly name?: string }

export type Row = Readonly<Record<string, unknown>>

export type Rows = {
  readonly rows: readonly Row[]
  /** Number of rows that were read, added or changed. */
  readonly count: number
  /** Notices that came with the answer: for a commit, that it may not be replicated. */
  readonly notices: readonly string[]
}

/** PostgreSQL refused the statement, the connection was lost, or PostgreSQL did not answer. */
export class PostgresFault extends Error {
  override readonly name = 'PostgresFault'
  /** SQLSTATE, if the server answered with an error. */
  readonly code: string | undefined

  constructor(message: string, code: string | undefined, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** SQLSTATE codes that the code depends on. */
export const SQLSTATE = { DUPLICATE_KEY: '23505', DISK_FULL: '53100', UNDEFINED_TABLE: '42P01' } as const

/** A row or an index is damaged. */
const DAMAGE = ['XX001', 'XX002']

export class Connection {
  readonly #client: Client
  readonly #where: string
  readonly #onLost: ((problem: string) => void) | undefined
  #notices: string[] = []
  /** The reason why the connection is unusable; undefined while it is usable. */
  #lost: PostgresFault | undefined

  private constructor(client: Client, where: string, onLost: SessionOptions['onLost']) {
    this.#client = client
    this.#where = where
    this.#onLost = onLost
    client.on('notice', ({ code, severity, message }) => {
      this.#notices.push(`${severity ?? 'NOTICE'} ${code ?? ''}: ${message ?? ''}`)
    })
    client.on('error', (cause) => this.#lose(cause))
    client.on('end', () => this.#lose(new Error('it was closed')))
  }

  /** Throws `PostgresFault`, which names the server and never the password. */
  static async open(options: ConnectionOptions, session: SessionOptions = {}): Promise<Connection> {
    const { host, port, database, user, password, tls, timeoutMs } = options
    const { default: pg } = await import('pg')
    const where = `${user}@${host}:${port}/${database}`
    const client = new pg.Client({
      ...{ host, port, database, user },
      // Without a password, the package would search the user's environment and files for one.
      password: () => password ?? '',
      ssl: tls === undefined ? false : { rejectUnauthorized: true, ca: tls.ca },
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
      application_name: 'bourse',
      ...(session.settings && { options: optionsOf(session.settings) }),
      ...(session.isPlain === true && { types: { getTypeParser: plainParser(pg.types) } }),
    })
    const connection = new Connection(client, where, session.onLost)
    try {
      await client.connect()
      return connection
    } catch (cause) {
      connection.destroy()
      throw new PostgresFault(`cannot connect to ${where}: ${messageOf(cause)}`, codeOf(cause), { cause })
    }
  }

  /**
   * The id of this connection's server process, as announced at the start; a pooler announces one of its own.
   */
  get announcedProcess(): number | undefined {
    const { processID } = this.#client as unknown as { readonly processID: number | null }
    return processID ?? undefined
  }

  /**
   * Runs one statement. Throws `PostgresFault`; without a `code`, the outcome of the statement is unknown.
   */
  async run({ text, name }: Statement, values: readonly unknown[] = []): Promise<Rows> {
    if (this.#lost !== undefined) throw this.#lost
    this.#notices = []
    let result: QueryResult<Row>
    try {
      result = await this.#client.query<Row>({ text, values: [...values], ...(name && { name }) })
    } catch (cause) {
      const code = codeOf(cause)
      const fault = new PostgresFault(`${this.#where}: ${messageOf(cause)}`, code, { cause })
      if (code === undefined) this.#lose(fault)
      throw fault
    }
    // A connection lost while the answer was read does not invalidate the answer.
    return { rows: result.rows, count: result.rowCount ?? 0, notices: this.#notices }
  }

  /** Closes the session with the server. */
  async close(): Promise<void> {
    if (this.#lost !== undefined) return
    const ended = this.#client.end().catch(() => {})
    await Promise.race([ended, Bun.sleep(CLOSE_MS)])
    this.destroy()
  }

  /** Cuts the connection at once; a statement in progress may or may not be carried out. */
  destroy(): void {
    this.#lost ??= new PostgresFault(`${this.#where}: the connection is closed`, undefined)
    const { connection } = this.#client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }

  #lose(cause: Error): void {
    if (this.#lost !== undefined) return
    const { message } = cause
    this.#lost =
      cause instanceof PostgresFault
        ? cause
        : new PostgresFault(`${this.#where}: the connection was lost: ${message}`, undefined, { cause })
    this.destroy()
    this.#onLost?.(this.#lost.message)
  }
}

/**
 * The settings in the form that the server reads at the start of a session; neither names nor values have
 * spaces.
 */
function optionsOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/** Types of PostgreSQL, by their numbers in its catalog. */
const INT8 = 20
const BYTEA = 17

function plainParser(types: typeof TypesOfPg): (typeof TypesOfPg)['getTypeParser'] {
  const read = (id: number, format?: 'text' | 'binary') => {
    if (id === INT8) return wholeNumber
    if (id === BYTEA) return (text: string) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex'))
    return types.getTypeParser(id, format as 'text')
  }
  return read as (typeof TypesOfPg)['getTypeParser']
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number
  throw new Error(`expected a whole number up to 2^53-1, found ${text}`)
}

/** Longest wait for the server to close the session, in milliseconds. */
const CLOSE_MS = 1_000

/** Returns `cause` as a fault of the journal. */
export function journalFault(cause: unknown): JournalFault {
  return cause instanceof JournalFault ? cause : new JournalFault(kindOf(cause), messageOf(cause), { cause })
}

/** Like `journalFault`, with the failed operation before its message. */
export function postgresFault(cause: unknown, what: string): JournalFault {
  const { kind, message } = journalFault(cause)
  return new JournalFault(kind, `${what}: ${message}`, { cause })
}

function kindOf(cause: unknown): JournalFaultKind {
  const code = cause instanceof PostgresFault ? cause.code : undefined
  if (code === SQLSTATE.DISK_FULL) return 'STORAGE_FULL'
  if (code === SQLSTATE.UNDEFINED_TABLE) return 'UNSUPPORTED'
  return code !== undefined && DAMAGE.includes(code) ? 'DAMAGED' : 'FAILED'
}

/** Classes of codes with which the server ends the connection: the outcome of the statement is unknown. */
const ENDING = ['08', '57P']

/** SQLSTATE of an answer after which the connection continues; undefined for any other failure. */
function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('severity' in cause) || !('code' in cause)) return undefined
  const code = String(cause.code)
  return ENDING.some((start) => code.startsWith(start)) ? undefined : code
}

function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
