/**
 * The file that describes a cluster: its database, the declared durability, the processes and their
 * addresses. Unknown or wrong values are reported with their line. Secrets are in files of their own, which
 * each process reads only if it needs them, so the same file serves every machine of a cluster.
 */
import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { requirePrivate } from '../node/private-file.ts'
import type { DatabaseAddress } from '../node/storage/cluster-database.ts'
import { SettingsError } from '../settings/load.ts'
import { JsonFault, type Located, parseLocatedJson, plainValue } from '../settings/located-json.ts'
import { type SectionSettings, settingsOfSection } from '../settings/section.ts'
import { contradictionsOf } from './relations.ts'
import { CLUSTER, type ClusterFile, type LinkAddress } from './schema.ts'

/** The file, checked to the extent possible without reading any other file. */
export type ClusterSettings = Omit<ClusterFile, 'settings'> & {
  /** The file itself, for messages. */
  readonly file: string
  /** The section `settings`, with each value checked. */
  readonly settings: SectionSettings
}

/** How the two ends of a link authenticate each other. */
export type LinkSecrets = {
  /** The newest secret, and the previous one while it is being changed. */
  readonly secrets: readonly string[]
}

/** Minimum length of a shared secret: a shorter one could be guessed. */
const SECRET_LENGTH_MIN = 32

/**
 * Settings that belong to one process of the cluster, or do not belong in this file at all, with the right
 * place for each.
 */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['dataDirectory', 'set "data" of the engine or historian instead'],
  ['port', 'set "port" of the gateway instead'],
  ['adminHost', 'set "admin" of the engine instead'],
  ['adminPort', 'set "admin" of the engine instead'],
  ['monitoring.host', 'set "monitoring" of the process instead'],
  ['monitoring.port', 'set "monitoring" of the process instead'],
  ...['listen', 'secretFile', 'previousSecretFile', 'caFile', 'peers'].map((name): [string, string] => [
    `replication.${name}`,
    'a cluster has no standbys of this kind: its engines follow',
  ]),
  ...['keepDays', 'directory', 'everyDays', 'at'].map((name): [string, string] => [
    `archive.${name}`,
    'the journal of a cluster is in PostgreSQL and has no archive',
  ]),
  ['customers.isEnabled', 'list the customers processes in "customers"'],
])

/** Settings without which customers could not be reached, or could not sign in. */
const CUSTOMERS_NEED = [
  ['customers.rpId', 'the domain that passkeys are bound to'],
  ['customers.origins', 'the addresses at which customers reach the gateways'],
] as const

/** Throws `SettingsError`, whose message names file, line and field. */
export function loadCluster(file: string): ClusterSettings {
  const located = read(file)
  const parsed = CLUSTER.safeParse(plainValue(located))
  if (!parsed.success) throw errorOf(parsed.error.issues.map((issue) => problemOf(file, located, issue)))
  const wrong = contradictionsOf(parsed.data).map(
    ({ path, sentence }) => `${file}:${lineOf(located, path)}: ${path.join('.')}: ${sentence}`,
  )
  const section = valueAt(located, ['settings'])
  const { values, problems } = settingsOfSection(file, section, 'settings', ELSEWHERE)
  wrong.push(...problems)
  if (parsed.data.customers !== undefined) wrong.push(...lacking(file, located, values))
  if (wrong.length > 0) throw errorOf(wrong)
  return { ...parsed.data, file, settings: values }
}

/** The first missing setting among those that customers need. */
function lacking(file: string, located: Located, values: SectionSettings): readonly string[] {
  const [lacks] = CUSTOMERS_NEED.filter(([name]) => !values.has(name))
  if (lacks === undefined) return []
  const [name, expected] = lacks
  const line = lineOf(located, ['settings', 'customers'])
  return [`${file}:${line}: settings.${name}: expected ${expected}, found nothing`]
}

/** The address of the database, with its credentials. Throws `SettingsError`. */
export function databaseOf({ database }: Pick<ClusterSettings, 'database'>): DatabaseAddress {
  const { host, port, name, user, passwordFile, tls, caFile, timeoutMs } = database
  return {
    ...{ host, port, database: name, user, timeoutMs },
    password: passwordFile === undefined ? undefined : readPassword(passwordFile),
    tls: tls === 'off' ? undefined : { ca: caFile === undefined ? undefined : readText(caFile) },
  }
}

/** The shared secrets of links. Throws `SettingsError`. */
export function linkSecretsOf({
  secretFile,
  previousSecretFile,
}: Pick<LinkSection, 'secretFile' | 'previousSecretFile'>): LinkSecrets {
  return { secrets: secretsIn(secretFile, previousSecretFile) }
}

export type CustomersSection = NonNullable<ClusterFile['customers']>
export type CustomersMember = CustomersSection['processes'][number]

/**
 * The shared secrets of engines and the customers processes, the newest first. No gateway has them. Throws
 * `SettingsError`.
 */
export function exchangeSecretsOf(customers: CustomersSection): readonly string[] {
  return secretsIn(customers.exchangeSecretFile, customers.previousExchangeSecretFile)
}

/** The shared secrets of gateways and the customers processes. Throws `SettingsError`. */
export function gatewaySecretsOf(customers: CustomersSection): readonly string[] {
  return secretsIn(customers.gatewaySecretFile, customers.previousGatewaySecretFile)
}

function secretsIn(file: string, previous: string | undefined): readonly string[] {
  return (previous === undefined ? [file] : [file, previous]).map(readLinkSecret)
}

export type LinkSection = NonNullable<ClusterFile['link']>
/** The address of an engine or a historian, as given in the file. */
export type NamedLink = LinkAddress

function readLinkSecret(file: string): string {
  const secret = readPassword(file)
  if (secret.length >= SECRET_LENGTH_MIN) return secret
  const expected = `expected a secret of at least ${SECRET_LENGTH_MIN} characters`
  throw new SettingsError(`${file}: ${expected}, found ${secret.length}`)
}

/**
 * The password from a file that only its owner can read: one line of printable ASCII. Throws `SettingsError`.
 */
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

function errorOf(problems: readonly string[]): SettingsError {
  return new SettingsError(problems.join('; '), undefined, problems)
}

function problemOf(file: string, located: Located, issue: z.core.$ZodIssue): string {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : []
  const field = [...issue.path.map(String), ...keys.slice(0, 1)]
  const where = `${file}:${lineOf(located, field)}: ${field.length === 0 ? 'the top level' : field.join('.')}`
  const value = valueAt(located, field)
  const found = value === undefined ? 'nothing' : JSON.stringify(plainValue(value)).slice(0, 60)
  return `${where}: ${issue.message}, found ${found}`
}

/** The value at a path; undefined if there is none. */
function valueAt(located: Located, path: readonly string[]): Located | undefined {
  let value: Located | undefined = located
  for (const name of path) {
    if (value?.kind === 'object') value = value.members.get(name)?.value
    else value = value?.kind === 'list' ? value.items[Number(name)] : undefined
  }
  return value
}

/** The line of a path, or of its longest existing part. */
function lineOf(located: Located, path: readonly string[]): number {
  for (let length = path.length; length > 0; length--) {
    const value = valueAt(located, path.slice(0, length))
    if (value !== undefined) return value.line
  }
  return located.line
}
