/** Health and metrics of a node: the counts, their sources, and the server that shows them to operators. */

import type { AdminBackups, AdminCluster, AdminLoad, AdminMetrics } from '../../../contract/admin/records.ts'
import type { ProgramVersion } from '../../../contract/program-version.ts'
import type { FollowerNote } from '../../../engine/follower/note.ts'
import { type EngineMeter, LoopMeter, type StorageUse } from '../../../engine/writer/meters.ts'
import type { ServerClock } from '../../../engine/writer/server-clock.ts'
import type { Logger } from '../../../server/common/logger.ts'
import type {
  ClusterUse,
  PeersUse,
  StandbysUse,
  StandbyUse,
} from '../../../server/monitoring/cluster-metrics.ts'
import type { CustomersReading } from '../../../server/monitoring/customer-metrics.ts'
import { Health } from '../../../server/monitoring/health.ts'
import { healthAnswers } from '../../../server/monitoring/health-answers.ts'
import { LOAD_EVERY_MS, LoadHistory } from '../../../server/monitoring/load-history.ts'
import { MarketMeter } from '../../../server/monitoring/market-meter.ts'
import {
  type BooksMeter,
  type GatewaysReading,
  nodeMetrics,
  type RunningParts,
} from '../../../server/monitoring/metrics.ts'
import { type MonitoringServer, openMonitoringServer } from '../../../server/monitoring/monitoring-server.ts'
import { RefusalWatch } from '../../../server/monitoring/refusal-watch.ts'
import type { TrafficReading } from '../../../server/monitoring/traffic.ts'
import type { WebhookUse } from '../../../server/monitoring/webhook-metrics.ts'
import type { Pages } from '../../../server/public/gateway.ts'
import { watchLoop } from '../../../transport/thread/loop-watch.ts'
import { guarded } from '../../../units/guarded.ts'
import type { ExchangePhase } from '../../../units/order-enums.ts'
import { readLastBackup } from '../../maintenance/backup/last-backup.ts'
import { faultsOf } from '../../process/background.ts'
import { ConnectionWatch, connectionTerms } from '../../process/connection-watch.ts'
import { cpuSeconds, processUse } from '../../process/process-use.ts'
import type { Settings } from '../../settings/defaults.ts'
import type { FollowerWorkerNote } from '../threads.ts'
import { bindPort, reachableUrl } from './port.ts'

export type MonitoringOptions = {
  readonly settings: Settings
  readonly version: ProgramVersion
  readonly log: Logger
  readonly engineMeter: EngineMeter
  readonly certificateEndMs: number | undefined
  readonly clock: Pick<ServerClock, 'status'>
  /** The used and free space of the storage. */
  readonly storage: () => StorageUse
  readonly traffic: TrafficReading
  /** Undefined if there is only one gateway, in this process. */
  readonly gateways: GatewaysReading | undefined
  /** The status of a cluster's engine; undefined outside a cluster. */
  readonly cluster?: () => ClusterUse
  /** The status of that cluster, for its operators. */
  readonly member?: () => Pick<AdminCluster, 'name' | 'members' | 'customers'>
  /** The status of a standby; undefined if the process is not a standby. */
  readonly standby?: () => StandbyUse
}

export class Monitoring {
  readonly health: Health
  readonly market = new MarketMeter()
  /** `http://host:port`, the address for a program on this machine. */
  readonly url: string
  /** Undefined if the journal is in a database. */
  readonly #backups: (() => AdminBackups) | undefined
  readonly #books: BooksMeter = { reconciledSeq: 0, alarms: 0 }
  readonly #server: MonitoringServer
  readonly #metrics: { readonly text: () => Promise<string> }
  readonly #load: LoadHistory
  readonly #connections: ConnectionWatch
  #clientPort: number | undefined
  #otherClientPort: number | undefined
  readonly #stopWatching: () => void
  readonly #member: MonitoringOptions['member']
  #certificateEndMs: number | undefined
  #running: RunningParts | undefined
  #standbys: () => StandbysUse = () => []
  #webhooks: () => readonly WebhookUse[] = () => []
  #customers: () => Promise<CustomersReading | undefined> = async () => undefined
  /** Undefined if the node has no automatic archiving. */
  #hasArchiveFailed: (() => boolean) | undefined
  #peers: () => PeersUse = () => ({ servedTwice: 0, superseded: 0 })

