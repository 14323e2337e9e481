/** What a node serves its clients with: a gateway in its own process, or several in processes of their own. */

import type { LimitBans } from '../../../server/admin/context.ts'
import type { TlsMaterial } from '../../../server/listener/renewable-listener.ts'
import type { StreamUse } from '../../../server/monitoring/metrics.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { NodeExchange } from '../exchange.ts'

export interface ClientService {
  /** `http://host:port` or `https://host:port`, with the port that was really taken. */
  readonly url: string
  /** How many gateways. */
  readonly gateways: number
  /** The bans that limits have made, for operators. */
  readonly limitBans: LimitBans
  /** When an API key was last used; undefined: not since the start. */
  lastUsed(apiKey: string): TimeMs | undefined
  /** The exchange has recovered: what it gives out goes to clients from here on. What the stream counts of itself. */
  start(exchange: NodeExchange): StreamUse
  /** Lets clients in, under the name of the journal; until then every answer is STARTING. Resolves when they are served. */
  open(exchange: NodeExchange, journal: string): void | Promise<void>
  /** New connections get this certificate. */
  renewTls(tls: TlsMaterial): void
  /** Tells clients that the server stops `inMs` from now. To be followed by `stop`. */
  announceStop(inMs: number): void
  /** Answers what is under way, refuses the rest with STOPPING, closes everything. */
  stop(): Promise<void>
}
