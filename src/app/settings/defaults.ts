/**
 * What a node is given from outside, once it has been checked. Units stand in the names.
 */
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

/** How standbys get the journal of a node that is in no cluster, and how nodes of one exchange meet. */
export type ReplicationSettings = {
  /** Where standbys connect: `host:port`, or the absolute path of a socket; undefined: nowhere. */
  readonly listen?: string
  /** The secret that both ends know. */
  readonly secretFile?: string
  /** The one before it, while it is being changed. */
  readonly previousSecretFile?: string
  /** Who vouches for the certificates of those that this process connects to; undefined: the system's authorities. */
  readonly caFile?: string
  /** Where else this exchange may be served: a node that has been taken over from finds out there. */
  readonly peers: readonly string[]
}

/** What a node does by itself about its older commands. */
export type ArchiveSettings = {
  /** Commands of so many days stay in the journal; undefined: nothing is archived by itself. */
  readonly keepDays?: number
  /** Where the files go; undefined: `archive` in the data directory. */
  readonly directory?: string
  /** A file has at least so many days. */
  readonly everyDays: number
  /** The time of the day at which it is looked for what may go, UTC: `03:30`. */
  readonly at: string
}

export type Settings = {
  readonly dataDirectory: string
  /** `hostname` and `port` of the one public port, and its sockets' limits. */
  readonly server: ServerConfig
  /** How many gateways serve clients; `auto`: as many as the cores allow (`gatewayCount`). */
  readonly gateways: number | 'auto'
  /** Undefined: the public port speaks plain HTTP. */
  readonly tls: TlsFiles | undefined
  /** Address of the admin server: the loopback's, or another one, for which there must be a certificate. */
  readonly adminHost: string
  /** Port of the admin server there; 0: any free one. */
  readonly adminPort: number
  /** Where health and metrics are served; port 0: any free one. */
  readonly monitoring: { readonly host: string; readonly port: number }
  readonly logLevel: LogLevel
  /** How long a node that is to stop goes on serving while it says that it is not ready. */
  readonly drainDelayMs: number
  /** This start makes a new exchange where there is none; see `requireExchange`. */
  readonly isInit: boolean
  /** See `RecoveryOptions`. */
  readonly acceptJournalTail: boolean
  /** What the clock shows is right, however far it is ahead of the journal. */
  readonly acceptClock: boolean
  /** The key that secrets are sealed with, as text; undefined: the data directory has it. */
  readonly masterKey: string | undefined
  /** The one before it, while it is being rotated; undefined: nothing is sealed with another. */
  readonly masterKeyPrevious: string | undefined
  readonly gateway: GatewayConfig
  readonly stream: StreamConfig
  readonly engine: EngineLimits
  readonly clock: ClockLimits
  readonly follower: FollowerLimits
  readonly replication: ReplicationSettings
  readonly webhooks: {
    /** They may be sent to addresses of this machine and its network, and without TLS. */
    readonly privateAddresses: boolean
  }
  readonly archive: ArchiveSettings
}

/** What holds where nothing was said; without a data directory, one must be named. */
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
  stream: SERVE_STREAM,
  engine: DEFAULT_ENGINE_LIMITS,
  clock: DEFAULT_CLOCK_LIMITS,
  follower: DEFAULT_FOLLOWER_LIMITS,
  replication: { peers: [] },
  webhooks: { privateAddresses: false },
  archive: { everyDays: 30, at: '03:30' },
}

/** A laptop that was shut for a while is no reason to ask anybody; a clock that is years ahead is. */
const SANDBOX_CLOCK_MS = 366 * 24 * 60 * 60_000

/** For trying things out: logs only what is wrong, and limits that a hand or a test suite never meets. */
export const SANDBOX_DEFAULTS: Defaults = {
  ...SERVE_DEFAULTS,
  dataDirectory: 'data/sandbox',
  logLevel: 'warn',
  server: { ...SERVER_DEFAULTS, connectionsPerAddressMax: 20_000 },
  gateway: SANDBOX_GATEWAY,
  stream: STREAM_DEFAULTS,
  clock: { jumpMaxMs: SANDBOX_CLOCK_MS, startJumpMaxMs: SANDBOX_CLOCK_MS },
}