  /** Opens the server at once, so that a long start can be watched. Throws `PortFault`. */
  constructor(options: MonitoringOptions) {
    const { settings, version, log, engineMeter, certificateEndMs, clock, storage, cluster, standby } =
      options
    const { traffic, gateways } = options
    this.health = new Health(
      () => performance.timeOrigin + performance.now(),
      () => clock.status().isTrusted,
    )
    const { health, market } = this
    this.#member = options.member
    this.#backups = cluster === undefined ? () => readLastBackup(settings.dataDirectory) : undefined
    const mainLoop = new LoopMeter()
    const stopWatching = watchLoop(mainLoop)
    this.#load = new LoadHistory({
      ...{ engineMeter, traffic },
      trades: () => this.market.trades,
      cpuSeconds,
    })
    const refusals = new RefusalWatch(traffic.refusals, () => this.market.ordersPlaced)
    health.watchStop('ORDERS_REFUSED', () => refusals.isRefused)
    this.#watchMarket()
    const stopChecking = watchLoad(this.#load, refusals, log)
    this.#connections = new ConnectionWatch({
      ...{ log, clientPort: () => this.#clientPort, otherClientPort: () => this.#otherClientPort },
      ...connectionTerms(settings),
    })
    this.#stopWatching = () => {
      stopWatching()
      stopChecking()
      this.#connections.stop()
    }
    health.watch('engine', engineMeter.loop)
    watchOthers(health, options)
    this.#certificateEndMs = certificateEndMs
    const parts = {
      version,
      health,
      traffic,
      gateways,
      marketMeter: market,
      engineMeter,
      mainLoop,
      books: this.#books,
      process: processUse,
      descriptors: () => this.#connections.use,
      storage,
      backups: this.#backups,
      archiveFailed: () => this.#hasArchiveFailed?.(),
      certificateEndMs: () => this.#certificateEndMs,
      clock: () => clock.status(),
      cluster,
      standbys: settings.replication.listen === undefined ? undefined : () => this.#standbys(),
      peers: settings.replication.secretFile === undefined ? undefined : () => this.#peers(),
      standby,
      ...(cluster === undefined && standby === undefined ? this.#ofNode() : {}),
    }
    const metrics = nodeMetrics({
      ...{ parts, running: () => this.#running, now: () => Date.now() },
      onFault: faultsOf(log, 'reading a metric'),
    })
    this.#metrics = metrics
    const { host, port } = settings.monitoring
    this.#server = bindPort(host, port, '--monitoring-port', () =>
      openMonitoringServer({ hostname: host, port, health, metrics, log }),
    )
    this.url = reachableUrl(this.#server.url)
  }

  /** Sources that only a node has. */
  #ofNode() {
    return { webhooks: () => this.#webhooks(), customers: () => this.#customers() }
  }

  /** Health on the public port, then the other pages. */
  pages(others: Pages): Pages {
    const answers = healthAnswers(this.health, 'plain')
    return (request, path) => answers(request, path) ?? others(request, path)
  }

  /** The content of the monitoring server, for the admin server. */
  async read(): Promise<AdminMetrics> {
    const { ok, phase, journal, degraded, cluster } = this.health.ready()
    const backups = this.#backups?.() ?? null
    const clusterStatus =
      cluster === undefined || this.#member === undefined
        ? null
        : {
            ...this.#member(),
            role: cluster.role ?? '',
            leader: cluster.leader ?? null,
            epoch: cluster.epoch,
          }
    const text = await this.#metrics.text()
    return { ready: ok, phase, journal, degraded, cluster: clusterStatus, backups, text }
  }

  /** The recent load, for the admin server: entries later than `afterMs`, milliseconds since 1970. */
  load(afterMs: number): readonly AdminLoad[] {
    return this.#load.after(afterMs)
  }

  /** Markets and phases closed by operators. */
  #watchMarket(): void {
    const registry = () => this.#running?.market.registry
    const isIn = (phase: ExchangePhase) => () => registry()?.phases.current.phase === phase
    this.health.watchStop('EXCHANGE_CANCEL_ONLY', isIn('CANCEL_ONLY'))
    this.health.watchStop('EXCHANGE_CLOSED', isIn('CLOSED'))
    this.health.watchStop('NO_SYMBOL_TRADING', () => {
      const listed = (registry()?.symbols() ?? []).filter(({ state }) => state !== 'DELISTED')
      return listed.length > 0 && !listed.some(({ state }) => state === 'TRADING')
    })
  }

  /** The reasons, as words, why the node accepts no order at all. */
  get orderStops(): readonly string[] {
    return this.health.orderStops
  }

  /** Registers a port to which clients connect, on servers of this process. */
  serveClients(port: number, otherPort?: number): void {
    this.#clientPort = port
    this.#otherClientPort = otherPort
  }

  /** See `ConnectionWatch.goOn`. */
  goOn(peer: { readonly address: string; readonly port: number }): boolean {
    return this.#connections.goOn(peer)
  }

  /** Called when the node has recovered. */
  start(running: RunningParts): void {
    this.health.watch('follower', running.followerMeter.loop)
    this.#running = running
  }

  /** Called when the node serves its journal to standbys, or looks for other nodes of its exchange. */
  serveReplication({ standbys, peers }: { standbys: () => StandbysUse; peers: () => PeersUse }): void {
    this.#standbys = standbys
    this.#peers = peers
  }

  /** Registers automatic archiving: whether its last run failed. */
  watchArchive(hasFailed: () => boolean): void {
    this.#hasArchiveFailed = hasFailed
  }

  /** Registers the webhooks that the node sends. */
  watchWebhooks(use: () => readonly WebhookUse[]): void {
    this.#webhooks = use
  }

  /** Registers the customers' service, where people sign up by themselves. */
  watchCustomers(read: () => Promise<CustomersReading>): void {
    this.#customers = read
  }

  /** Called when the node's running parts have ended; they may start again. */
  pause(): void {
    this.#running = undefined
  }

  note(note: FollowerNote | FollowerWorkerNote): void {
    if (note.kind === 'Reconciled') this.#books.reconciledSeq = note.seq
    else if (note.kind === 'AuditFailed') this.#books.alarms++
    else if (note.kind === 'JournalConfirmed') this.health.journalFound('WHOLE')
    else if (note.kind === 'JournalDamaged') this.health.journalFound('DAMAGED')
  }

  certificateRenewed(endMs: number): void {
    this.#certificateEndMs = endMs
  }

  stop(): Promise<void> {
    this.#stopWatching()
    return this.#server.stop()
  }
}

/**
 * Checks at once and then periodically, until the returned function is called; it does not keep the process
 * running.
 */
function watchLoad(load: LoadHistory, refusals: RefusalWatch, log: Logger): () => void {
  const look = (): void => {
    load.look(Date.now())
    refusals.look(performance.now())
  }
  const timer = setInterval(guarded(look, faultsOf(log, 'the load monitor')), LOAD_EVERY_MS)
  timer.unref()
  look()
  return () => clearInterval(timer)
}

/** Adds to health what a cluster process, or a standby, reports about other processes. */
function watchOthers(health: Health, { cluster, standby }: MonitoringOptions): void {
  if (cluster !== undefined) {
    health.joinCluster(() => {
      const { role, leader, epoch, refusals } = cluster()
      return { role, leader, epoch, refusals }
    })
  }
  if (standby !== undefined) {
    health.followNode(() => {
      const { from, isLinked, behindCommands, lagMs } = standby()
      return { from, isLinked, behindCommands, lagMs }
    })
  }
}
