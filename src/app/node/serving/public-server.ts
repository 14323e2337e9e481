/** The stage of a start that has the ports for probes and for clients. */

import type { ProgramVersion } from '../../../contract/program-version.ts'
import type { KeyRing } from '../../../server/access/auth/key-ring.ts'
import type { Logger } from '../../../server/common/logger.ts'
import type { TlsMaterial } from '../../../server/listener/renewable-listener.ts'
import type { GatewaysReading } from '../../../server/monitoring/metrics.ts'
import { Traffic, type TrafficReading } from '../../../server/monitoring/traffic.ts'
import type { ClientFront } from '../../../server/public/client-front.ts'
import type { Customers } from '../../customers/customers-process.ts'
import type { Settings } from '../../settings/defaults.ts'
import { gatewayCount } from '../../settings/gateway-count.ts'
import type { EngineStage } from '../engine-stage.ts'
import type { LoadedMasterKey } from '../load-master-key.ts'
import { storageOf } from '../storage/storage.ts'
import type { Taken } from '../taken.ts'
import { loadBinance } from './binance-port.ts'
import type { ClientService } from './client-service.ts'
import { LocalClients } from './local-clients.ts'
import { Monitoring } from './monitoring.ts'

export type PublicServerParts = {
  readonly settings: Settings
  readonly version: ProgramVersion
  readonly log: Logger
  readonly tls: TlsMaterial | undefined
  readonly masterKey: LoadedMasterKey
  readonly secretBox: KeyRing
  /** The layer in front of a gateway in this process; undefined if there is none. */
  readonly front?: ClientFront | undefined
  /** Undefined if there are no customers. */
  readonly customers?: Pick<Customers, 'service' | 'sessionKeys' | 'place'> | undefined
  readonly engine: Pick<EngineStage, 'clock' | 'clockBoard' | 'times' | 'meter' | 'storageWatch'>
}

export type PublicServer = {
  readonly clients: ClientService
  readonly monitoring: Monitoring
}

/** Until clients are served, every answer to them is STARTING. Throws `PortFault`. */
export async function openPublicServer(parts: PublicServerParts, taken: Taken): Promise<PublicServer> {
  const { settings } = parts
  const count = gatewayCount(settings.gateways)
  if (count === 1) {
    const traffic = new Traffic()
    const monitoring = openMonitoring(parts, traffic, taken)
    const openBinance = await loadBinance(settings.binance.port)
    const clients = new LocalClients({ ...parts, ...parts.engine, monitoring, traffic, openBinance })
    monitoring.serveClients(clients.port, clients.binancePort)
    taken.add('the port for clients', () => clients.stop())
    return { clients, monitoring }
  }
  // Loaded where it is used: a single gateway does not need it.
  const { GatewayFleet } = await import('../../gateways/gateway-fleet.ts')
  const { GatewaysMeter } = await import('../../gateways/gateway-meters.ts')
  const meter = new GatewaysMeter()
  const monitoring = openMonitoring(parts, meter, taken, meter)
  const clients = new GatewayFleet({ ...parts, ...parts.engine, count, meter })
  taken.add('the gateways', () => clients.stop())
  monitoring.health.require(() => meter.serving > 0)
  return { clients, monitoring }
}

function openMonitoring(
  { settings, version, log, tls, engine: { clock, meter, storageWatch } }: PublicServerParts,
  traffic: TrafficReading,
  taken: Taken,
  gateways?: GatewaysReading,
): Monitoring {
  const monitoring = new Monitoring({
    settings,
    version,
    log,
    engineMeter: meter,
    certificateEndMs: tls?.expiresAtMs,
    clock,
    storage: storageOf(settings).use,
    traffic,
    gateways,
  })
  monitoring.health.watchStop('STORAGE_FULL', () => storageWatch.isFull)
  taken.add('the port for probes', () => monitoring.stop())
  return monitoring
}
