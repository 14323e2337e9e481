import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseMetrics } from '../../../cli/top/metrics-text.ts'
import type {
  AdminCluster,
  AdminCustomersProcess,
  AdminMetrics,
  CustomersLack,
  CustomersProcessState,
} from '../../../contract/admin/records.ts'
import { TROUBLES_KNOWN, troublesOf } from './troubles.ts'

const ROOT = path.join(import.meta.dir, '../../../..')
const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8')

const WELL: AdminMetrics = {
  ...{ ready: true, phase: 'READY', journal: 'WHOLE', degraded: [], cluster: null, text: '' },
  backups: { newest: null, failed: null },
}
const WELL_TEXT = `bourse_books_off_total 0
bourse_clock_ahead_seconds -10
bourse_storage_free_bytes ${5 * 1024 ** 3}
bourse_history_lag_commands 100000
bourse_backup_age_seconds 129600
bourse_archive_failed 0
bourse_certificate_end_seconds ${14 * 86_400}
bourse_standbys 1
bourse_served_twice 0
bourse_replica_behind_commands{replica="b"} 100000
bourse_webhook_lag_seconds{webhook="books"} 300
bourse_webhook_dead_events{webhook="books"} 0
bourse_symbol_trading{symbol="BTC/USDT"} 1
bourse_waiting_oldest_seconds{kind="withdrawal"} 86400
bourse_waiting_oldest_seconds{kind="claim"} 14400
bourse_backups_known 1
bourse_webhook_paused{webhook="books"} 0
`

const ENGINE = { kind: 'ENGINE', admin: null } as const
const process = (
  name: string,
  state: CustomersProcessState,
  ...lacks: CustomersLack[]
): AdminCustomersProcess => ({ name, state, since: null, version: null, commit: null, lacks })

/** A leading engine, with the replica `b` of the text. */
const leading = (other: string): AdminCluster => ({
  ...{ name: 'a', role: 'LEADING', leader: 'a', epoch: 2 },
  members: [
    { name: 'a', ...ENGINE },
    { name: other, ...ENGINE },
  ],
  customers: [process('x', 'ANSWERS')],
})

const alarmsOf = (health: AdminMetrics, text: string) =>
  troublesOf(health, parseMetrics(text)).map(({ alarm }) => alarm)

test('a healthy node has nothing that needs attention, at every bound', () => {
  expect(alarmsOf(WELL, WELL_TEXT)).toEqual([])
  expect(alarmsOf(WELL, '')).toEqual([])
  expect(alarmsOf({ ...WELL, cluster: leading('b') }, WELL_TEXT)).toEqual([])
})

