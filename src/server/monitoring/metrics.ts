import { addBackups } from './backup-metrics.ts'
/**
 * Every metric of a node, in the order of an order's life. Metrics cost only their reading, because the
 * numbers are counted anyway. The reference lists them; a test compares it, the dashboard and the alert rules
 * with the exported metrics.
 */

import { Registry } from 'prom-client'
import type { AdminBackups } from '../../contract/admin/records.ts'
import { ORDER_STOP_WORDS } from '../../contract/api/order-stops.ts'
import type { ProgramVersion } from '../../contract/program-version.ts'
import { negated } from '../../core/ledger/money.ts'
import type { Asset } from '../../core/registry/records.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import type { Histogram } from '../../engine/writer/histogram.ts'
import type { ClockReading } from '../../engine/writer/journal-clock.ts'
import type { EngineMeter, FollowerMeter, LoopMeter, StorageUse } from '../../engine/writer/meters.ts'
import type { OnFault } from '../../units/guarded.ts'
import { FEES_ACCOUNT, OUTSIDE_ACCOUNT } from '../../units/ids.ts'
import { EXCHANGE_PHASES } from '../../units/order-enums.ts'
import type { Amount } from '../../units/quantities.ts'
import type { MarketData } from '../../views/market-data.ts'
import {
  addCluster,
  addPeers,
  addStandby,
  addStandbys,
  type ClusterUse,
  type PeersUse,
  type StandbysUse,
  type StandbyUse,
} from './cluster-metrics.ts'
import { addCustomers, type CustomersReading } from './customer-metrics.ts'
import { addDescriptors, type DescriptorUse } from './descriptor-metrics.ts'
import type { Health } from './health.ts'
import type { MarketMeter, TransferCounts } from './market-meter.ts'
import { type Metrics, metricsOf, one, present, type Reading } from './metric-kinds.ts'
import type { TrafficReading } from './traffic.ts'
import { addWaiting, type WaitingRecords } from './waiting-metrics.ts'
import { addWebhooks, type WebhookUse } from './webhook-metrics.ts'

const DIRECTIONS = ['in', 'out'] as const

/** Counters that exist from the start of the process. */
export type ProcessParts = {
  readonly version: ProgramVersion
  readonly health: Health
  readonly traffic: TrafficReading
  readonly marketMeter: MarketMeter
  readonly engineMeter: EngineMeter
  /** The use of the main thread, which runs the servers. */
  readonly mainLoop: LoopMeter
  readonly books: BooksMeter
  /** Undefined if there is a single one, in this process. */
  readonly gateways: GatewaysReading | undefined
  readonly process: () => ProcessUse
  /** Undefined if the system does not provide it. */
  readonly descriptors: () => DescriptorUse | undefined
  readonly storage: () => StorageUse
  /** Undefined if the journal is in a database, whose backups are not known. */
  readonly backups: (() => AdminBackups) | undefined
  /** Whether the last archive failed; undefined if the node creates none by itself. */
  readonly archiveFailed: () => boolean | undefined
  /**
   * The end of the certificate of the public port, in milliseconds since 1970; undefined if there is none.
   */
  readonly certificateEndMs: () => number | undefined
  readonly clock: () => ClockReading
  /** Undefined for a node without a cluster. */
  readonly cluster?: (() => ClusterUse) | undefined
  /** For a node that sends its journal to standbys. */
  readonly standbys?: (() => StandbysUse) | undefined
  /** For a node that checks whether its exchange is also served elsewhere. */
  readonly peers?: (() => PeersUse) | undefined
  /** For a standby. */
  readonly standby?: (() => StandbyUse) | undefined
  /** For a node that can have webhooks. */
  readonly webhooks?: (() => readonly WebhookUse[]) | undefined
  /** For a node that can have customers. */
  readonly customers?: (() => Promise<CustomersReading | undefined>) | undefined
}

/** Values that exist once the node has recovered. */
export type RunningParts = {
  readonly engine: EnginePort & { readonly inFlight: number }
  readonly market: MarketData
  readonly accounts: { readonly accountCount: number; readonly apiKeyCount: number }
  readonly backOffice: WaitingRecords
  /** Undefined if no client is connected to this process. */
  readonly stream: StreamUse | undefined
  readonly followerMeter: FollowerMeter
}

/** Counters of the stream. */
export type StreamUse = {
  readonly connections: number
  readonly rooms: number
  readonly fallenBehind: number
  readonly closedBehind: number
  readonly cutsByCause: Readonly<Record<string, number>>
  pendingBytes(): number
}

