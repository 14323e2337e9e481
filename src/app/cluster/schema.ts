/**
 * The schema of a cluster file: its names, and the allowed values of each. `relations.ts` checks the
 * relations between them.
 */
import { z } from 'zod'

const NAME_LENGTH_MAX = 63
const ENGINES_MAX = 7
const HISTORIANS_MAX = 16
const GATEWAYS_MAX = 64
const CUSTOMERS_MAX = 8
export const HEARTBEATS_IN_SILENCE = 3

const PORT = 'expected a whole number from 1 to 65535'
const TIMEOUT = 'expected a whole number from 100 to 600000'
export const COUNT = 'expected a whole number from 1 to the number of standbys'
const FILE = 'expected the path of a file'
const NAME = `expected a name of 1 to ${NAME_LENGTH_MAX} characters from a-z, 0-9 and -, which begins with a letter or a digit`
const LINK = 'expected host:port, or the absolute path of a socket of this machine'
const ADDRESS = 'expected host:port'

const text = (expected: string) => z.string({ error: expected }).min(1, expected)
const whole = (expected: string, min: number, max: number) =>
  z.int({ error: expected }).min(min, expected).max(max, expected)

/** An object with these members and no others. */
function known(what: string) {
  return ({ code }: { readonly code?: string | undefined }) =>
    code === 'unrecognized_keys' ? `expected ${what}, and no other field` : `expected an object with ${what}`
}

/** Host and port of a listener. */
export type HostAndPort = { readonly host: string; readonly port: number }
/** The address of an engine or a historian: over the network, or a socket of this machine. */
export type LinkAddress =
  | ({ readonly kind: 'TCP' } & HostAndPort)
  | { readonly kind: 'SOCKET'; readonly path: string }

/** `db:1`, `[::1]:1`; undefined for any other text. */
function hostAndPort(value: string): HostAndPort | undefined {
  const { host, port } =
    /^(?<host>\[[0-9a-fA-F:.]+\]|[^\s:[\]/]+):(?<port>\d{1,5})$/.exec(value)?.groups ?? {}
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

function linkAddress(value: string): LinkAddress | undefined {
  if (value.startsWith('/')) return { kind: 'SOCKET', path: value }
  const address = hostAndPort(value)
  return address && { kind: 'TCP', ...address }
}

/** A text that `read` converts to a value. */
function readAs<Value>(expected: string, read: (value: string) => Value | undefined) {
  return text(expected).transform((value, context) => {
    const found = read(value)
    if (found !== undefined) return found
    context.addIssue({ code: 'custom', message: expected })
    return z.NEVER
  })
}

const name = () =>
  text(NAME)
    .regex(/^[a-z0-9][a-z0-9-]*$/, NAME)
    .max(NAME_LENGTH_MAX, NAME)
const address = () => readAs(ADDRESS, hostAndPort)
const link = () => readAs(LINK, linkAddress)

/** A database with the usual name of the role that uses it. */
const databaseFor = (role: string) =>
  z.strictObject(
    {
      host: text('expected a name or an address'),
      port: whole(PORT, 1, 65_535).default(5432),
      name: text('expected the name of a database'),
      user: text('expected the name of a role').max(63, 'expected at most 63 characters').default(role),
      passwordFile: text(FILE).optional(),
      tls: z.enum(['on', 'off'], { error: 'expected "on" or "off"' }).default('on'),
      caFile: text(FILE).optional(),
      timeoutMs: whole(TIMEOUT, 100, 600_000).default(10_000),
    },
    { error: known('host, port, name, user, passwordFile, tls, caFile, timeoutMs') },
  )

const DATABASE = databaseFor('bourse_engine')

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

const TLS = 'expected "off", or an object with certFile, keyFile and caFile'

const LINKS = z.strictObject(
  {
    secretFile: text(FILE),
    previousSecretFile: text(FILE).optional(),
    tls: z.union(
      [
        z.literal('off'),
        z.strictObject({ certFile: text(FILE), keyFile: text(FILE), caFile: text(FILE).optional() }),
      ],
      { error: TLS },
    ),
  },
  { error: known('secretFile, previousSecretFile and tls') },
)

const ENGINE = z.strictObject(
  {
    name: name(),
    link: link(),
    data: text('expected the path of a directory').optional(),
    admin: address().optional(),
    customers: address().optional(),
    monitoring: address().optional(),
  },
  { error: known('name, link, data, admin, customers, monitoring') },
)

const HISTORIAN = z.strictObject(
  {
    name: name(),
    link: link(),
    data: text('expected the path of a directory').optional(),
    monitoring: address().optional(),
  },
  { error: known('name, link, data, monitoring') },
)

const GATEWAY = z.strictObject(
  { name: name(), port: whole(PORT, 1, 65_535), monitoring: address().optional() },
  { error: known('name, port, monitoring') },
)

const CUSTOMERS_PROCESS = z.strictObject(
  {
    name: name(),
    link: link(),
    data: text('expected the path of a directory').optional(),
    monitoring: address().optional(),
  },
  { error: known('name, link, data, monitoring') },
)

const LEADERSHIP = z.strictObject(
  {
    heartbeatMs: whole('expected a whole number from 20 to 10000', 20, 10_000).default(150),
    silenceMs: whole('expected a whole number from 100 to 60000', 100, 60_000).default(700),
    gatewayReadyMs: whole('expected a whole number from 0 to 3600000', 0, 3_600_000).default(30_000),
  },
  { error: known('heartbeatMs, silenceMs and gatewayReadyMs') },
)

const list = <Item extends z.ZodType>(item: Item, min: number, max: number) => {
  const expected = `expected a list of ${min} to ${max} entries`
  return z.array(item, { error: expected }).min(min, expected).max(max, expected)
}

const CUSTOMERS = z.strictObject(
  {
    exchangeSecretFile: text(FILE),
    previousExchangeSecretFile: text(FILE).optional(),
    gatewaySecretFile: text(FILE),
    previousGatewaySecretFile: text(FILE).optional(),
    store: databaseFor('bourse_customers').optional(),
    keys: databaseFor('bourse_customer_keys').optional(),
    processes: list(CUSTOMERS_PROCESS, 1, CUSTOMERS_MAX),
  },
  {
    error: known(
      'exchangeSecretFile, previousExchangeSecretFile, gatewaySecretFile, previousGatewaySecretFile, store, keys and processes',
    ),
  },
)

export const CLUSTER = z.strictObject(
  {
    database: DATABASE,
    durability: DURABILITY,
    link: LINKS.optional(),
    engines: list(ENGINE, 1, ENGINES_MAX).default([]),
    historians: list(HISTORIAN, 0, HISTORIANS_MAX).default([]),
    gateways: list(GATEWAY, 0, GATEWAYS_MAX).default([]),
    customers: CUSTOMERS.optional(),
    leadership: LEADERSHIP.prefault({}),
    masterKeyFile: text(FILE).optional(),
    settings: z.record(z.string(), z.unknown(), { error: 'expected an object with settings' }).optional(),
  },
  {
    error: known(
      'database, durability, link, engines, historians, gateways, customers, leadership, masterKeyFile and settings',
    ),
  },
)

/** The parsed file, each part separately. */
export type ClusterFile = z.infer<typeof CLUSTER>
