/**
 * The process of a gateway of a cluster (`bourse gateway`): the public port on links to the engines, and
 * health and metrics on a separate port. It has no directory and no role in the database; engines and
 * historians store all durable data.
 */

import { randomBytes } from 'node:crypto'
import type { ProgramVersion } from '../../contract/program-version.ts'
import { LoopMeter } from '../../engine/writer/meters.ts'
import { KeyRing } from '../../server/access/auth/key-ring.ts'
import { SessionKeys } from '../../server/access/auth/session-keys.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { TlsMaterial } from '../../server/listener/renewable-listener.ts'
import { gatewayMetrics } from '../../server/monitoring/gateway-metrics.ts'
import { Health } from '../../server/monitoring/health.ts'
import { healthAnswers } from '../../server/monitoring/health-answers.ts'
import { type MonitoringServer, openMonitoringServer } from '../../server/monitoring/monitoring-server.ts'
import { Traffic } from '../../server/monitoring/traffic.ts'
import type { AnsweredRequest, Pages } from '../../server/public/gateway.ts'
import type { Stream } from '../../server/stream/stream.ts'
import type { SocketEnd } from '../../transport/process-sockets.ts'
import { watchLoop } from '../../transport/thread/loop-watch.ts'
import { AccountChoice } from '../customers/account-choice.ts'
import { CustomersPool } from '../customers/customers-pool.ts'
import { createPage } from '../node/page/create-page.ts'
import type { OpenBinance } from '../node/serving/binance-port.ts'
import { bindPort, reachableUrl } from '../node/serving/port.ts'
import { readTls, renewTls } from '../node/serving/tls.ts'
import { backgroundScheduler, faultsOf } from '../process/background.ts'
import { ConnectionWatch, connectionTerms } from '../process/connection-watch.ts'
import { processUse } from '../process/process-use.ts'
import { RestartFault, type RunningProcess } from '../process/run-node.ts'
import type { Settings } from '../settings/defaults.ts'
import { readMeters } from './gateway-meters.ts'
import type { ClusterGatewaySettings } from './gateway-options.ts'
import { LinkedGateway } from './linked-gateway.ts'
import { SharedCounts } from './shared-counts.ts'

export type GatewayProcessOptions = ClusterGatewaySettings & {
  readonly version: ProgramVersion
  readonly log: Logger
  /** Opens the port for clients of Binance; undefined if there is none. */
  readonly openBinance?: OpenBinance | undefined
}

type OpenedParts = {
  readonly traffic: Traffic
  readonly tls: TlsMaterial | undefined
  readonly sessionKeys: SessionKeys | undefined
}

export class GatewayProcess implements RunningProcess {
  readonly failed: Promise<never>
  readonly #options: GatewayProcessOptions
  readonly #gateway: LinkedGateway
  readonly #counts: SharedCounts
  readonly #health: Health
  readonly #monitoring: MonitoringServer
  readonly #stopWatching: () => void
  readonly #connections: ConnectionWatch
  /** Undefined if the cluster has no customers. */
  readonly #customers: CustomersPool | undefined
  #certificateEndMs: number | undefined
  #stream: Stream | undefined

