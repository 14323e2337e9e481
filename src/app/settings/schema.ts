/**
 * Every setting: its name in the file, its option, its variable, its form, and where its value goes. The
 * options and variables follow from the names (`http.bodyBytesMax`: `--http-body-bytes-max`,
 * `BOURSE_HTTP_BODY_BYTES_MAX`), except for the few that are older than this rule.
 */
import { SIGN_UP_MODES, TERMS_VERSION_MAX } from '../../contract/customers/sign-up.ts'
import { isLoopback } from '../../server/listener/loopback.ts'
import { STREAM_BOUNDS } from '../../server/stream/config.ts'
import { type Defaults, LOG_LEVELS, SERVE_DEFAULTS, type Settings } from './defaults.ts'
import { GATEWAYS_MAX } from './gateway-count.ts'
import {
  ADDRESS_RANGES,
  count,
  countOr,
  DOMAIN_NAME,
  type Kind,
  LISTENED_PLACE,
  listenedPlace,
  MAIL_ADDRESS,
  ORDER_WINDOWS,
  ORIGINS,
  oneOf,
  PORT,
  REACHED_PLACES,
  SECURE_ORIGINS,
  type SettingValue,
  SWITCH,
  TEXT,
  TIME_OF_DAY,
} from './kinds.ts'

export type Setting = {
  /** As written in the file: `port`, `http.bodyBytesMax`. */
  readonly name: string
  readonly kind: Kind
  /** Without its dashes; undefined if it cannot be given on the command line. */
  readonly option: string | undefined
  readonly variable: string
  /** Never shown, and only taken from the environment, which no other user can read. */
  readonly isSecret: boolean
}

/** Values of settings by name; a setting without an entry has no value. */
export type Values = ReadonlyMap<string, SettingValue>

export const PREFIX = 'BOURSE_'

/** A hundred years. */
const ARCHIVE_DAYS_MAX = 36_500
const DRAIN_MS_MAX = 10 * 60_000
/** After a longer pause between pulls, a history without any fault would look slow. */
const PULL_PAUSE_MS_MAX = 1_000

/** A lower limit on answers in progress could make the longest single-piece answer unreadable forever. */
const LONGEST_ANSWER_BYTES = 4 * 1024 * 1024

/** Forms of the settings that are not simply a whole number of at least 1. */
const KINDS: Readonly<Record<string, Kind>> = {
  dataDirectory: TEXT,
  host: TEXT,
  port: PORT,
  'binance.port': PORT,
  gateways: countOr('auto', 1, GATEWAYS_MAX),
  adminHost: TEXT,
  adminPort: PORT,
  'monitoring.host': TEXT,
  'monitoring.port': PORT,
  'tls.certFile': TEXT,
  'tls.keyFile': TEXT,
  logLevel: oneOf(LOG_LEVELS),
  drainDelayMs: count(0, DRAIN_MS_MAX),
  masterKey: TEXT,
  masterKeyPrevious: TEXT,
  'limits.isEnabled': SWITCH,
  'limits.orderWindows': ORDER_WINDOWS,
  'limits.answerBytesMax': count(LONGEST_ANSWER_BYTES),
  'limits.answerBytesPerAddressMax': count(LONGEST_ANSWER_BYTES),
  'http.trustedProxies': ADDRESS_RANGES,
  'http.corsOrigins': ORIGINS,
  'http.headerBytesMax': count(1, 16 * 1024),
  'http.idleTimeoutSeconds': count(1, 255),
  'follower.pullPauseMs': count(0, PULL_PAUSE_MS_MAX),
  'stream.idleTimeoutSeconds': count(8, 960),
  'replication.listen': LISTENED_PLACE,
  'replication.secretFile': TEXT,
  'replication.previousSecretFile': TEXT,
  'replication.caFile': TEXT,
  'replication.peers': REACHED_PLACES,
  'webhooks.privateAddresses': SWITCH,
  'archive.keepDays': count(1, ARCHIVE_DAYS_MAX),
  'archive.directory': TEXT,
  'archive.everyDays': count(1, ARCHIVE_DAYS_MAX),
  'archive.at': TIME_OF_DAY,
  'customers.isEnabled': SWITCH,
  'customers.name': TEXT,
  'customers.rpId': DOMAIN_NAME,
  'customers.origins': SECURE_ORIGINS,
  'customers.signUp': oneOf(SIGN_UP_MODES),
  'customers.termsVersion': count(1, TERMS_VERSION_MAX),
  'customers.mailHost': TEXT,
  'customers.mailPort': count(1, 65_535),
  'customers.mailFrom': MAIL_ADDRESS,
  'customers.mailUser': TEXT,
  'customers.mailPasswordFile': TEXT,
}