/** Counters of several gateways, besides those of one. */
export type GatewaysReading = {
  readonly serving: number
  /** Number of gateways that ended without being stopped. */
  readonly ended: number
  readonly cpuSeconds: Iterable<readonly [gateway: string, seconds: number]>
  readonly residentBytes: Iterable<readonly [gateway: string, bytes: number]>
  readonly loopLag: Iterable<readonly [gateway: string, Histogram]>
  readonly descriptors: Iterable<readonly [gateway: string, DescriptorUse]>
}

/** Results of the follower's check of the balances. */
export type BooksMeter = {
  /**
   * The last command up to which the balances of every asset were found to add up; 0 if there is none yet.
   */
  reconciledSeq: number
  /** The number of times that the balances of an asset did not add up. */
  alarms: number
}

export type ProcessUse = {
  readonly startedMs: number
  readonly cpuSeconds: number
  readonly residentBytes: number
  readonly heapBytes: number
}

export type MetricsSource = {
  readonly parts: ProcessParts
  /** Undefined until the node has recovered. */
  readonly running: () => RunningParts | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called for a metric that could not be read. */
  readonly onFault: OnFault
}

export type NodeMetrics = {
  readonly contentType: string
  /** All metrics as Prometheus reads them. */
  readonly text: () => Promise<string>
}

export function nodeMetrics(source: MetricsSource): NodeMetrics {
  const registry = new Registry()
  const metrics = metricsOf(registry, source.onFault)
  addProcess(metrics, source)
  addDescriptors(metrics, source.parts.descriptors, () => source.parts.gateways?.descriptors ?? [])
  addRequests(metrics, source)
  addGateways(metrics, source)
  addMarket(metrics, source)
  addThreads(metrics, source)
  addBooks(metrics, source)
  addWaiting(metrics, () => source.running()?.backOffice, source.now)
  const { backups, cluster, standbys, peers, standby, webhooks, customers } = source.parts
  if (backups !== undefined) addBackups(metrics, backups, source.now)
  if (cluster !== undefined) addCluster(metrics, cluster)
  if (standbys !== undefined) addStandbys(metrics, standbys)
  if (peers !== undefined) addPeers(metrics, peers)
  if (standby !== undefined) addStandby(metrics, standby)
  if (webhooks !== undefined) addWebhooks(metrics, webhooks)
  if (customers !== undefined) addCustomers(metrics, customers)
  return { contentType: registry.contentType, text: () => registry.metrics() }
}

function addProcess({ gauge, counter }: Metrics, { parts, now }: MetricsSource): void {
  const { version, health, certificateEndMs, clock } = parts
  gauge('bourse_build_info', 'Version and commit of the program; the value is 1', () => [
    {
      labels: { version: version.number, commit: version.commit, commit_date: version.commitDate },
      value: 1,
    },
  ])
  gauge('bourse_ready', '1 when the node is ready for clients, else 0', () => one(Number(health.ready().ok)))
  gauge('bourse_orders_stopped', '1 while the cause stops all orders, else 0', () => {
    const stops = health.orderStops
    return ORDER_STOP_WORDS.map((cause) => ({ labels: { cause }, value: Number(stops.includes(cause)) }))
  })
  gauge('bourse_clock_trusted', '0 while the clock is too far ahead: new orders are refused', () =>
    one(Number(clock().isTrusted)),
  )
  gauge(
    'bourse_clock_ahead_seconds',
    "How far the clock is ahead of the server's time; negative if it is behind",
    () => {
      const { wall, time } = clock()
      return one((wall - time) / 1_000)
    },
  )
  gauge('process_start_time_seconds', 'Start time of the process, seconds since 1970', () =>
    one(parts.process().startedMs / 1_000),
  )
  counter('process_cpu_seconds_total', 'Processor time of all threads', () => one(parts.process().cpuSeconds))
  gauge('process_resident_memory_bytes', 'Memory of the process', () => one(parts.process().residentBytes))
  gauge('bourse_heap_bytes', 'Heap in use by the main thread', () => one(parts.process().heapBytes))
  gauge('bourse_certificate_end_seconds', 'Time until the certificate of the public port expires', () =>
    present(certificateEndMs(), (endMs) => (endMs - now()) / 1_000),
  )
  gauge('bourse_storage_bytes', 'Size of the files in the data directory', () => {
    const { journalBytes, historyBytes, snapshotsBytes } = parts.storage()
    const sizes = { journal: journalBytes, history: historyBytes, snapshots: snapshotsBytes }
    return Object.entries(sizes).map(([part, value]) => ({ labels: { part }, value }))
  })
  gauge('bourse_storage_free_bytes', 'Free space on the file system of the data directory', () =>
    one(parts.storage().freeBytes),
  )
  gauge('bourse_archive_failed', '1 if the last archive that the node attempted failed, else 0', () => {
    const hasFailed = parts.archiveFailed()
    return hasFailed === undefined ? [] : one(Number(hasFailed))
  })
  gauge('bourse_snapshot_age_seconds', 'Time since the newest snapshot was written', () =>
    present(parts.storage().snapshotMs, (ms) => (now() - ms) / 1_000),
  )
}

