/**
 * The operator's declaration about the database, and the settings that contradict it: those that would lose
 * acknowledged orders, those that would block acknowledgements, and those that weaken a second line of
 * defense. The check sends no query and uses no connection.
 */

/** How a committed batch is preserved when the primary is lost. */
export type Durability =
  /**
   * PostgreSQL's own standbys: a batch counts as preserved once at least `confirmations` of the named
   * standbys have it on their disks.
   */
  | {
      readonly kind: 'quorum'
      readonly standbys: readonly string[]
      /** 1 to the number of standbys. */
      readonly confirmations: number
    }
  /** The storage below the database is replicated, as in some managed services. */
  | { readonly kind: 'storage' }
  /** Only the primary's own disk: for trials. */
  | { readonly kind: 'single' }

/** Settings as read in the engine's session. */
export const WATCHED_SETTINGS = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'synchronous_standby_names',
] as const
export const OTHER_SETTINGS = [
  'wal_level',
  'data_checksums',
  'zero_damaged_pages',
  'idle_session_timeout',
  'server_version_num',
] as const

type SettingName = (typeof WATCHED_SETTINGS)[number] | (typeof OTHER_SETTINGS)[number]
export type Found = Readonly<Partial<Record<SettingName, string>>>

/** Conditions besides the settings. */
export type DurabilityStatus = {
  readonly isStandby: boolean
  /** Names of the standbys that are replicating now; case does not matter. */
  readonly following: readonly string[]
  /** Whether this session may read the positions of the standbys. */
  readonly seesProgress: boolean
  /** Rights on the journal's table that this session should not have. */
  readonly excessiveRights: readonly string[]
  /** Whether this session may read the identity of the database. */
  readonly seesIdentity: boolean
  /**
   * The ids of the server process that answers and of the one that was announced; undefined if they are the
   * same.
   */
  readonly pooled: { readonly answers: number; readonly announced: number } | undefined
}

/**
 * - `LOSES`: acknowledged orders can be lost.
 * - `STOPS`: nothing can be acknowledged.
 * - `WEAKENS`: one line of defense is missing, but not the last.
 */
export type Severity = 'LOSES' | 'STOPS' | 'WEAKENS'

export type Finding = {
  readonly severity: Severity
  /** The setting or condition to which the finding applies. */
  readonly about: string
  readonly found: string
  readonly expected: string
  /** The step with which a database administrator can resolve it. */
  readonly mend: string
}

/** The oldest accepted PostgreSQL, as a `server_version_num`. */
const VERSION_MIN = 140_000

/** The watched settings that contradict `durability`; they are queried again after every commit. */
export function judgeWatched(durability: Durability, found: Found): readonly Finding[] {
  return [...judgeDisk(durability, found), ...judgeCommit(durability, found)]
}

/** All findings that can be made before anything is written. */
export function judge(durability: Durability, found: Found, standing: DurabilityStatus): readonly Finding[] {
  return [
    ...judgeWatched(durability, found),
    ...judgeServer(durability, found, standing),
    ...judgeStandbys(durability, standing),
    ...judgeRights(standing),
    ...judgeConnection(standing),
  ]
}

function judgeDisk({ kind }: Durability, { fsync, full_page_writes }: Found): Finding[] {
  const findings: Finding[] = []
  if (fsync !== 'on') {
    const expected = 'on: otherwise a power failure loses committed data'
    findings.push(wrong('LOSES', 'fsync', fsync, expected, alterSystem('fsync', 'on')))
  }
  if (full_page_writes !== 'on') {
    const severity = kind === 'storage' ? 'WEAKENS' : 'LOSES'
    const expected = 'on, unless the storage never writes part of a page'
    const mend = alterSystem('full_page_writes', 'on')
    findings.push(wrong(severity, 'full_page_writes', full_page_writes, expected, mend))
  }
  return findings
}

