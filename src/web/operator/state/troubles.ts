/**
 * What needs somebody's attention, as one look at a node shows: the alarms of `packaging/prometheus` that need no past, with what to do and where that is written. What
 * shows only over time (restarts, a disk that fills up) belongs to Prometheus.
 */
import type { Scrape } from '../../../cli/top/metrics-text.ts'
import type { AdminMetrics } from '../../../wire/admin-records.ts'
import { ORDER_STOPS, type OrderStop } from '../../../wire/order-stops.ts'
import { isAlone } from './members.ts'

export type Trouble = {
  /** As the alarm is called. */
  readonly alarm: string
  /** `page`: look now; `ticket`: look today. */
  readonly urgency: 'page' | 'ticket'
  readonly what: string
  readonly todo: string
  /** A heading of the documentation. */
  readonly where: string
}

type Look = { readonly health: AdminMetrics; readonly scrape: Scrape }
type Rule = Omit<Trouble, 'what'> & {
  /** What is wrong; undefined: nothing. */
  readonly what: (look: Look) => string | undefined
}

const GIB = 1024 ** 3
const DAY_SECONDS = 86_400
const CLAIM_SECONDS = 4 * 3_600

/** Says something where a metric is there and is so; with several labels, where any is. */
function when(
  name: string,
  isWrong: (value: number) => boolean,
  text: (value: number, who: string) => string,
): Rule['what'] {
  return ({ scrape }) => {
    const wrong = scrape.samples(name).filter(({ value }) => isWrong(value))
    const texts = wrong.map(({ value, labels }) => text(value, Object.values(labels).join(' ')))
    return texts.length === 0 ? undefined : texts.join('; ')
  }
}

/** Says what a word of `degraded` means, where it is there. */
function stopped(...words: readonly OrderStop[]): Rule['what'] {
  return ({ health: { degraded } }) => {
    const texts = words.filter((word) => degraded.includes(word)).map((word) => ORDER_STOPS[word])
    return texts.length === 0 ? undefined : texts.join('; ')
  }
}

