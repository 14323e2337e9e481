/**
 * The metrics of a gateway of a cluster: its service to clients, and its link to the engine that leads. The
 * engine exports all others.
 */
import { Registry } from 'prom-client'
import type { ProgramVersion } from '../../contract/program-version.ts'
import type { LoopMeter } from '../../engine/writer/meters.ts'
import type { OnFault } from '../../units/guarded.ts'
import { addDescriptors, type DescriptorUse } from './descriptor-metrics.ts'
import type { Health } from './health.ts'
import { type Metrics, metricsOf, one, present } from './metric-kinds.ts'
import type { NodeMetrics, ProcessUse, StreamUse } from './metrics.ts'
import type { TrafficReading } from './traffic.ts'

export type GatewayMetricsSource = {
  readonly version: ProgramVersion
  readonly health: Health
  readonly traffic: TrafficReading
  readonly loop: LoopMeter
  readonly process: () => ProcessUse
  readonly descriptors: () => DescriptorUse | undefined
  /**
   * The end of the certificate of the public port, in milliseconds since 1970; undefined if there is none.
   */
  readonly certificateEndMs: () => number | undefined
  /** Undefined if clients are not served yet. */
  readonly stream: () => StreamUse | undefined
  /** The leading engine that the gateway is linked to; undefined if there is none. */
  readonly leader: () => { readonly epoch: number } | undefined
  /** The time since its data stopped changing for lack of an engine; undefined if it is current. */
  readonly staleMs: () => number | undefined
  /** The last command that its views show; undefined if there are no views yet. */
  readonly seq: () => number | undefined
  readonly historians: () => number
  /** Number of customers processes that answer; undefined if there are none in the cluster. */
  readonly customers: () => number | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called for a metric that could not be read. */
  readonly onFault: OnFault
}

export function gatewayMetrics(source: GatewayMetricsSource): NodeMetrics {
  const registry = new Registry()
  const metrics = metricsOf(registry, source.onFault)
  addLinks(metrics, source)
  addServing(metrics, source)
  addProcess(metrics, source)
  const { certificateEndMs, now } = source
  metrics.gauge(
    'bourse_certificate_end_seconds',
    'Time until the certificate of the public port expires',
    () => present(certificateEndMs(), (endMs) => (endMs - now()) / 1_000),
  )
  addDescriptors(metrics, source.descriptors)
  return { contentType: registry.contentType, text: () => registry.metrics() }
}

function addLinks(
  { gauge }: Metrics,
  { leader, staleMs, seq, historians, customers }: GatewayMetricsSource,
): void {
  gauge('bourse_link_open', '1 while this gateway is connected to the leading engine, else 0', () =>
    one(Number(leader() !== undefined)),
  )
  gauge('bourse_epoch', 'Epoch of the engine to which this gateway is connected; 0 if there is none', () =>
    one(leader()?.epoch ?? 0),
  )
  gauge(
    'bourse_stale_seconds',
    'Time since the data of this gateway was last updated; 0 while it is current',
    () => one((staleMs() ?? 0) / 1_000),
  )
  gauge('bourse_journal_seq', 'Sequence number of the last command in the read models', () => present(seq()))
  gauge('bourse_historians_linked', 'Historians available to this gateway', () => one(historians()))
  gauge('bourse_customers_linked', 'Customers processes available to this gateway', () =>
    present(customers()),
  )
}

function addServing({ gauge, counter, histogram }: Metrics, { traffic, stream }: GatewayMetricsSource): void {
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
  gauge('bourse_stream_connections', 'Connections to the stream', () => present(stream()?.connections))
  gauge('bourse_stream_rooms', 'Symbols with at least one listener', () => present(stream()?.rooms))
  gauge('bourse_stream_pending_bytes', 'Bytes queued for all connections', () =>
    present(stream()?.pendingBytes()),
  )
}

/** The metrics of any process of a cluster without an engine. */
export function addProcess(
  { gauge, counter, histogram }: Metrics,
  source: Pick<GatewayMetricsSource, 'version' | 'health' | 'loop' | 'process'>,
): void {
  const { version, health, loop } = source
  gauge('bourse_build_info', 'Version and commit of the program; the value is 1', () => [
    {
      labels: { version: version.number, commit: version.commit, commit_date: version.commitDate },
      value: 1,
    },
  ])
  gauge('bourse_ready', '1 when the node is ready for clients, else 0', () => one(Number(health.ready().ok)))
  gauge('process_start_time_seconds', 'Start time of the process, seconds since 1970', () =>
    one(source.process().startedMs / 1_000),
  )
  counter('process_cpu_seconds_total', 'Processor time of all threads', () =>
    one(source.process().cpuSeconds),
  )
  gauge('process_resident_memory_bytes', 'Memory of the process', () => one(source.process().residentBytes))
  histogram(
    'bourse_event_loop_lag_seconds',
    'Delay of the event loop of a thread, measured every 250 ms',
    () => [[{ thread: 'main' }, loop.lagSeconds]],
  )
}
