/**
 * The file that describes a cluster: where its database is, and what is declared of it. Whatever is unknown or wrong is said
 * with its line. Passwords stand in files of their own.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isLoopback } from '../../gateway/server/loopback.ts'
import { requirePrivate } from '../master-key/private-file.ts'
import { SettingsError } from '../settings/load.ts'
import { JsonFault, type Located, parseLocatedJson, plainValue } from '../settings/located-json.ts'
import type { DatabaseAddress, DatabaseDurability } from '../storage/cluster-database.ts'

export type ClusterSettings = {
  readonly database: DatabaseAddress
  readonly durability: DatabaseDurability
}

const PORT = 'expected a whole number from 1 to 65535'
const TIMEOUT = 'expected a whole number from 100 to 600000'
const COUNT = 'expected a whole number from 1 to the number of standbys'
const FILE = 'expected the path of a file'

const text = (expected: string) => z.string({ error: expected }).min(1, expected)
const whole = (expected: string, min: number, max: number) =>
  z.int({ error: expected }).min(min, expected).max(max, expected)

/** An object with these members and no others. */
function known(what: string) {
  return ({ code }: { readonly code?: string | undefined }) =>
    code === 'unrecognized_keys' ? `expected ${what}, and nothing else` : `expected an object with ${what}`
}

const DATABASE = z.strictObject(
  {
    host: text('expected a name or an address'),
    port: whole(PORT, 1, 65_535).default(5432),
    name: text('expected the name of a database'),
    user: text('expected the engine’s role')
      .max(63, 'expected at most 63 characters')
      .default('bourse_engine'),
    passwordFile: text(FILE).optional(),
    tls: z.enum(['on', 'off'], { error: 'expected "on" or "off"' }).default('on'),
    caFile: text(FILE).optional(),
    timeoutMs: whole(TIMEOUT, 100, 600_000).default(10_000),
  },
  { error: known('host, port, name, user, passwordFile, tls, caFile, timeoutMs') },
)

const DURABILITY = z.discriminatedUnion(
  'kind',
  [
    z.strictObject(
      {
        kind: z.literal('quorum'),
        standbys: z
          .array(text('expected the name of a standby'), { error: 'expected a list of names' })
          .min(1, 'expected at least one name'),
        confirmations: whole(COUNT, 1, 1_000).default(1),
      },
      { error: known('kind, standbys and confirmations') },
    ),
    z.strictObject({ kind: z.literal('storage') }, { error: known('kind') }),
    z.strictObject({ kind: z.literal('single') }, { error: known('kind') }),
  ],
  { error: 'expected an object whose kind is "quorum", "storage" or "single"' },
)

const CLUSTER = z.strictObject(
  { database: DATABASE, durability: DURABILITY },
  { error: known('database and durability') },
)

/** Throws `SettingsError`, whose message names file, line and field. */
export function loadCluster(file: string): ClusterSettings {
  const located = read(file)
  const parsed = CLUSTER.safeParse(plainValue(located))
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => problemOf(file, located, issue))
    throw new SettingsError(problems.join('; '), undefined, problems)
  }
  const { database, durability } = parsed.data
  const wrong = (path: readonly string[], sentence: string) =>
    new SettingsError(`${file}:${lineOf(located, path)}: ${path.join('.')}: ${sentence}`)
  if (database.tls === 'off' && !isLoopback(database.host)) {
    throw wrong(['database', 'tls'], `expected "on": ${database.host} is not known to be this machine`)
  }
  if (durability.kind === 'quorum' && durability.confirmations > durability.standbys.length) {
    const { confirmations, standbys } = durability
    const found = `found ${confirmations} of ${standbys.length}`
    throw wrong(['durability', 'confirmations'], `${COUNT}, ${found}`)
  }
  const { host, port, name, user, passwordFile, tls, caFile, timeoutMs } = database
  return {
    database: {
      ...{ host, port, database: name, user, timeoutMs },
      password: passwordFile === undefined ? undefined : readPassword(passwordFile),
      tls: tls === 'off' ? undefined : { ca: caFile === undefined ? undefined : readText(caFile) },
    },
    durability,
  }
}

/** The password in a file that nobody else may read: one line of printable ASCII. Throws `SettingsError`. */
export function readPassword(file: string): string {
  const password = readText(file, true).replace(/\r?\n$/, '')
  if (/^[\x20-\x7e]+$/.test(password)) return password
  throw new SettingsError(`${file}: expected a password in one line of printable ASCII characters`)
}

function readText(file: string, isSecret = false): string {
  try {
    if (isSecret) requirePrivate(file, (problem) => new SettingsError(problem))
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof SettingsError) throw cause
    const found = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError(`${file} cannot be read: ${found}`, { cause })
  }
}

function read(file: string): Located {
  try {
    return parseLocatedJson(readText(file))
  } catch (cause) {
    if (!(cause instanceof JsonFault)) throw cause
    throw new SettingsError(`${file}:${cause.line}: cannot be read as JSON: ${cause.message}`, { cause })
  }
}

function problemOf(file: string, located: Located, issue: z.core.$ZodIssue): string {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : []
  const field = [...issue.path.map(String), ...keys.slice(0, 1)]
  const where = `${file}:${lineOf(located, field)}: ${field.length === 0 ? 'the whole' : field.join('.')}`
  const value = valueAt(located, field)
  const found = value === undefined ? 'nothing' : JSON.stringify(plainValue(value)).slice(0, 60)
  return `${where}: ${issue.message}, found ${found}`
}

/** What stands at a path; undefined: nothing. */
function valueAt(located: Located, path: readonly string[]): Located | undefined {
  let value: Located | undefined = located
  for (const name of path) {
    if (value?.kind === 'object') value = value.members.get(name)?.value
    else value = value?.kind === 'list' ? value.items[Number(name)] : undefined
  }
  return value
}

/** Where a path stands, or the part of it that does. */
function lineOf(located: Located, path: readonly string[]): number {
  for (let length = path.length; length > 0; length--) {
    const value = valueAt(located, path.slice(0, length))
    if (value !== undefined) return value.line
  }
  return located.line
}