function addRequests({ gauge, counter, histogram }: Metrics, { parts, running }: MetricsSource): void {
  const { traffic } = parts
  counter('bourse_http_requests_total', 'Requests to the public port, new stream connections included', () =>
    one(traffic.requests),
  )
  gauge('bourse_http_requests_under_way', 'Requests to endpoints not yet answered', () =>
    one(traffic.underWay),
  )
  histogram('bourse_http_request_seconds', 'Time from a request to its answer, by endpoint', () =>
    [...traffic.seconds()].map(([endpoint, seconds]) => [{ endpoint }, seconds] as const),
  )
  counter('bourse_refusals_total', 'Requests refused, by reason', () =>
    [...traffic.refusals].map(([reason, value]) => ({ labels: { reason }, value })),
  )
  const stream = () => running()?.stream
  gauge('bourse_stream_connections', 'Connections to the stream', () => present(stream()?.connections))
  gauge('bourse_stream_rooms', 'Symbols with at least one listener', () => present(stream()?.rooms))
  gauge('bourse_stream_pending_bytes', 'Bytes queued for all connections', () =>
    present(stream()?.pendingBytes()),
  )
  counter('bourse_stream_fallen_behind_total', 'Book updates dropped for clients that fell behind', () =>
    present(stream()?.fallenBehind),
  )
  counter(
    'bourse_stream_closed_behind_total',
    'Connections closed because their clients read too slowly',
    () => present(stream()?.closedBehind),
  )
  counter('bourse_stream_cut_total', 'Connections closed because of the data they sent, by cause', () =>
    Object.entries(stream()?.cutsByCause ?? {}).map(([cause, value]) => ({ labels: { cause }, value })),
  )
}

/** For each gateway, only the metrics that concern it alone; the others are totals of all gateways. */
function addGateways({ gauge, counter }: Metrics, { parts }: MetricsSource): void {
  const { gateways } = parts
  const of = (values: Iterable<readonly [string, number]> | undefined): Reading[] =>
    [...(values ?? [])].map(([gateway, value]) => ({ labels: { gateway }, value }))
  gauge('bourse_gateways', 'Gateways that serve clients', () =>
    one(gateways?.serving ?? Number(parts.health.phase === 'READY')),
  )
  counter('bourse_gateways_ended_total', 'Gateways that exited unexpectedly and were replaced', () =>
    one(gateways?.ended ?? 0),
  )
  counter('bourse_gateway_cpu_seconds_total', 'Processor time of a gateway in a process of its own', () =>
    of(gateways?.cpuSeconds),
  )
  gauge('bourse_gateway_resident_memory_bytes', 'Memory of a gateway in a process of its own', () =>
    of(gateways?.residentBytes),
  )
}

function addMarket({ gauge, counter }: Metrics, { parts, running }: MetricsSource): void {
  const { marketMeter } = parts
  const symbols = () => running()?.market.registry.symbols() ?? []
  counter('bourse_orders_placed_total', 'Orders accepted', () =>
    symbols().map(({ id, name }) => ({ labels: { symbol: name }, value: marketMeter.of(id).ordersPlaced })),
  )
  counter('bourse_trades_total', 'Matches of two orders', () =>
    symbols().map(({ id, name }) => ({ labels: { symbol: name }, value: marketMeter.of(id).trades })),
  )
  counter(
    'bourse_orders_canceled_total',
    'Orders that ended before they were completely filled, by cause',
    () => [...marketMeter.canceled].map(([cause, value]) => ({ labels: { cause }, value })),
  )
  gauge('bourse_symbol_trading', '1 when the symbol is traded, 0 in any other state', () =>
    symbols()
      .filter(({ state }) => state !== 'DELISTED')
      .map(({ name, state }) => ({ labels: { symbol: name }, value: Number(state === 'TRADING') })),
  )
  gauge(
    'bourse_exchange_phase',
    'Phase of the whole exchange: 1 for the phase in force, 0 for the others',
    () => {
      const current = running()?.market.registry.phases.current.phase
      const shown = current === undefined ? [] : EXCHANGE_PHASES
      return shown.map((phase) => ({ labels: { phase }, value: Number(phase === current) }))
    },
  )
  gauge('bourse_exchange_next_phase_seconds', 'Start of the next planned phase, seconds since 1970', () =>
    present(running()?.market.registry.phases.planned[0]?.at, (at) => at / 1_000),
  )
  gauge('bourse_accounts', 'Accounts, including those of the house', () =>
    present(running()?.accounts.accountCount),
  )
  gauge('bourse_api_keys', 'API keys, including disabled ones', () =>
    present(running()?.accounts.apiKeyCount),
  )
}