  /**
   * Opens its ports and looks for the leading engine; until it is found every answer is STARTING. Throws
   * `PortFault`, `SettingsError`.
   */
  constructor(options: GatewayProcessOptions) {
    this.#options = options
    const { settings, name, gateways, log, readyMs } = options
    const tls = settings.tls === undefined ? undefined : readTls(settings.tls)
    this.#certificateEndMs = tls?.expiresAtMs
    const traffic = new Traffic()
    const loop = new LoopMeter()
    this.#stopWatching = watchLoop(loop)
    this.#health = new Health(
      () => performance.timeOrigin + performance.now(),
      () => this.#gateway.clock.status().isTrusted,
    )
    this.#health.joinCluster(() => ({
      leader: this.#gateway.leader?.name,
      epoch: this.#gateway.leader?.epoch ?? 0,
      refusals: this.#gateway.refusals,
    }))
    this.#health.require(() => (this.#gateway.staleMs ?? 0) <= readyMs)
    const { customers } = options
    if (customers !== undefined) this.#customers = new CustomersPool(() => customers.current, log)
    // The leading engine ends sessions that no gateway uses.
    const sessionKeys = customers && new SessionKeys(() => performance.now(), Number.POSITIVE_INFINITY)
    this.#counts = new SharedCounts({
      sessionKeys,
      limits: settings.gateway.limits,
      gateways,
      now: () => this.#gateway.clock.steady(),
      meters: () =>
        readMeters({
          ...{ traffic, stream: () => this.#stream, loop },
          descriptors: () => this.#connections.use,
        }),
      scheduler: backgroundScheduler(log, 'the report of counts'),
    })
    this.#gateway = this.#openGateway(options, { traffic, tls, sessionKeys })
    this.#connections = new ConnectionWatch({
      ...{ log, clientPort: () => this.#gateway.port, otherClientPort: () => this.#gateway.binancePort },
      ...connectionTerms(settings),
    })
    this.#monitoring = this.#openMonitoring(traffic, loop)
    this.failed = this.#gateway.otherJournal.catch((cause: unknown) => {
      throw new RestartFault(cause instanceof Error ? cause.message : String(cause), { cause })
    })
    this.failed.catch(() => {})
    log.info({ name, url: this.url }, 'the gateway is looking for the leading engine')
  }

  /** `http://host:port`, the address for a program on this machine. */
  get url(): string {
    return reachableUrl(this.#gateway.url)
  }

  /** Like `url`, for health and metrics. */
  get monitoringUrl(): string {
    return reachableUrl(this.#monitoring.url)
  }

  /** Resolves when clients are served. */
  get opened(): Promise<void> {
    return this.#gateway.opened
  }

  renewCertificate(): void {
    const { settings, log, links, customers } = this.#options
    links.renew(log)
    customers?.renew(log)
    const renewed = renewTls(this.#gateway, settings.tls, log)
    if (renewed !== undefined) this.#certificateEndMs = renewed.expiresAtMs
  }

  async drain(): Promise<void> {
    const { drainDelayMs } = this.#options.settings
    this.#health.enter('STOPPING')
    this.#gateway.announceStop(drainDelayMs)
    if (drainDelayMs > 0) await Bun.sleep(drainDelayMs)
  }

  /** Stops. The last counts are sent over the link before it closes. */
  async stop(): Promise<void> {
    this.#gateway.announceStop(0)
    await this.#gateway.stop(() => this.#counts.stop())
    this.#customers?.stop()
    await this.#monitoring.stop()
    this.#stopWatching()
    this.#connections.stop()
  }

  async abandon(): Promise<void> {
    this.#health.enter('FAILED')
    this.#gateway.close()
    await this.stop()
  }

  #openGateway(
    { name, settings, links, masterKey, log, openBinance }: GatewayProcessOptions,
    { traffic, tls, sessionKeys }: OpenedParts,
  ): LinkedGateway {
    const pool = this.#customers
    const ofCustomers = pool && { sessionKeys, accounts: new AccountChoice(pool) }
    const { hostname, port } = settings.server
    const { nonces, addresses, orders, keyUse } = this.#counts
    const onAnswered = onAnsweredOf(settings, log)
    const goOn = tls === undefined ? { goOn: (peer: SocketEnd) => this.#connections.goOn(peer) } : {}
    return bindPort(
      hostname,
      port,
      '--port',
      () =>
        new LinkedGateway({
          ...{ name, links: () => links.current, log, tls, openBinance },
          server: settings.server,
          config: settings.gateway,
          stream: settings.stream,
          secretBox: new KeyRing(masterKey, (size) => randomBytes(size)),
          parts: {
            traffic,
            pages: this.#pages(),
            ...ofCustomers,
            ...goOn,
            nonces,
            addresses,
            orders,
            keyUse,
            ...onAnswered,
          },
          onLinked: (link) => this.#counts.join(link),
          onOpened: (stream) => this.#opened(stream),
          onLive: (isLive) => {
            if (isLive) this.#counts.serving()
          },
        }),
    )
  }

  #openMonitoring(traffic: Traffic, loop: LoopMeter): MonitoringServer {
    const { settings, version, log } = this.#options
    const { host, port } = settings.monitoring
    const metrics = gatewayMetrics({
      ...{ version, health: this.#health, traffic, loop },
      process: processUse,
      descriptors: () => this.#connections.use,
      certificateEndMs: () => this.#certificateEndMs,
      stream: () => this.#stream,
      leader: () => this.#gateway.leader,
      staleMs: () => this.#gateway.staleMs,
      seq: () => this.#gateway.seq,
      historians: () => this.#gateway.linkedHistorians,
      customers: () => this.#customers?.linked,
      now: () => Date.now(),
      onFault: faultsOf(log, 'reading a metric'),
    })
    return bindPort(host, port, 'gateways[].monitoring', () =>
      openMonitoringServer({ hostname: host, port, health: this.#health, metrics, log }),
    )
  }

  #pages(): Pages {
    const health = healthAnswers(this.#health, 'plain')
    const page = createPage({ hasCustomers: this.#customers !== undefined })
    return (request, path) => health(request, path) ?? page(request, path)
  }

  #opened(stream: Stream): void {
    this.#stream = stream
    this.#health.enter('READY')
  }
}

function onAnsweredOf({ logLevel }: Settings, log: Logger) {
  if (logLevel !== 'debug') return {}
  return { onAnswered: (answered: AnsweredRequest) => log.info(answered, 'answered') }
}
