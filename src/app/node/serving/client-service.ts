/** The service for clients of a node: a gateway in its own process, or several in separate processes. */

import type { LimitBans } from '../../../server/admin/context.ts'
import type { TlsMaterial } from '../../../server/listener/renewable-listener.ts'
import type { StreamUse } from '../../../server/monitoring/metrics.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { NodeExchange } from '../exchange.ts'

export interface ClientService {
  /** `http://host:port` or `https://host:port`, with the actual port. */
  readonly url: string
  /** The address of the port for clients of Binance; undefined if there is none. */
  readonly binanceUrl: string | undefined
  /** Number of gateways. */
  readonly gateways: number
  /** The bans caused by limits, for operators. */
  readonly limitBans: LimitBans
  /** The time at which an API key was last used; undefined if it was not used since the start. */
  lastUsed(apiKey: string): TimeMs | undefined
  /**
   * The exchange has recovered: its output is sent to clients from here on. Returns the stream's own counts.
   */
  start(exchange: NodeExchange): StreamUse
  /**
   * Admits clients, under the name of the journal; until then every answer is STARTING. Resolves when they
   * are served.
   */
  open(exchange: NodeExchange, journal: string): void | Promise<void>
  /** New connections get this certificate. */
  renewTls(tls: TlsMaterial): void
  /** Notifies clients that the server stops `inMs` from now. Must be followed by `stop`. */
  announceStop(inMs: number): void
  /** Answers pending requests, refuses new ones with STOPPING, closes everything. */
  stop(): Promise<void>
}
