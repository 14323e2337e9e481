/**
 * What a node is told from outside, once it has been checked. Units stand in the names.
 */
import { DEFAULT_FOLLOWER_LIMITS, type FollowerLimits } from '../../engine/follower-limits.ts'
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from '../../engine/limits.ts'
import { GATEWAY_DEFAULTS, type GatewayConfig, SANDBOX_GATEWAY } from '../../gateway/gateway-config.ts'
import { SERVER_DEFAULTS, type ServerConfig } from '../../gateway/server.ts'
import { SERVE_STREAM, STREAM_DEFAULTS, type StreamConfig } from '../../gateway/stream/config.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type Settings = {
  readonly dataDirectory: string
  /** `hostname` and `port` of the one public port, and its sockets' limits. */
  readonly server: ServerConfig
  /** Port of the admin door on the loopback address; 0: any free one. */
  readonly adminPort: number
  readonly logLevel: LogLevel
  /** See `RecoveryOptions`. */
  readonly acceptJournalTail: boolean
  /** The key that secrets are sealed with, as text; undefined: the data directory has it. */
  readonly masterKey: string | undefined
  readonly gateway: GatewayConfig
  readonly stream: StreamConfig
  readonly engine: EngineLimits
  readonly follower: FollowerLimits
}

/** What holds where nothing was said; without a data directory, one must be named. */
export type Defaults = Omit<Settings, 'dataDirectory'> & { readonly dataDirectory: string | undefined }

export const SERVE_DEFAULTS: Defaults = {
  dataDirectory: undefined,
  server: SERVER_DEFAULTS,
  adminPort: 0,
  logLevel: 'info',
  acceptJournalTail: false,
  masterKey: undefined,
  gateway: GATEWAY_DEFAULTS,
  stream: SERVE_STREAM,
  engine: DEFAULT_ENGINE_LIMITS,
  follower: DEFAULT_FOLLOWER_LIMITS,
}

/** For trying things out: logs only what is wrong, and limits that a hand or a test suite never meets. */
export const SANDBOX_DEFAULTS: Defaults = {
  ...SERVE_DEFAULTS,
  dataDirectory: 'data/sandbox',
  logLevel: 'warn',
  gateway: SANDBOX_GATEWAY,
  stream: STREAM_DEFAULTS,
}