function addThreads({ gauge, counter, histogram }: Metrics, { parts, running }: MetricsSource): void {
  const { engineMeter, mainLoop } = parts
  gauge('bourse_engine_requests_waiting', 'Requests to the engine without an answer', () =>
    present(running()?.engine.inFlight),
  )
  histogram('bourse_engine_batch_commands', 'Commands in a batch, which one commit makes durable', () => [
    [{}, engineMeter.batchCommands],
  ])
  histogram('bourse_engine_commit_seconds', 'Duration of a commit, including the sync to disk', () => [
    [{}, engineMeter.commitSeconds],
  ])
  counter('bourse_engine_command_bytes_total', 'Bytes of commands made durable', () =>
    one(engineMeter.commandBytes.value),
  )
  counter('bourse_engine_storage_full_total', 'Batches refused because the storage was full', () =>
    one(engineMeter.storageFull.value),
  )
  gauge('bourse_journal_seq', 'Sequence number of the last command in the read models', () =>
    present(running()?.market.seq),
  )
  gauge('bourse_journal_damaged', '1 when stored commands were found to be damaged, else 0', () =>
    one(Number(parts.health.journal === 'DAMAGED')),
  )
  gauge('bourse_history_lag_commands', 'Commands not yet in trade history', () => {
    const node = running()
    return node === undefined ? [] : one(Math.max(0, node.market.seq - node.followerMeter.seq.value))
  })
  histogram(
    'bourse_event_loop_lag_seconds',
    'Delay of the event loop of a thread, measured every 250 ms',
    () => {
      const loops = { main: mainLoop, engine: engineMeter.loop, follower: running()?.followerMeter.loop }
      const here = Object.entries(loops).flatMap(([thread, loop]) =>
        loop === undefined ? [] : [[{ thread }, loop.lagSeconds] as const],
      )
      return [
        ...here,
        ...[...(parts.gateways?.loopLag ?? [])].map(([thread, lag]) => [{ thread }, lag] as const),
      ]
    },
  )
}

function addBooks({ gauge, counter }: Metrics, { parts, running }: MetricsSource): void {
  const { books, marketMeter } = parts
  gauge(
    'bourse_books_reconciled_seq',
    'Last command up to which the balances of all assets were found to add up',
    () => (books.reconciledSeq === 0 ? [] : one(books.reconciledSeq)),
  )
  counter('bourse_books_off_total', 'Times that the balances of an asset were found not to add up', () =>
    one(books.alarms),
  )
  const transfers = (what: (counts: TransferCounts, asset: Asset) => number): Reading[] =>
    (running()?.market.registry.assets() ?? []).flatMap((asset) =>
      DIRECTIONS.map((direction) => ({
        labels: { asset: asset.code, direction },
        value: what(marketMeter.transfersOf(asset.id)[direction], asset),
      })),
    )
  counter('bourse_transfers_total', 'Transfers from and to the outside world that took effect', () =>
    transfers(({ count }) => count),
  )
  counter('bourse_transferred_total', 'Amounts of deposits and withdrawals', () =>
    transfers(({ amount }, asset) => inUnits(amount, asset)),
  )
  gauge('bourse_asset_supply', 'Total amount in the exchange: deposits minus withdrawals', () =>
    assetSums(running(), OUTSIDE_ACCOUNT, negated),
  )
  gauge('bourse_asset_fees', 'Commission held by the house', () =>
    assetSums(running(), FEES_ACCOUNT, (free) => free),
  )
}

/**
 * The balances of a house account by asset, as floating-point approximations; nothing while the engine does
 * not answer.
 */
async function assetSums(
  node: RunningParts | undefined,
  account: typeof FEES_ACCOUNT | typeof OUTSIDE_ACCOUNT,
  amountOf: (free: Amount) => Amount,
): Promise<Reading[]> {
  if (node === undefined) return []
  const assetById = new Map(node.market.registry.assets().map((asset) => [asset.id, asset]))
  const balances = await node.engine.ask('balances', { accountId: account }).catch(() => [])
  return balances.flatMap(({ assetId, free }) => {
    const asset = assetById.get(assetId)
    return asset === undefined
      ? []
      : [{ labels: { asset: asset.code }, value: inUnits(amountOf(free), asset) }]
  })
}

function inUnits(amount: Amount, { fraction }: Asset): number {
  return Number(amount) / 10 ** fraction
}
