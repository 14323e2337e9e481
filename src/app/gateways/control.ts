/**
 * Messages from the main process to a gateway's process, as lines of JSON on its standard input: no other
 * process can read them, no process list shows them, and the end of the input means that the main process has
 * ended.
 */

import type { ProgramVersion } from '../../contract/program-version.ts'
import type { TlsMaterial } from '../../server/listener/renewable-listener.ts'
import type { GatewayConfig } from '../../server/public/gateway-config.ts'
import type { ServerConfig } from '../../server/public/public-server.ts'
import type { StreamConfig } from '../../server/stream/config.ts'
import type { CustomersPlace } from '../customers/order.ts'
import type { LogLevel } from '../settings/defaults.ts'

/** The first line that the gateway reads. */
export type StartGateway = {
  readonly kind: 'start'
  readonly name: string
  /** Number of gateways. */
  readonly gateways: number
  readonly version: ProgramVersion
  readonly logLevel: LogLevel
  /** With the port that all share. */
  readonly server: ServerConfig
  /** The port that all share for clients of Binance; absent if there is none. */
  readonly binancePort?: number | undefined
  readonly config: GatewayConfig
  readonly stream: StreamConfig
  readonly tls: TlsMaterial | undefined
  /** In hexadecimal digits, the newest first. */
  readonly masterKeys: readonly string[]
  /** The path of the engine's socket. */
  readonly socketPath: string
  /** The socket of each gateway for requests forwarded by others, by the gateway's name. */
  readonly peerSockets: Readonly<Record<string, string>>
  /** Shared by the two ends of the link. */
  readonly secret: string
  /** The socket of the customers' process; absent if there is none. */
  readonly customers?: CustomersPlace | undefined
}

export type GatewayOrder =
  | StartGateway
  /** The engine can be reached. */
  | { readonly kind: 'serve' }
  | { readonly kind: 'renewTls'; readonly tls: TlsMaterial }
  /** A new master key, in hexadecimal digits: secrets may be sealed under it from now on. */
  | { readonly kind: 'masterKey'; readonly newest: string }
  /** No secret is sealed under the previous key any more. */
  | { readonly kind: 'retireMasterKey' }
  | { readonly kind: 'announceStop'; readonly inMs: number }
  | { readonly kind: 'stop' }

/** Never throws or rejects: the reader may just have ended, which is detected by its exit. */
export function writeOrder(input: Pick<Bun.FileSink, 'write' | 'flush'>, order: GatewayOrder): void {
  const line = `${JSON.stringify(order)}\n`
  // The runtime reports a closed pipe by a rejected promise of either call, or throws.
  for (const step of [async () => input.write(line), async () => input.flush()]) step().catch(() => {})
}
