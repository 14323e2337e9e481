/** The settings of a node, after they have been checked. Units are in the names. */
import type { SignUpMode } from '../../contract/customers/sign-up.ts'
import { DEFAULT_FOLLOWER_LIMITS, type FollowerLimits } from '../../engine/follower/limits.ts'
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from '../../engine/port/limits.ts'
import { type ClockLimits, DEFAULT_CLOCK_LIMITS } from '../../engine/writer/journal-clock.ts'
import { GATEWAY_DEFAULTS, type GatewayConfig, SANDBOX_GATEWAY } from '../../server/public/gateway-config.ts'
import { SERVER_DEFAULTS, type ServerConfig } from '../../server/public/public-server.ts'
import { SERVE_STREAM, STREAM_DEFAULTS, type StreamConfig } from '../../server/stream/config.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Files of the certificate (with its chain) and of its private key, both PEM. */
export type TlsFiles = { readonly certFile: string; readonly keyFile: string }

/**
 * How standbys receive the journal of a node without a cluster, and how nodes of one exchange find each
 * other.
 */
export type ReplicationSettings = {
  /** The address for standbys: `host:port`, or the absolute path of a socket; undefined if there is none. */
  readonly listen?: string
  /** The secret that both ends share. */
  readonly secretFile?: string
  /** The previous secret, while it is being changed. */
  readonly previousSecretFile?: string
  /** Certificate authorities of the servers to which this process connects; undefined means the system's. */
  readonly caFile?: string
  /** Other addresses at which this exchange may be served: there a node finds out that it was superseded. */
  readonly peers: readonly string[]
}

/** Settings of automatic archiving. */
export type ArchiveSettings = {
  /** Commands of this number of days stay in the journal; undefined means no automatic archiving. */
  readonly keepDays?: number
  /** The directory of the archive's files; undefined means `archive` in the data directory. */
  readonly directory?: string
  /** The minimum number of days in a file. */
  readonly everyDays: number
  /** The time of day, in UTC, of the check for batches to archive: `03:30`. */
  readonly at: string
}

/** Customers who sign up themselves. */
export type CustomersSettings = {
  readonly isEnabled: boolean
  /** The name of the exchange in browsers and emails. */
  readonly name: string
  /** The domain that passkeys are bound to; undefined means `localhost`, for people on this machine. */
  readonly rpId?: string
  /** The addresses at which customers reach the exchange; empty means `localhost`, at the public port. */
  readonly origins: readonly string[]
  readonly signUp: SignUpMode
  /** The version of the terms that people agree to. */
  readonly termsVersion: number
  /** The SMTP server to which emails are handed; undefined if none are sent. */
  readonly mailHost?: string
  /** The server's port: 465 uses TLS from the start, all others STARTTLS. */
  readonly mailPort: number
  /** The sender's address of emails. */
  readonly mailFrom?: string
  readonly mailUser?: string
  /** The file whose first line is the password of the user. */
  readonly mailPasswordFile?: string
}

export type Settings = {
  readonly dataDirectory: string
  /** `hostname` and `port` of the one public port, and its sockets' limits. */
  readonly server: ServerConfig
  /** The number of gateways that serve clients; `auto`: as many as the cores allow (`gatewayCount`). */
  readonly gateways: number | 'auto'
  /** Undefined if the public port uses plain HTTP. */
  readonly tls: TlsFiles | undefined
  /** Address of the admin server: a loopback address, or another one, which requires a certificate. */
  readonly adminHost: string
  /** Port of the admin server there; 0 means any free one. */
  readonly adminPort: number
  /** The address for health and metrics; port 0 means any free one. */
  readonly monitoring: { readonly host: string; readonly port: number }
  readonly logLevel: LogLevel
  /** Time for which a stopping node continues to serve while it reports that it is not ready. */
  readonly drainDelayMs: number
  /** This start creates a new exchange if there is none; see `requireExchange`. */
  readonly isInit: boolean
  /** See `RecoveryOptions`. */
  readonly acceptJournalTail: boolean
  /** Whether to trust the clock, however far it is ahead of the journal. */
  readonly acceptClock: boolean
  /** The key that seals secrets, as text; undefined if it is in the data directory. */
  readonly masterKey: string | undefined
  /** The previous master key, while it is being rotated; undefined if nothing is sealed with another key. */
  readonly masterKeyPrevious: string | undefined
  readonly gateway: GatewayConfig
  /**
   * Port for clients of Binance, on the public port's address; 0 means any free one; undefined if there is
   * none.
   */
  readonly binance: { readonly port?: number }
  readonly stream: StreamConfig
  readonly engine: EngineLimits
  readonly clock: ClockLimits
  readonly follower: FollowerLimits
  readonly replication: ReplicationSettings
  readonly webhooks: {
    /** Webhooks may be sent to addresses of this machine and its network, and without TLS. */
    readonly privateAddresses: boolean
  }
  readonly archive: ArchiveSettings
  readonly customers: CustomersSettings
}

/** Default values; the data directory has none and must be given. */
export type Defaults = Omit<Settings, 'dataDirectory'> & { readonly dataDirectory: string | undefined }

export const SERVE_DEFAULTS: Defaults = {
  dataDirectory: undefined,
  server: SERVER_DEFAULTS,
  gateways: 1,
  tls: undefined,
  adminHost: '127.0.0.1',
  adminPort: 0,
  monitoring: { host: '127.0.0.1', port: 0 },
  logLevel: 'info',
  drainDelayMs: 0,
  isInit: false,
  acceptJournalTail: false,
  acceptClock: false,
  masterKey: undefined,
  masterKeyPrevious: undefined,
  gateway: GATEWAY_DEFAULTS,
  binance: {},
  stream: SERVE_STREAM,
  engine: DEFAULT_ENGINE_LIMITS,
  clock: DEFAULT_CLOCK_LIMITS,
  follower: DEFAULT_FOLLOWER_LIMITS,
  replication: { peers: [] },
  webhooks: { privateAddresses: false },
  archive: { everyDays: 30, at: '03:30' },
  customers: {
    isEnabled: false,
    name: 'Bourse',
    origins: [],
    signUp: 'CLOSED',
    termsVersion: 1,
    mailPort: 587,
  },
}

/** A laptop that was closed for a while needs no confirmation; a clock that is years ahead does. */
const SANDBOX_CLOCK_MS = 366 * 24 * 60 * 60_000

/** For experiments: logs only problems, and has limits that manual use or a test suite never reaches. */
export const SANDBOX_DEFAULTS: Defaults = {
  ...SERVE_DEFAULTS,
  dataDirectory: 'data/sandbox',
  logLevel: 'warn',
  server: { ...SERVER_DEFAULTS, connectionsPerAddressMax: 20_000 },
  gateway: SANDBOX_GATEWAY,
  binance: { port: 0 },
  stream: STREAM_DEFAULTS,
  clock: { jumpMaxMs: SANDBOX_CLOCK_MS, startJumpMaxMs: SANDBOX_CLOCK_MS },
  customers: { ...SERVE_DEFAULTS.customers, isEnabled: true, name: 'Bourse sandbox', signUp: 'OPEN' },
}