/** Options and variables that do not follow from the name. */
const OTHER_NAMES: Readonly<Record<string, { readonly option: string; readonly variable: string }>> = {
  dataDirectory: { option: 'data', variable: 'DATA_DIR' },
  port: { option: 'port', variable: 'PORT' },
  'limits.isEnabled': { option: 'limits', variable: 'BOURSE_LIMITS' },
  'customers.isEnabled': { option: 'customers', variable: 'BOURSE_CUSTOMERS' },
}

const SECRETS: ReadonlySet<string> = new Set(['masterKey', 'masterKeyPrevious'])

/** In the order in which they are shown. */
export const SETTINGS: readonly Setting[] = [...flatten(SERVE_DEFAULTS).keys()].map((name) => {
  const isSecret = SECRETS.has(name)
  const words = name.replace(/\.is(?=[A-Z])/, '.').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const option = words.replaceAll('.', '-')
  const variable = PREFIX + option.replaceAll('-', '_').toUpperCase()
  const names = OTHER_NAMES[name] ?? { option, variable }
  return {
    name,
    kind: KINDS[name] ?? count(1),
    ...names,
    option: isSecret ? undefined : names.option,
    isSecret,
  }
})

/** The settings as values by name; absent ones have an entry too. */
export function flatten(settings: Defaults): Map<string, SettingValue | undefined> {
  const {
    server,
    gateway,
    tls,
    monitoring,
    stream,
    engine,
    clock,
    follower,
    replication,
    webhooks,
    archive,
    customers,
  } = settings
  const { hostname, port, ...sockets } = server
  const { limits, ...requests } = gateway
  const groups = { limits, http: { ...requests, ...sockets }, stream, engine, clock, follower }
  const single = {
    dataDirectory: settings.dataDirectory,
    host: hostname,
    port,
    'binance.port': settings.binance.port,
    gateways: settings.gateways,
    'tls.certFile': tls?.certFile,
    'tls.keyFile': tls?.keyFile,
    adminHost: settings.adminHost,
    adminPort: settings.adminPort,
    'monitoring.host': monitoring.host,
    'monitoring.port': monitoring.port,
    logLevel: settings.logLevel,
    drainDelayMs: settings.drainDelayMs,
    masterKey: settings.masterKey,
    masterKeyPrevious: settings.masterKeyPrevious,
    'replication.listen': replication.listen,
    'replication.secretFile': replication.secretFile,
    'replication.previousSecretFile': replication.previousSecretFile,
    'replication.caFile': replication.caFile,
    'replication.peers': replication.peers,
    'webhooks.privateAddresses': webhooks.privateAddresses,
    'archive.keepDays': archive.keepDays,
    'archive.directory': archive.directory,
    'archive.everyDays': archive.everyDays,
    'archive.at': archive.at,
    'customers.isEnabled': customers.isEnabled,
    'customers.name': customers.name,
    'customers.rpId': customers.rpId,
    'customers.origins': customers.origins,
    'customers.signUp': customers.signUp,
    'customers.termsVersion': customers.termsVersion,
    'customers.mailHost': customers.mailHost,
    'customers.mailPort': customers.mailPort,
    'customers.mailFrom': customers.mailFrom,
    'customers.mailUser': customers.mailUser,
    'customers.mailPasswordFile': customers.mailPasswordFile,
  }
  const grouped = Object.entries(groups).flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]): [string, SettingValue] => [`${group}.${name}`, value]),
  )
  return new Map([...Object.entries<SettingValue | undefined>(single), ...grouped])
}

/** Risks that the operator accepts for this one start. */
export type Accepted = Pick<Settings, 'isInit' | 'acceptJournalTail' | 'acceptClock'>