function judgeCommit(durability: Durability, found: Found): Finding[] {
  const findings: Finding[] = []
  const level = found.synchronous_commit
  const good = durability.kind === 'quorum' ? ['on', 'remote_apply'] : ['on', 'remote_apply', 'local']
  if (durability.kind !== 'quorum') good.push('remote_write')
  if (level === undefined || !good.includes(level)) {
    const expected = `${good.join(' or ')}: a commit is answered only when it is on disk${durability.kind === 'quorum' ? ', on the primary and on a standby' : ''}`
    const mend =
      'bourse cluster init sets it for the engine’s role; otherwise ALTER ROLE ... SET synchronous_commit = on'
    findings.push(wrong('LOSES', 'synchronous_commit', level, expected, mend))
  }
  if (durability.kind === 'quorum')
    findings.push(...judgeNames(durability, found.synchronous_standby_names ?? ''))
  return findings
}

function judgeNames(
  { standbys, confirmations }: Extract<Durability, { kind: 'quorum' }>,
  text: string,
): Finding[] {
  const about = 'synchronous_standby_names'
  const wanted = `ANY ${confirmations} (${standbys.map((name) => `"${name}"`).join(', ')})`
  const mend = alterSystem(about, wanted)
  const names = parseStandbyNames(text)
  if (names === undefined || text.trim() === '') {
    const expected = `${wanted}: without names a commit waits for no standby`
    return [wrong('LOSES', about, text, expected, mend)]
  }
  const findings: Finding[] = []
  if (names.count < confirmations) {
    const expected = `at least ${confirmations} to wait for, as declared`
    findings.push(wrong('LOSES', about, text, expected, mend))
  }
  const declared = standbys.map((name) => name.toLowerCase())
  const others = names.standbys.filter((name) => !declared.includes(name.toLowerCase()))
  if (others.length > 0) {
    const expected = `only declared standbys (${standbys.join(', ')}): others could confirm in their place`
    findings.push(wrong('LOSES', about, text, expected, mend))
  }
  return findings
}

function judgeServer(durability: Durability, found: Found, { isStandby }: DurabilityStatus): Finding[] {
  const findings: Finding[] = []
  const version = Number(found.server_version_num ?? 0)
  if (version < VERSION_MIN) {
    const mend = 'upgrade PostgreSQL'
    findings.push(
      wrong('STOPS', 'server_version_num', found.server_version_num, `${VERSION_MIN} or more`, mend),
    )
  }
  if (isStandby) {
    const mend = 'set database.host to the primary, or to an address that always leads to it'
    findings.push(wrong('STOPS', 'pg_is_in_recovery', 'true', 'the primary, not a standby', mend))
  }
  if (durability.kind === 'quorum' && found.wal_level === 'minimal') {
    const mend = `${alterSystem('wal_level', 'replica')}, and a restart`
    findings.push(
      wrong(
        'STOPS',
        'wal_level',
        found.wal_level,
        'replica or logical: otherwise no standby can replicate',
        mend,
      ),
    )
  }
  if (found.zero_damaged_pages === 'on') {
    const mend = alterSystem('zero_damaged_pages', 'off')
    const expected = 'off: damaged pages would silently be zeroed'
    findings.push(wrong('LOSES', 'zero_damaged_pages', 'on', expected, mend))
  }
  if (found.data_checksums !== 'on') {
    const mend = 'stop the database and run pg_checksums --enable'
    const expected = 'on: disk damage is then detected when a page is read, on the standbys too'
    findings.push(wrong('WEAKENS', 'data_checksums', found.data_checksums, expected, mend))
  }
  if (found.idle_session_timeout !== '0') {
    const mend = 'ALTER ROLE ... SET idle_session_timeout = 0 for the engine’s role'
    const expected = '0: the engine would be disconnected while there is no trading'
    findings.push(wrong('WEAKENS', 'idle_session_timeout', found.idle_session_timeout, expected, mend))
  }
  if (durability.kind === 'single') {
    const expected = 'quorum or storage: otherwise a loss of the primary’s disk loses data'
    findings.push(wrong('WEAKENS', 'durability', 'single', expected, 'use this declaration only for trials'))
  }
  return findings
}

