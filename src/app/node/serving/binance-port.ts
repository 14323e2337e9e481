/** The port for clients of Binance: the code of that wire is only loaded if the port is offered. */
import type { BinanceServer } from '../../../server/binance/binance-server.ts'
import type { TlsMaterial } from '../../../server/listener/renewable-listener.ts'
import type { ServerConfig } from '../../../server/public/public-server.ts'
import type { SharedParts } from '../../../server/public/shared-parts.ts'
import { bindPort } from './port.ts'

export const BINANCE_PORT_OPTION = '--binance-port'

/** Listens on the port; throws `PortFault`. */
export type OpenBinance = (
  server: ServerConfig,
  parts: SharedParts,
  tls: TlsMaterial | undefined,
  untilFresh?: () => Promise<void>,
) => BinanceServer

/** Undefined if no port is set; then nothing is loaded. */
export async function loadBinance(port: number | undefined): Promise<OpenBinance | undefined> {
  if (port === undefined) return undefined
  const { openBinanceServer } = await import('../../../server/binance/binance-server.ts')
  return (server, parts, tls, untilFresh) =>
    bindPort(server.hostname, port, BINANCE_PORT_OPTION, () =>
      openBinanceServer({ ...server, port }, parts, tls, untilFresh),
    )
}
