/**
 * Reads the state of the database: settings, standbys, rights. The only decision made in this file is whether
 * a commit is confirmed.
 */
import { type Connection, PostgresFault, type Row } from './connection.ts'
import {
  type Durability,
  type DurabilityStatus,
  type Finding,
  type Found,
  isAmong,
  judge,
  judgeWatched,
  OTHER_SETTINGS,
  sentenceOf,
  WATCHED_SETTINGS,
} from './durability.ts'
import { type DatabaseIdentity, identityOf } from './identity.ts'
import { SCHEMA } from './schema.ts'

const settingsOf = (names: readonly string[]): string =>
  names.map((name) => `current_setting('${name}', true) AS ${name}`).join(', ')

/** Rights that would let a session change stored batches. */
const EXCESSIVE = ['UPDATE', 'DELETE', 'TRUNCATE'] as const

/** The result of a check. */
export type Examined = {
  readonly findings: readonly Finding[]
  /** Undefined if the identity cannot be read. */
  readonly identity: DatabaseIdentity | undefined
}

/** Everything in this session that contradicts or weakens `durability`, and the database's identity. */
export async function examine(connection: Connection, durability: Durability): Promise<Examined> {
  const text = `SELECT ${settingsOf([...WATCHED_SETTINGS, ...OTHER_SETTINGS])}, pg_is_in_recovery() AS is_standby,
    pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS sees_progress, pg_backend_pid() AS process`
  const { rows } = await connection.run({ text })
  const [row] = rows
  if (row === undefined) throw new PostgresFault('the database did not report its settings', undefined)
  const identity = await identityOf(connection)
  const standing: DurabilityStatus = {
    isStandby: row.is_standby === true,
    seesProgress: row.sees_progress === true,
    following: await following(connection),
    excessiveRights: await excessiveRights(connection),
    seesIdentity: identity !== undefined,
    pooled: pooledIn(Number(row.process), connection.announcedProcess),
  }
  return { findings: judge(durability, foundIn(row), standing), identity }
}

function pooledIn(answers: number, announced: number | undefined): DurabilityStatus['pooled'] {
  return announced === undefined || announced === answers ? undefined : { answers, announced }
}

/** Names of the declared standbys that are not replicating now. Throws `PostgresFault`. */
export async function missingStandbys(
  connection: Connection,
  durability: Durability,
): Promise<readonly string[]> {
  if (durability.kind !== 'quorum') return []
  const present = await following(connection)
  return durability.standbys.filter((name) => !isAmong(present, name))
}

async function following(connection: Connection): Promise<readonly string[]> {
  const text = "SELECT application_name AS name FROM pg_stat_replication WHERE state = 'streaming'"
  return (await connection.run({ text })).rows.map(({ name }) => String(name))
}

async function excessiveRights(connection: Connection): Promise<readonly string[]> {
  const text = `SELECT privilege FROM unnest($1::text[]) AS privilege, pg_class
    WHERE pg_class.oid = to_regclass($2) AND has_table_privilege(pg_class.oid, privilege)`
  const { rows } = await connection.run({ text }, [EXCESSIVE, `${SCHEMA}.batch`])
  return rows.map(({ privilege }) => String(privilege))
}

/**
 * The progress of the standbys: `$1` is their names, `$2` the position they must have passed, by default the
 * primary's current one.
 */
const PROGRESS = {
  name: 'progress',
  text: `WITH written AS MATERIALIZED (SELECT coalesce($2::pg_lsn, pg_current_wal_flush_lsn()) AS position)
    SELECT written.position::text AS position, ${settingsOf(WATCHED_SETTINGS)},
      (SELECT count(DISTINCT lower(application_name))::int FROM pg_stat_replication
        WHERE lower(application_name) = ANY ($1::text[]) AND flush_lsn >= written.position) AS passed
    FROM written`,
}

/** Pause between two queries of standbys that have not yet confirmed, in milliseconds. */
const AGAIN_MS = 1

/**
 * Whether everything committed is stored as `durability` requires: the settings are still as declared, and
 * enough of the named standbys have passed the primary's current position. Waits for the standbys for at most
 * `deadlineMs`. Returns the problem; undefined if there is none. Throws `PostgresFault`.
 */
export async function confirmation(
  connection: Connection,
  durability: Durability,
  deadlineMs: number,
): Promise<string | undefined> {
  const isQuorum = durability.kind === 'quorum'
  const names = isQuorum ? durability.standbys.map((name) => name.toLowerCase()) : []
  const needed = isQuorum ? durability.confirmations : 0
  const begun = performance.now()
  let position: unknown = null
  for (;;) {
    const { rows } = await connection.run(PROGRESS, [names, position])
    const [row] = rows
    if (row === undefined) return 'the database did not report its progress'
    const findings = judgeWatched(durability, foundIn(row))
    const contradiction = findings.find(({ severity }) => severity !== 'WEAKENS')
    if (contradiction !== undefined) return sentenceOf(contradiction)
    if (Number(row.passed) >= needed) return undefined
    if (performance.now() - begun > deadlineMs)
      return `${row.passed} of the named standbys have confirmed it, expected ${needed}`
    position = row.position
    await Bun.sleep(AGAIN_MS)
  }
}

function foundIn(row: Row): Found {
  const entries = Object.entries(row).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(entries) as Found
}
