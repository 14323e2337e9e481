/** The content of `bourse top` as data, for people and for programs. */
import type { MeasuredInterval } from './metrics-text.ts'

export type Rate = { readonly name: string; readonly perSecond: number }

export type TopView = {
  readonly node: {
    readonly version: string
    readonly isReady: boolean
    /** Undefined if the node's version does not export it. */
    readonly isClockTrusted: boolean | undefined
    /** Negative if the clock is behind. */
    readonly clockAheadSeconds: number | undefined
    readonly uptimeSeconds: number | undefined
    /** As a fraction of one processor; more than 1 with several busy threads. */
    readonly cpu: number
    readonly residentBytes: number | undefined
    readonly seq: number | undefined
  }
  readonly requests: {
    readonly requestsPerSecond: number
    readonly underWay: number | undefined
    readonly endpoints: readonly (Rate & Latency)[]
    /** Refusals in the interval, most frequent first. */
    readonly refusals: readonly Rate[]
  }
  readonly engine: {
    readonly commandsPerSecond: number
    readonly commitsPerSecond: number
    readonly commit: Latency
    readonly waiting: number | undefined
    readonly lagP99Ms: Readonly<Record<string, number | undefined>>
  }
  readonly stream: {
    readonly connections: number | undefined
    readonly rooms: number | undefined
    readonly pendingBytes: number | undefined
    readonly fallenBehindPerSecond: number
    readonly closedBehindPerSecond: number
  }
  readonly market: readonly {
    readonly symbol: string
    readonly isTrading: boolean
    readonly ordersPerSecond: number
    readonly tradesPerSecond: number
  }[]
  readonly money: readonly {
    readonly asset: string
    readonly supply: number
    readonly fees: number
    /**
     * Amounts that came from the outside world and went to it since the node started; amounts that wait for
     * approval are not included.
     */
    readonly cameIn: number
    readonly wentOut: number
  }[]
  readonly books: { readonly reconciledSeq: number | undefined; readonly timesOff: number }
  readonly storage: {
    readonly journalBytes: number | undefined
    readonly historyBytes: number | undefined
    readonly snapshotsBytes: number | undefined
    readonly freeBytes: number | undefined
    readonly snapshotAgeSeconds: number | undefined
    readonly historyLagCommands: number | undefined
  }
}

export type Latency = { readonly p50Ms: number | undefined; readonly p99Ms: number | undefined }

const REQUEST = 'bourse_http_request_seconds'
const COMMIT = 'bourse_engine_commit_seconds'
const LAG = 'bourse_event_loop_lag_seconds'

/** `nowMs`: milliseconds since 1970. */
export function topView(interval: MeasuredInterval, nowMs: number): TopView {
  const { now } = interval
  const startedSeconds = now.value('process_start_time_seconds')
  return {
    node: {
      version: now.labelValues('bourse_build_info', 'version')[0] ?? '?',
      isReady: now.value('bourse_ready') === 1,
      isClockTrusted: flagOf(now.value('bourse_clock_trusted')),
      clockAheadSeconds: now.value('bourse_clock_ahead_seconds'),
      uptimeSeconds: startedSeconds === undefined ? undefined : Math.max(0, nowMs / 1_000 - startedSeconds),
      cpu: interval.perSecond('process_cpu_seconds_total'),
      residentBytes: now.value('process_resident_memory_bytes'),
      seq: now.value('bourse_journal_seq'),
    },
    requests: requestsOf(interval),
    engine: {
      commandsPerSecond: interval.perSecond('bourse_engine_batch_commands_sum'),
      commitsPerSecond: interval.perSecond('bourse_engine_batch_commands_count'),
      commit: latencyOf(interval, COMMIT),
      waiting: now.value('bourse_engine_requests_waiting'),
      lagP99Ms: Object.fromEntries(
        now
          .labelValues(`${LAG}_count`, 'thread')
          .map((thread) => [thread, latencyOf(interval, LAG, { thread }).p99Ms]),
      ),
    },
    stream: {
      connections: now.value('bourse_stream_connections'),
      rooms: now.value('bourse_stream_rooms'),
      pendingBytes: now.value('bourse_stream_pending_bytes'),
      fallenBehindPerSecond: interval.perSecond('bourse_stream_fallen_behind_total'),
      closedBehindPerSecond: interval.perSecond('bourse_stream_closed_behind_total'),
    },
    market: now.samples('bourse_symbol_trading').map(({ labels: { symbol = '' }, value }) => ({
      symbol,
      isTrading: value === 1,
      ordersPerSecond: interval.perSecond('bourse_orders_placed_total', { symbol }),
      tradesPerSecond: interval.perSecond('bourse_trades_total', { symbol }),
    })),
    money: now.samples('bourse_asset_supply').map(({ labels: { asset = '' }, value }) => ({
      asset,
      supply: value,
      fees: now.value('bourse_asset_fees', { asset }) ?? 0,
      cameIn: now.value('bourse_transferred_total', { asset, direction: 'in' }) ?? 0,
      wentOut: now.value('bourse_transferred_total', { asset, direction: 'out' }) ?? 0,
    })),
    books: {
      reconciledSeq: now.value('bourse_books_reconciled_seq'),
      timesOff: now.value('bourse_books_off_total') ?? 0,
    },
    storage: {
      journalBytes: now.value('bourse_storage_bytes', { part: 'journal' }),
      historyBytes: now.value('bourse_storage_bytes', { part: 'history' }),
      snapshotsBytes: now.value('bourse_storage_bytes', { part: 'snapshots' }),
      freeBytes: now.value('bourse_storage_free_bytes'),
      snapshotAgeSeconds: now.value('bourse_snapshot_age_seconds'),
      historyLagCommands: now.value('bourse_history_lag_commands'),
    },
  }
}

function flagOf(value: number | undefined): boolean | undefined {
  return value === undefined ? undefined : value === 1
}

function requestsOf(interval: MeasuredInterval): TopView['requests'] {
  const { now } = interval
  const mostFirst = (a: Rate, b: Rate): number => b.perSecond - a.perSecond
  return {
    requestsPerSecond: interval.perSecond('bourse_http_requests_total'),
    underWay: now.value('bourse_http_requests_under_way'),
    endpoints: now
      .labelValues(`${REQUEST}_count`, 'endpoint')
      .map((endpoint) => ({
        name: endpoint,
        perSecond: interval.perSecond(`${REQUEST}_count`, { endpoint }),
        ...latencyOf(interval, REQUEST, { endpoint }),
      }))
      .toSorted(mostFirst),
    refusals: now
      .labelValues('bourse_refusals_total', 'reason')
      .map((reason) => ({ name: reason, perSecond: interval.perSecond('bourse_refusals_total', { reason }) }))
      .filter(({ perSecond }) => perSecond > 0)
      .toSorted(mostFirst),
  }
}

function latencyOf(
  interval: MeasuredInterval,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Latency {
  const inMs = (share: number): number | undefined => {
    const seconds = interval.quantile(share, name, labels)
    return seconds === undefined ? undefined : seconds * 1_000
  }
  return { p50Ms: inMs(0.5), p99Ms: inMs(0.99) }
}