const RULES: readonly Rule[] = [
  {
    alarm: 'BourseBooksOff',
    urgency: 'page',
    what: when(
      'bourse_books_off_total',
      (count) => count > 0,
      () => 'the books of an asset do not add up; its symbols are halted',
    ),
    todo: 'Leave them halted. Run bourse verify and bourse backup, and keep both.',
    where: 'docs/operating.md#alarms',
  },
  {
    alarm: 'BourseNotReady',
    urgency: 'page',
    what: ({ health: { ready, phase } }) =>
      ready ? undefined : `the node takes no clients: its phase is ${phase}`,
    todo: 'Its log says how far a replay is, or that the storage is full.',
    where: 'docs/operating.md#alarms',
  },
  {
    alarm: 'BourseJournalDamaged',
    urgency: 'page',
    what: ({ health: { journal } }) =>
      journal === 'DAMAGED' ? 'stored commands are not what was written' : undefined,
    todo: 'Keep the backups that you have, and repair the journal at the next quiet hour.',
    where: 'docs/operating.md#the-journal-is-damaged',
  },
  {
    alarm: 'BourseStorageFull',
    urgency: 'page',
    what: stopped('STORAGE_FULL'),
    todo: 'Make room outside of the data directory, or enlarge the disk: service returns by itself.',
    where: 'docs/operating.md#the-disk-is-full',
  },
  {
    alarm: 'BourseOrdersStopped',
    urgency: 'page',
    what: stopped('NO_SYMBOL_TRADING', 'ORDERS_REFUSED'),
    todo: 'Open the symbols that are to be traded; else the reasons of refusals say what is wrong.',
    where: 'docs/reference/monitoring.md#what-stops-all-orders',
  },
  {
    alarm: 'BourseExchangeNotTrading',
    urgency: 'ticket',
    what: stopped('EXCHANGE_CANCEL_ONLY', 'EXCHANGE_CLOSED'),
    todo: 'Open it when it is time: exchange set TRADING.',
    where: 'docs/operating.md#alarms',
  },
  {
    alarm: 'BourseSymbolNotTrading',
    urgency: 'ticket',
    what: when(
      'bourse_symbol_trading',
      (trading) => trading === 0,
      (_, who) => `${who} is not traded`,
    ),
    todo: 'Open it, or delist it where it is not to come back.',
    where: 'docs/operating.md#alarms',
  },
  {
    alarm: 'BourseMoneyWaits',
    urgency: 'ticket',
    what: when(
      'bourse_waiting_oldest_seconds',
      (seconds) => seconds > DAY_SECONDS,
      (seconds, who) => `the oldest ${who} has waited for ${Math.floor(seconds / 3_600)} hours`,
    ),
    todo: 'Pay, complete or refuse it; approve or reject what waits for a second person.',
    where: 'docs/operating.md#alarms',
  },
  {
    alarm: 'BourseClaimStuck',
    urgency: 'ticket',
    what: ({ scrape }) => {
      const [claim] = scrape
        .samples('bourse_waiting_oldest_seconds')
        .filter(({ labels, value }) => labels.kind === 'claim' && value > CLAIM_SECONDS)
      return claim && `somebody took a withdrawal in hand ${Math.floor(claim.value / 3_600)} hours ago`
    },
    todo: 'Find out whether it was paid, then complete it.',
    where: 'docs/operating.md#alarms',
  },
  {
    alarm: 'BourseNeverBackedUp',
    urgency: 'ticket',
    what: when(
      'bourse_backups_known',
      (known) => known === 0,
      () => 'no backup of this directory is known',
    ),
    todo: 'Back up by hand, and set up the timer.',
    where: 'docs/operating.md#back-up',
  },
  {
    alarm: 'BourseClockNotTrusted',
    urgency: 'page',
    what: stopped('CLOCK_NOT_TRUSTED'),
    todo: 'Set the clock right, or accept it where it is right (clock accept).',
    where: 'docs/operating.md#the-clock',
  },
  {
    alarm: 'BourseClockBehind',
    urgency: 'page',
    what: when(
      'bourse_clock_ahead_seconds',
      (seconds) => seconds < -10,
      (seconds) => `the clock is ${Math.round(-seconds)} s behind: the server’s time stands still`,
    ),
    todo: 'Set the clock right.',
    where: 'docs/operating.md#the-clock',
  },
  {
    alarm: 'BourseStorageLow',
    urgency: 'page',
    what: when(
      'bourse_storage_free_bytes',
      (bytes) => bytes < 5 * GIB,
      (bytes) => `${(bytes / GIB).toFixed(1)} GiB are left on the disk`,
    ),
    todo: 'Make room outside of the data directory, or enlarge the disk.',
    where: 'docs/operating.md#the-disk-is-full',
  },
  {
    alarm: 'BourseHistoryBehind',
    urgency: 'ticket',
    what: when(
      'bourse_history_lag_commands',
      (commands) => commands > 100_000,
      (commands) =>
        `the history is ${commands.toLocaleString('en-US')} commands behind; trading is not touched`,
    ),
    todo: 'It catches up when the load falls; else it lacks processor or disk.',
    where: 'docs/operating.md#alarms',
  },
  {
    alarm: 'BourseBackupFailed',
    urgency: 'ticket',
    what: ({ health: { backups } }) =>
      backups?.failed ? `the last backup has come to nothing: ${backups.failed.problem}` : undefined,
    todo: 'Older backups are still there. Remove the cause and back up by hand.',
    where: 'docs/operating.md#back-up',
  },
  {
    alarm: 'BourseBackupOld',
    urgency: 'ticket',
    what: when(
      'bourse_backup_age_seconds',
      (seconds) => seconds > 1.5 * DAY_SECONDS,
      (seconds) => `the newest backup is ${Math.floor(seconds / 3_600)} hours old`,
    ),
    todo: 'See why the timer made none, and back up by hand.',
    where: 'docs/operating.md#back-up',
  },
  {
    alarm: 'BourseArchiveFailed',
    urgency: 'ticket',
    what: when(
      'bourse_archive_failed',
      (failed) => failed > 0,
      () => 'the node could not move older commands to an archive',
    ),
    todo: 'Its log says why, under ARCHIVE_FAILED. It tries again tomorrow.',
    where: 'docs/operating.md#move-old-commands-to-an-archive',
  },
  {
    alarm: 'BourseCertificateEnds',
    urgency: 'ticket',
    what: when(
      'bourse_certificate_end_seconds',
      (seconds) => seconds < 14 * DAY_SECONDS,
      (seconds) => `the certificate ends in ${Math.floor(seconds / DAY_SECONDS)} days`,
    ),
    todo: 'Renew it.',
    where: 'docs/operating.md#renew-the-certificate',
  },
  {
    alarm: 'BourseNoStandby',
    urgency: 'ticket',
    what: when(
      'bourse_standbys',
      (count) => count === 0,
      () => 'no standby follows this node, which is set to have one',
    ),
    todo: 'See that it runs and reaches this node.',
    where: 'docs/standby.md#set-one-up',
  },
  {
    alarm: 'BourseServedTwice',
    urgency: 'page',
    what: when(
      'bourse_served_twice',
      (places) => places > 0,
      () => 'this exchange is served somewhere else too, and nobody was promoted',
    ),
    todo: 'Stop one of the two at once.',
    where: 'docs/standby.md#the-old-node-comes-back',
  },
  {
    alarm: 'BourseNoStandbyEngine',
    urgency: 'page',
    what: ({ health: { cluster }, scrape }) => {
      const replicas = scrape.samples('bourse_replica_behind_commands')
      const names = replicas.map(({ labels }) => labels.replica ?? '')
      return cluster !== null && isAlone(cluster, names)
        ? 'no engine follows this one: one more loss stops the exchange'
        : undefined
    },
    todo: 'Start another engine, or see in its log why it does not follow.',
    where: 'docs/cluster-operations.md#alarms',
  },
  {
    alarm: 'BourseEngineBehind',
    urgency: 'ticket',
    what: when(
      'bourse_replica_behind_commands',
      (commands) => commands > 100_000,
      (commands, who) => `${who} is ${commands.toLocaleString('en-US')} commands behind the leader`,
    ),
    todo: 'It could not take over quickly: look at its machine and its log.',
    where: 'docs/cluster-operations.md#alarms',
  },
  {
    alarm: 'BourseWebhookBehind',
    urgency: 'ticket',
    what: when(
      'bourse_webhook_lag_seconds',
      (seconds) => seconds > 300,
      (seconds, who) => `the webhook ${who} is ${Math.floor(seconds / 60)} minutes behind`,
    ),
    todo: 'webhook show says what its receiver answers.',
    where: 'docs/webhooks.md#what-is-promised',
  },
  {
    alarm: 'BourseWebhookGaveUp',
    urgency: 'ticket',
    what: when(
      'bourse_webhook_dead_events',
      (events) => events > 0,
      (events, who) => `the webhook ${who} gave up ${events} events`,
    ),
    todo: 'dead-event list has them, webhook retry sends them again.',
    where: 'docs/webhooks.md#what-is-given-up',
  },
  {
    alarm: 'BourseWebhookPaused',
    urgency: 'ticket',
    what: when(
      'bourse_webhook_paused',
      (paused) => paused > 0,
      (_, who) => `the webhook ${who} is paused`,
    ),
    todo: 'webhook resume, when its receiver is well.',
    where: 'docs/webhooks.md#pauses',
  },
]

/** Those that are there now, what is urgent first. */
export function troublesOf(health: AdminMetrics, scrape: Scrape): readonly Trouble[] {
  const found = RULES.flatMap(({ what, ...rule }): Trouble[] => {
    const text = what({ health, scrape })
    return text === undefined ? [] : [{ ...rule, what: text }]
  })
  return found.toSorted((one, other) => Number(other.urgency === 'page') - Number(one.urgency === 'page'))
}

/** Every alarm that can be shown, and where what to do is written. */
export const TROUBLES_KNOWN = RULES.map(({ alarm, urgency, where }) => ({ alarm, urgency, where }))
