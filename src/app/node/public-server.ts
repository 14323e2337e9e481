/** The stage of a start that has the ports for clients and for probes. */

import type { SecretBox } from '../../gateway/access/auth/secret-box.ts'
import type { Logger } from '../../gateway/common/logger.ts'
import { type AnsweredRequest, createGateway } from '../../gateway/public/gateway.ts'
import { type HttpServer, openServer } from '../../gateway/public/public-server.ts'
import type { TlsMaterial } from '../../gateway/server/renewable-listener.ts'
import { createPage } from '../page/create-page.ts'
import type { Settings } from '../settings/defaults.ts'
import { storageOf } from '../storage/storage.ts'
import type { EngineStage } from './engine-stage.ts'
import { Monitoring } from './monitoring.ts'
import { bindPort } from './port.ts'
import type { Taken } from './taken.ts'

export type PublicServerParts = {
  readonly settings: Settings
  readonly version: string
  readonly log: Logger
  readonly tls: TlsMaterial | undefined
  readonly secretBox: SecretBox
  readonly engine: Pick<EngineStage, 'clock' | 'meter'>
}

export type PublicServer = {
  readonly gateway: ReturnType<typeof createGateway>
  readonly server: HttpServer
  readonly monitoring: Monitoring
}

/** Until the server is opened for an exchange, every answer is STARTING. Throws `PortFault`. */
export function openPublicServer(
  { settings, version, log, tls, secretBox, engine }: PublicServerParts,
  taken: Taken,
): PublicServer {
  const { clock, meter } = engine
  const monitoring = new Monitoring({
    settings,
    version,
    log,
    engineMeter: meter,
    certificateEndMs: tls?.expiresAtMs,
    clock,
    storage: storageOf(settings).use,
  })
  taken.add('the port for probes', () => monitoring.stop())
  const { hostname, port } = settings.server
  const isLogged = settings.logLevel === 'debug'
  const gateway = createGateway({
    config: settings.gateway,
    clock,
    secretBox,
    logger: log,
    pages: monitoring.pages(createPage()),
    traffic: monitoring.traffic,
    ...(isLogged ? { onAnswered: (answered: AnsweredRequest) => log.info(answered, 'answered') } : {}),
  })
  const server = bindPort(hostname, port, '--port', () => openServer(settings.server, gateway, tls))
  taken.add('the port for clients', () => server.stop())
  return { gateway, server, monitoring }
}