function judgeStandbys(durability: Durability, { following, seesProgress }: DurabilityStatus): Finding[] {
  if (durability.kind !== 'quorum') return []
  const findings: Finding[] = []
  if (!seesProgress) {
    const expected = 'pg_read_all_stats: otherwise the positions of the standbys cannot be read'
    const mend = 'bourse cluster init grants it; otherwise GRANT pg_read_all_stats TO the engine’s role'
    findings.push(wrong('STOPS', 'rights', 'insufficient to read the standbys', expected, mend))
  }
  const { standbys, confirmations } = durability
  const present = standbys.filter((name) => isAmong(following, name))
  if (present.length < standbys.length) {
    const severity = present.length < confirmations ? 'STOPS' : 'WEAKENS'
    const absent = standbys.filter((name) => !isAmong(following, name))
    const mend = `start ${absent.join(', ')}; its name is application_name in primary_conninfo, or cluster_name`
    const expected = `all of ${standbys.join(', ')} to be replicating, and at least ${confirmations}`
    findings.push(wrong(severity, 'standbys', present.join(', '), expected, mend))
  }
  return findings
}

function judgeRights({ excessiveRights }: DurabilityStatus): Finding[] {
  if (excessiveRights.length === 0) return []
  const mend =
    'connect as the role created by bourse cluster init, and run it again: it revokes superfluous rights'
  const expected =
    'only INSERT and SELECT on the journal: otherwise an error in the engine could change stored batches'
  return [wrong('WEAKENS', 'rights', excessiveRights.join(', '), expected, mend)]
}

function judgeConnection({ seesIdentity, pooled }: DurabilityStatus): Finding[] {
  const findings: Finding[] = []
  if (pooled !== undefined) {
    const found = `process ${pooled.answers} answers, but ${pooled.announced} was announced: there is a pooler in between`
    const expected =
      'PostgreSQL itself: the settings of a session, and the loss of its connection, must be reliable'
    const mend = 'set database.host and database.port to the server, not to PgBouncer or another pooler'
    findings.push(wrong('STOPS', 'connection', found, expected, mend))
  }
  if (!seesIdentity) {
    const mend =
      'GRANT EXECUTE ON FUNCTION pg_control_system(), pg_control_checkpoint() TO the engine’s role, where the server has them'
    const expected =
      'system identifier and timeline: otherwise another database, or a former primary, is recognized only by its journal'
    findings.push(wrong('WEAKENS', 'identity', 'no difference found', expected, mend))
  }
  return findings
}

export function isAmong(names: readonly string[], name: string): boolean {
  return names.some((one) => one.toLowerCase() === name.toLowerCase())
}

function wrong(
  severity: Severity,
  about: string,
  found: string | undefined,
  expected: string,
  mend: string,
): Finding {
  return { severity, about, found: found === undefined || found === '' ? 'nothing' : found, expected, mend }
}

function alterSystem(name: string, value: string): string {
  return `ALTER SYSTEM SET ${name} = '${value}'; SELECT pg_reload_conf()`
}

/**
 * The number of standbys that a commit waits for, and their names; undefined if the text has an unknown form.
 */
export function parseStandbyNames(
  text: string,
): { readonly count: number; readonly standbys: readonly string[] } | undefined {
  const form = /^\s*(?:(?:ANY|FIRST)?\s*(\d+)\s*\((.*)\)|(.*))\s*$/is.exec(text)
  if (form === null) return undefined
  const [, count, inside, plain] = form
  const standbys: string[] = []
  let rest = (inside ?? plain ?? '').trim()
  while (rest !== '') {
    const name = /^(?:"((?:[^"]|"")+)"|([^\s,"()]+))\s*(?:,\s*|$)/.exec(rest)
    if (name === null) return undefined
    standbys.push(name[1]?.replaceAll('""', '"') ?? (name[2] as string))
    rest = rest.slice(name[0].length)
  }
  return { count: count === undefined ? 1 : Number(count), standbys }
}

/** The finding as one sentence. */
export function sentenceOf({ about, found, expected }: Finding): string {
  return `${about} is ${found}, expected ${expected}`
}