/** Converts values, each of which has been checked, to settings; the data directory exists. */
export function build(values: Values, accepted: Accepted): Settings {
  const group = (prefix: string): Record<string, SettingValue> =>
    Object.fromEntries(
      [...values].flatMap(([name, value]) =>
        name.startsWith(`${prefix}.`) ? [[name.slice(prefix.length + 1), value]] : [],
      ),
    )
  const { trustedProxies, bodyBytesMax, bodyTimeoutMs, headerBytesMax, ...sockets } = group('http')
  const requests = { trustedProxies, bodyBytesMax, bodyTimeoutMs, headerBytesMax, limits: group('limits') }
  const tls = group('tls')
  // Every name and form was checked against the table above; this is where that becomes a type.
  return {
    dataDirectory: values.get('dataDirectory'),
    server: { ...sockets, hostname: values.get('host'), port: values.get('port') },
    gateways: values.get('gateways'),
    tls: 'certFile' in tls ? tls : undefined,
    adminHost: values.get('adminHost'),
    adminPort: values.get('adminPort'),
    monitoring: group('monitoring'),
    logLevel: values.get('logLevel'),
    drainDelayMs: values.get('drainDelayMs'),
    ...accepted,
    masterKey: values.get('masterKey'),
    masterKeyPrevious: values.get('masterKeyPrevious'),
    gateway: requests,
    binance: group('binance'),
    stream: group('stream'),
    engine: group('engine'),
    clock: group('clock'),
    follower: group('follower'),
    replication: group('replication'),
    webhooks: group('webhooks'),
    archive: group('archive'),
    customers: group('customers'),
  } as unknown as Settings
}

/** Rules between settings. */
type Relation = {
  readonly name: string
  readonly other: string
  readonly must: string
  readonly holds: (value: SettingValue | undefined, other: SettingValue | undefined) => boolean
}

type Figure = SettingValue | undefined

const below = (a: Figure, b: Figure): boolean => Number(a) < Number(b)
const atMost = (a: Figure, b: Figure): boolean => Number(a) <= Number(b)
const onlyWith = (a: Figure, b: Figure): boolean => a === undefined || b !== undefined
const together = (a: Figure, b: Figure): boolean => (a === undefined) === (b === undefined)

function staysHere(listen: Figure): boolean {
  const place = listen === undefined ? undefined : listenedPlace(String(listen))
  return place?.kind !== 'PORT' || !place.isTls
}

function areOfDomain(origins: Figure, rpId: Figure): boolean {
  const hosts = (origins as readonly string[]).map((origin) => new URL(origin).hostname)
  if (rpId === undefined) return hosts.length === 0
  return hosts.length > 0 && hosts.every((host) => host === rpId || host.endsWith(`.${rpId}`))
}

export const RELATIONS: readonly Relation[] = [
  { name: 'tls.certFile', other: 'tls.keyFile', must: 'be set together with', holds: together },
  {
    name: 'adminHost',
    other: 'tls.certFile',
    must: 'be 127.0.0.1, ::1 or localhost, or be used with a certificate in',
    holds: (host, certFile) => isLoopback(String(host)) || certFile !== undefined,
  },
  { name: 'masterKeyPrevious', other: 'masterKey', must: 'be set together with', holds: onlyWith },
  {
    name: 'replication.listen',
    other: 'replication.secretFile',
    must: 'be set together with',
    holds: onlyWith,
  },
  {
    name: 'replication.previousSecretFile',
    other: 'replication.secretFile',
    must: 'be set together with',
    holds: onlyWith,
  },
  {
    name: 'replication.peers',
    other: 'replication.secretFile',
    must: 'be empty, or be set together with',
    holds: (peers, file) => (peers as readonly string[]).length === 0 || file !== undefined,
  },
  {
    name: 'replication.listen',
    other: 'tls.certFile',
    must: 'be a socket, a port of 127.0.0.1, ::1 or localhost, or be used with a certificate in',
    holds: (listen, certFile) => certFile !== undefined || staysHere(listen),
  },
  { name: 'archive.directory', other: 'archive.keepDays', must: 'be set together with', holds: onlyWith },
  {
    name: 'customers.origins',
    other: 'customers.rpId',
    must: 'be set together with, and have only hosts in the domain of,',
    holds: areOfDomain,
  },
  { name: 'customers.mailHost', other: 'customers.mailFrom', must: 'be set together with', holds: together },
  {
    name: 'customers.mailUser',
    other: 'customers.mailPasswordFile',
    must: 'be set together with',
    holds: together,
  },
  { name: 'customers.mailUser', other: 'customers.mailHost', must: 'be set together with', holds: onlyWith },
  { name: 'limits.banMsMin', other: 'limits.banMsMax', must: 'be at most', holds: atMost },
  { name: 'http.bodyBytesMax', other: 'http.runtimeBodyBytesMax', must: 'be at most', holds: atMost },
  {
    name: 'limits.answerBytesPerAddressMax',
    other: 'limits.answerBytesMax',
    must: 'be at most',
    holds: atMost,
  },
  ...STREAM_BOUNDS.map(({ name, other, must }) => ({
    name: `stream.${name}`,
    other: `stream.${other}`,
    must,
    holds: must === 'be below' ? below : atMost,
  })),
]
