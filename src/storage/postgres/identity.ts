/**
 * The identity of a database: PostgreSQL's system identifier, which a primary and its standbys share and no
 * other server has, and the timeline, which rises with each promotion. An engine that leads stores both
 * outside the database.
 */
import { JournalFault } from '../../engine/port/journal.ts'
import { type Connection, PostgresFault } from './connection.ts'

export type DatabaseIdentity = {
  /** In PostgreSQL's form: up to 20 digits. */
  readonly systemIdentifier: string
  /** At least 1. */
  readonly timeline: number
}

/** Stores the database on which an engine has led. */
export type KnownDatabaseStore = {
  /** Undefined if the engine has led on none. Throws `JournalFault`. */
  read(): DatabaseIdentity | undefined
  write(identity: DatabaseIdentity): void
}

/**
 * On a primary the timeline is taken from its current write position: after a promotion the control file is
 * updated later.
 */
const IDENTITY = {
  text: `SELECT system_identifier::text AS system,
    CASE WHEN pg_is_in_recovery() THEN (SELECT timeline_id FROM pg_control_checkpoint())
      ELSE ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int END AS timeline
    FROM pg_control_system()`,
}

/** SQLSTATE of a missing right, and of a function missing in a server that only implements the protocol. */
const UNSEEN = ['42501', '42883', '0A000']

/** Undefined if this role, or this kind of server, cannot read the identity. Throws `PostgresFault`. */
export async function identityOf(connection: Connection): Promise<DatabaseIdentity | undefined> {
  try {
    const { rows } = await connection.run(IDENTITY)
    const { system, timeline } = rows[0] ?? {}
    if (typeof system !== 'string' || typeof timeline !== 'number') return undefined
    return { systemIdentifier: system, timeline }
  } catch (cause) {
    if (cause instanceof PostgresFault && cause.code !== undefined && UNSEEN.includes(cause.code))
      return undefined
    throw cause
  }
}

/** The stored identity of an engine's database, and its comparison with each connection's. */
export class KnownDatabase {
  readonly #store: KnownDatabaseStore
  #known: DatabaseIdentity | undefined
  #accepts: boolean

  /**
   * `accepts` is true if an operator has confirmed that the next database found is the right one. Throws
   * `JournalFault`.
   */
  constructor(store: KnownDatabaseStore, accepts = false) {
    this.#store = store
    this.#accepts = accepts
    this.#known = accepts ? undefined : store.read()
  }

  /**
   * Throws `UNSUPPORTED` for a database other than the one on which this engine has led, or for an earlier
   * timeline of that one.
   */
  require(found: DatabaseIdentity | undefined): void {
    if (found === undefined) return
    if (this.#accepts) this.led(found)
    this.#accepts = false
    const problem = this.#known && contradiction(this.#known, found)
    if (problem !== undefined) throw new JournalFault('UNSUPPORTED', problem)
  }

  /** Records that this engine leads on the database found. Throws `JournalFault`. */
  led(found: DatabaseIdentity | undefined): void {
    const known = this.#known
    if (found === undefined) return
    if (known?.systemIdentifier === found.systemIdentifier && known.timeline === found.timeline) return
    this.#store.write(found)
    this.#known = found
  }
}

/** The problem with a database, and the remedy; undefined if there is none. */
export function contradiction(known: DatabaseIdentity, found: DatabaseIdentity): string | undefined {
  if (found.systemIdentifier !== known.systemIdentifier) {
    const what = `the database has system identifier ${found.systemIdentifier}, expected ${known.systemIdentifier}, on which this engine has led`
    return `${what}: it is another database. ${WAY_ON}`
  }
  if (found.timeline < known.timeline) {
    const what = `the database is on timeline ${found.timeline}, expected ${known.timeline} or later, on which this engine has led`
    return `${what}: it is a former primary, or was rolled back. ${WAY_ON}`
  }
  return undefined
}

const WAY_ON =
  'Point database.host to the right one; if this one was restored or upgraded intentionally, start each engine once with --accept-database'
