/**
 * The shipped alert rules over the metrics of a real node: none fires on a healthy node or after a plain
 * restart, and each fires when its condition occurs.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AdminAddress } from '../src/contract/admin/admin.ts'
import { BourseProcess, dataDirectory, ROOT, sandbox } from './support/bourse-process.ts'
import { scrape } from './support/prometheus.ts'
import { type Labels, promql, type Sample, type ScrapedAt } from './support/promql.ts'

type Rule = { readonly alert: string; readonly expr: string; readonly for?: string }

const TARGET = { job: 'bourse', instance: 'a' }
const SCRAPE_SECONDS = 60
const HOUR = 3_600
const GIB = 1024 ** 3
/** Real scrapes of one process: small fluctuations between them are included. */
const SCRAPES = 3

const { groups } = Bun.YAML.parse(
  readFileSync(path.join(ROOT, 'packaging/prometheus/alerts.yml'), 'utf8'),
) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

const data = dataDirectory()
/** Scrapes of one process, and of its successor after a restart. */
let before: Sample[][]
let after: Sample[][]
/** Names of metrics that a node with an empty exchange exports. */
let shownWhenEmpty: ReadonlySet<string>

beforeAll(async () => {
  before = await scrapesOfOneRun()
  after = await scrapesOfOneRun()
  shownWhenEmpty = await namesOfAnEmptyNode()
})
afterAll(() => data.remove())

async function scrapesOfOneRun(): Promise<Sample[][]> {
  const node = await sandbox(data.path)
  try {
    const { monitoringUrl } = JSON.parse(
      readFileSync(path.join(data.path, 'admin.json'), 'utf8'),
    ) as AdminAddress
    const all: Sample[][] = []
    while (all.length < SCRAPES) {
      const samples = samplesOf(await scrape(monitoringUrl as string))
      // The books have been added up: the first seconds of a node are not tested here.
      if (samples.some(({ labels }) => labels.__name__ === 'bourse_books_reconciled_seq')) all.push(samples)
    }
    return all
  } finally {
    await node.end('SIGTERM')
  }
}

async function namesOfAnEmptyNode(): Promise<ReadonlySet<string>> {
  const empty = dataDirectory()
  const ports = ['--port', '0', '--admin-port', '0', '--monitoring-port', '0']
  const node = new BourseProcess(['serve', '--init', ...ports, '--data', empty.path])
  try {
    await node.ready
    const { monitoringUrl } = JSON.parse(
      readFileSync(path.join(empty.path, 'admin.json'), 'utf8'),
    ) as AdminAddress
    return new Set(
      samplesOf(await scrape(monitoringUrl as string)).map(({ labels }) => labels.__name__ ?? ''),
    )
  } finally {
    await node.end('SIGTERM')
    empty.remove()
  }
}

/**
 * The scraped samples, except those that depend on the machine alone: free space, and durations on a shared
 * machine.
 */
function samplesOf(scraped: ReadonlyMap<string, number>): Sample[] {
  return [...scraped].map(([key, value]) => {
    const [, name = '', inBraces = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(key) ?? []
    const labels = [...inBraces.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text])
    return {
      labels: { __name__: name, ...Object.fromEntries(labels), ...TARGET },
      value: machineless(scraped, name, key) ?? value,
    }
  })
}

/**
 * The value on a machine with free space and time; undefined if the metric does not depend on the machine.
 */