test('each alarm is shown under its own condition, and alone', () => {
  const failed = { at: '2026-01-31T00:00:00Z', problem: 'no room' }
  const byHealth: Readonly<Record<string, AdminMetrics>> = {
    BourseNotReady: { ...WELL, ready: false, phase: 'STARTING' },
    BourseJournalDamaged: { ...WELL, journal: 'DAMAGED' },
    BourseClockNotTrusted: { ...WELL, degraded: ['CLOCK_NOT_TRUSTED'] },
    BourseStorageFull: { ...WELL, degraded: ['STORAGE_FULL'] },
    BourseOrdersStopped: { ...WELL, degraded: ['NO_SYMBOL_TRADING'] },
    BourseExchangeNotTrading: { ...WELL, degraded: ['EXCHANGE_CANCEL_ONLY'] },
    BourseNoStandbyEngine: { ...WELL, cluster: leading('c') },
    BourseCustomersProcessDown: {
      ...WELL,
      cluster: { ...leading('b'), customers: [process('x', 'ANSWERS'), process('y', 'NO_ANSWER')] },
    },
    BourseBackupFailed: { ...WELL, backups: { newest: null, failed } },
  }
  const byMetric: Readonly<Record<string, readonly [name: string, value: number]>> = {
    BourseBooksOff: ['bourse_books_off_total', 1],
    BourseClockBehind: ['bourse_clock_ahead_seconds', -10.1],
    BourseStorageLow: ['bourse_storage_free_bytes', 5 * 1024 ** 3 - 1],
    BourseHistoryBehind: ['bourse_history_lag_commands', 100_001],
    BourseBackupOld: ['bourse_backup_age_seconds', 129_601],
    BourseArchiveFailed: ['bourse_archive_failed', 1],
    BourseCertificateEnds: ['bourse_certificate_end_seconds', 14 * 86_400 - 1],
    BourseNoStandby: ['bourse_standbys', 0],
    BourseServedTwice: ['bourse_served_twice', 1],
    BourseEngineBehind: ['bourse_replica_behind_commands{replica="b"}', 100_001],
    BourseWebhookBehind: ['bourse_webhook_lag_seconds{webhook="books"}', 301],
    BourseWebhookGaveUp: ['bourse_webhook_dead_events{webhook="books"}', 1],
    BourseWebhookPaused: ['bourse_webhook_paused{webhook="books"}', 1],
    BourseSymbolNotTrading: ['bourse_symbol_trading{symbol="BTC/USDT"}', 0],
    BourseMoneyWaits: ['bourse_waiting_oldest_seconds{kind="withdrawal"}', 86_401],
    BourseClaimStuck: ['bourse_waiting_oldest_seconds{kind="claim"}', 14_401],
    BourseNeverBackedUp: ['bourse_backups_known', 0],
  }
  expect([...Object.keys(byHealth), ...Object.keys(byMetric)].toSorted()).toEqual(
    TROUBLES_KNOWN.map(({ alarm }) => alarm).toSorted(),
  )
  for (const [alarm, health] of Object.entries(byHealth))
    expect([alarm, alarmsOf(health, WELL_TEXT)]).toEqual([alarm, [alarm]])
  for (const [alarm, [name, value]] of Object.entries(byMetric)) {
    const text = WELL_TEXT.split('\n').map((line) =>
      line.startsWith(`${name} `) ? `${name} ${value}` : line,
    )
    expect([alarm, alarmsOf(WELL, text.join('\n'))]).toEqual([alarm, [alarm]])
  }
})

test('customers processes that are not serving are listed by name, and all of them at once have a text of their own', () => {
  const told = (...customers: AdminCustomersProcess[]) =>
    troublesOf({ ...WELL, cluster: { ...leading('b'), customers } }, parseMetrics(WELL_TEXT)).map(
      ({ what }) => what,
    )
  const [answers, lacksExchange] = [process('x', 'ANSWERS'), process('y', 'ANSWERS', 'EXCHANGE')]
  expect(told()).toEqual([])
  expect(told(answers, lacksExchange, process('z', 'NOT_ASKED_YET'))).toEqual([])
  expect(told(answers, process('y', 'SECRET_REFUSED'), process('z', 'ANSWERS', 'STORE'))).toEqual([
    'Customers processes that are not serving: y, z.',
  ])
  expect(told(process('x', 'CERTIFICATE_REFUSED'), process('y', 'NO_ANSWER'))).toEqual([
    'No customers process is serving: sign-ups and sign-ins are refused. Trading continues.',
  ])
})

test('urgent alarms come first', () => {
  const text = 'bourse_webhook_paused{webhook="books"} 1\nbourse_served_twice 1\n'
  expect(alarmsOf(WELL, text)).toEqual(['BourseServedTwice', 'BourseWebhookPaused'])
})

test('each alarm is one of Prometheus’s, with the same urgency, and its instructions are where it says', () => {
  const files = ['alerts', 'standby-alerts', 'cluster-alerts']
  const rules = files.map((name) => read(`packaging/prometheus/${name}.yml`)).join('\n')
  const urgencyByAlarm = new Map(
    rules.split('- alert: ').map((rule) => [rule.split('\n')[0], /severity: (\w+)/.exec(rule)?.[1]]),
  )
  for (const { alarm, urgency, where } of TROUBLES_KNOWN) {
    expect([alarm, urgencyByAlarm.get(alarm)]).toEqual([alarm, urgency])
    const [file = '', anchor] = where.split('#')
    const headings = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    expect([where, headings]).toEqual([where, expect.arrayContaining([anchor])])
  }
})