function machineless(scraped: ReadonlyMap<string, number>, name: string, key: string): number | undefined {
  if (name === 'bourse_storage_free_bytes') return 100 * GIB
  // All observations are in the first bucket, so every bucket has the count of the last one.
  return name.endsWith('_seconds_bucket') ? scraped.get(key.replace(/le="[^"]*"/, 'le="+Inf"')) : undefined
}

/** Samples of Prometheus after it scraped `scrapesOf` every minute, from `from` on for `length` seconds. */
function recorded(
  from: number,
  length: number,
  scrapesOf: readonly (readonly Sample[])[],
  change: (samples: readonly Sample[], at: number) => readonly Sample[] = (samples) => samples,
): ScrapedAt[] {
  return Array.from({ length: length / SCRAPE_SECONDS }, (_, i) => {
    const at = from + i * SCRAPE_SECONDS
    const up = { labels: { __name__: 'up', ...TARGET }, value: 1 }
    return { at, samples: change([up, ...(scrapesOf[i % scrapesOf.length] ?? [])], at) }
  })
}

function waitSecondsOf({ for: wait = '0m' }: Rule): number {
  return Number.parseInt(wait, 10) * (wait.endsWith('h') ? HOUR : 60)
}

/** Metrics that a rule uses. */
function metricsOf({ expr }: Rule): readonly string[] {
  return expr.match(/\b(?:up|process_start_time_seconds|bourse_\w+)\b/g) ?? []
}

/**
 * The times at which each alarm fired, in seconds; an expression must have been true for the rule's own time.
 */
function firings(rule: Rule, scrapes: readonly ScrapedAt[], end: number): number[] {
  const holds = promql(rule.expr, scrapes)
  const waitSeconds = waitSecondsOf(rule)
  const fired: number[] = []
  let since: number | undefined
  for (let at = 0; at < end; at += SCRAPE_SECONDS) {
    since = holds(at).length > 0 ? (since ?? at) : undefined
    if (since !== undefined && at - since >= waitSeconds) fired.push(at)
  }
  return fired
}

test('on a healthy idle node no alarm is ever raised, and a restart raises that one for a quarter of an hour', () => {
  const restart = 3 * HOUR
  const end = 6 * HOUR
  const down: ScrapedAt = { at: restart, samples: [{ labels: { __name__: 'up', ...TARGET }, value: 0 }] }
  const scrapes = [
    ...recorded(0, restart, before),
    down,
    ...recorded(restart + SCRAPE_SECONDS, end - restart, after),
  ]
  const raised = rules.flatMap((rule) => {
    const at = firings(rule, scrapes, end)
    return at.length === 0 ? [] : [[rule.alert, at[0], at.length]]
  })
  expect(raised).toEqual([['BourseRestarted', restart + SCRAPE_SECONDS, expect.any(Number)]])
  expect(Number(raised[0]?.[2])).toBeLessThanOrEqual(15)
})

/** The change of a metric's samples; undefined if the metric is missing. */
type Trouble = Readonly<
  Record<string, (value: number, seconds: number, labels: Labels) => number | undefined>
>

const grows = (value: number, seconds: number): number => value + seconds
const growsFor =
  (label: string, word: string) =>
  (value: number, seconds: number, labels: Labels): number =>
    labels[label] === word ? value + 10 * seconds : value
const stoppedBy =
  (word: string) =>
  (_value: number, _seconds: number, { cause }: Labels): number =>
    Number(cause === word)
/** All observations in the last bucket, ten a second. */
const allLate = (_value: number, seconds: number, { le }: Labels): number =>
  le === '+Inf' ? 10 * seconds : 0

const TROUBLES: Readonly<Record<string, Trouble>> = {
  BourseDown: { up: () => 0 },
  BourseNotReady: { bourse_ready: () => 0 },
  BourseRestarted: { process_start_time_seconds: (value, seconds) => value + (seconds > 2 * HOUR ? 1 : 0) },
  BourseGatewaysReplaced: { bourse_gateways_ended_total: grows },
  BourseClockNotTrusted: { bourse_clock_trusted: () => 0 },
  BourseClockBehind: { bourse_clock_ahead_seconds: () => -60 },
  BourseBooksOff: { bourse_books_off_total: grows },
  BourseBooksUnchecked: { bourse_journal_seq: grows },
  'BourseBooksUnchecked since the start': { bourse_books_reconciled_seq: () => undefined },
  BourseJournalDamaged: { bourse_journal_damaged: () => 1 },
  BourseBug: { bourse_refusals_total: growsFor('reason', 'INTERNAL_ERROR') },
  BourseOutcomeUnknown: { bourse_refusals_total: growsFor('reason', 'ENGINE_DOWN') },
  BourseOverloaded: { bourse_refusals_total: growsFor('reason', 'OVERLOADED') },
  BourseDescriptorsShort: { bourse_descriptors_used_ratio: () => 0.9 },
  BourseConnectionsRefused: { bourse_connections_refused_total: grows },
  BourseStorageFull: { bourse_orders_stopped: stoppedBy('STORAGE_FULL') },
  'BourseOrdersStopped by symbols': { bourse_orders_stopped: stoppedBy('NO_SYMBOL_TRADING') },
  'BourseOrdersStopped by refusals': { bourse_orders_stopped: stoppedBy('ORDERS_REFUSED') },
  BourseExchangeNotTrading: {
    bourse_exchange_phase: (_value, _seconds, { phase }) => Number(phase === 'CANCEL_ONLY'),
  },
  BourseSymbolNotTrading: { bourse_symbol_trading: () => 0 },
  BourseMoneyWaits: { bourse_waiting_oldest_seconds: (_value, seconds) => 86_000 + seconds },
  BourseClaimStuck: {
    bourse_waiting_oldest_seconds: (value, _seconds, { kind }) => (kind === 'claim' ? 15_000 : value),
  },
  BourseNeverBackedUp: { bourse_backups_known: () => 0 },
  BourseMetricMissing: { bourse_ready: () => undefined },
  BourseStorageLow: { bourse_storage_free_bytes: () => 4 * GIB },
  BourseStorageFillsUp: { bourse_storage_free_bytes: (value, seconds) => value - 300_000 * seconds },
  BourseCommitSlow: { bourse_engine_commit_seconds_bucket: allLate },
  BourseOrdersSlow: { bourse_http_request_seconds_bucket: allLate },
  BourseThreadLate: { bourse_event_loop_lag_seconds_bucket: allLate },
  BourseHistoryBehind: { bourse_history_lag_commands: () => 200_000 },
  BourseSnapshotOld: {
    bourse_snapshot_age_seconds: (_value, seconds) => 86_400 + seconds,
    bourse_journal_seq: (value, seconds) => value + 1_000 * seconds,
  },
  'BourseSnapshotOld since the start': {
    bourse_snapshot_age_seconds: () => undefined,
    bourse_journal_seq: (value, seconds) => value + 1_000 * seconds,
  },
  BourseBackupOld: { bourse_backup_age_seconds: () => 130_000 },
  BourseArchiveFailed: { bourse_archive_failed: () => 1 },
  BourseBackupFailed: { bourse_backup_failed: () => 1 },
  BourseStreamBehind: { bourse_stream_closed_behind_total: grows },
  BourseStreamFloods: { bourse_stream_cut_total: grows },
  BourseGuessing: { bourse_refusals_total: growsFor('reason', 'INVALID_API_KEY') },
  BourseCertificateEnds: { bourse_certificate_end_seconds: () => 86_400 },
  BourseWebhookBehind: { bourse_webhook_lag_seconds: () => 301 },
  BourseWebhookGaveUp: { bourse_webhook_dead_events: () => 1 },
  BourseWebhookPaused: { bourse_webhook_paused: () => 1 },
  BourseCustomersDown: { bourse_customers_up: () => 0 },
  BourseCustomersMissing: { bourse_customers_missing: () => 1 },
  BourseCustomersOld: { bourse_customers_old: () => 1 },
  BourseCustomersTrailDiffers: { bourse_customers_trail_differs: () => 1 },
  BourseCustomersFailToSignIn: { bourse_customer_events_total: growsFor('kind', 'SIGN_IN_FAILED') },
}

/**
 * Metrics of orders and of sign-ins, which do not exist yet, and metrics of a certificate, a backup, an
 * archive and a webhook, which the sandbox does not have.
 */
const BESIDES: readonly Sample[] = [
  { labels: { __name__: 'bourse_certificate_end_seconds', ...TARGET }, value: 90 * 86_400 },
  { labels: { __name__: 'bourse_backup_age_seconds', ...TARGET }, value: 3_600 },
  { labels: { __name__: 'bourse_backup_failed', ...TARGET }, value: 0 },
  { labels: { __name__: 'bourse_archive_failed', ...TARGET }, value: 0 },
  { labels: { __name__: 'bourse_customer_events_total', kind: 'SIGN_IN_FAILED', ...TARGET }, value: 0 },
  { labels: { __name__: 'bourse_customers_missing', ...TARGET }, value: 0 },
  { labels: { __name__: 'bourse_customers_old', ...TARGET }, value: 0 },
  { labels: { __name__: 'bourse_customers_trail_differs', ...TARGET }, value: 0 },
  ...['lag_seconds', 'dead_events', 'paused'].map((name) => ({
    labels: { __name__: `bourse_webhook_${name}`, webhook: 'books', ...TARGET },
    value: 0,
  })),
  ...['5', '+Inf'].map((le) => ({
    labels: {
      __name__: 'bourse_http_request_seconds_bucket',
      endpoint: 'POST /api/v3/order',
      le,
      ...TARGET,
    },
    value: 0,
  })),
]

describe('each alarm is raised by its own condition:', () => {
  const named = Object.entries(TROUBLES).map(([name, trouble]) => ({
    name,
    trouble,
    alert: name.split(' ')[0],
  }))

  test('none is left out', () => {
    expect(new Set(named.map(({ alert }) => alert))).toEqual(new Set(rules.map(({ alert }) => alert)))
  })

  test.each(named)('$name', ({ alert, trouble }) => {
    const rule = rules.find((each) => each.alert === alert) as Rule
    const length = waitSecondsOf(rule) + 3 * HOUR
    const looked = new Set([...metricsOf(rule), ...Object.keys(trouble)])
    const scrapes = recorded(0, length, after, (samples, at) =>
      [...BESIDES, ...samples].flatMap(({ labels, value }) => {
        if (!looked.has(labels.__name__ ?? '')) return []
        const change = trouble[labels.__name__ as string]
        const changed = change === undefined ? value : change(value, at, labels)
        return changed === undefined ? [] : [{ labels, value: changed }]
      }),
    )
    expect(firings(rule, scrapes, length).length).toBeGreaterThan(0)
  })
})

describe('no alarm is silenced by the absence of its metric', () => {
  const used = new Set(rules.flatMap(metricsOf))

  test.each([...used])('%s', (name) => {
    // Metrics that an empty exchange does not export appear with their subject: a symbol, a certificate, a
    // webhook.
    if (!shownWhenEmpty.has(name) && name !== 'up') return
    const length = 3 * HOUR
    const isRaised = (rule: Rule): boolean => {
      const looked = new Set(metricsOf(rule))
      const scrapes = recorded(0, length, after, (samples) =>
        samples.flatMap((sample) => {
          if (!looked.has(sample.labels.__name__ ?? '')) return []
          if (sample.labels.__name__ !== name) return [sample]
          return name === 'up' ? [{ ...sample, value: 0 }] : []
        }),
      )
      return firings(rule, scrapes, length).length > 0
    }
    const looking = rules.filter((rule) => metricsOf(rule).includes(name))
    expect(looking.filter(isRaised).map(({ alert }) => alert)).not.toEqual([])
  })
})
