/**
 * Problems that need attention, detected from one sample of a node: the alarms of `packaging/prometheus` that
 * need no history, each with its remedy and the place that documents it. Problems visible only over time
 * (restarts, a disk that fills up) are left to Prometheus.
 */
import type { Scrape } from '../../../cli/top/metrics-text.ts'
import type { AdminMetrics } from '../../../contract/admin/records.ts'
import { ORDER_STOPS, type OrderStop } from '../../../contract/api/order-stops.ts'
import { named, say, type Text } from '../texts/texts.ts'
import { customersAway, isAlone } from './members.ts'

export type Trouble = {
  /** The name of the alarm. */
  readonly alarm: string
  /** `page`: check now; `ticket`: check today. */
  readonly urgency: 'page' | 'ticket'
  readonly what: string
  readonly todo: Text
  /** A heading of the documentation. */
  readonly where: string
}

type Look = { readonly health: AdminMetrics; readonly scrape: Scrape }
type Rule = Omit<Trouble, 'what'> & {
  /** The problem; undefined if there is none. */
  readonly what: (look: Look) => string | undefined
}

const GIB = 1024 ** 3
const DAY_SECONDS = 86_400
const CLAIM_SECONDS = 4 * 3_600

/** Reports if a metric is exported and the condition is true; with several labels, for any of them. */
function when(
  name: string,
  isWrong: (value: number) => boolean,
  text: (value: number, who: string) => string,
): Rule['what'] {
  return ({ scrape }) => {
    const wrong = scrape.samples(name).filter(({ value }) => isWrong(value))
    const texts = wrong.map(({ value, labels }) => text(value, Object.values(labels).join(' ')))
    return texts.length === 0 ? undefined : texts.join(' ')
  }
}

/** Explains one of the entries of `degraded`, if present. */
function stopped(...words: readonly OrderStop[]): Rule['what'] {
  return ({ health: { degraded } }) => {
    const texts = words
      .filter((word) => degraded.includes(word))
      .map((word) => named(`stop ${word}`, ORDER_STOPS[word]))
    return texts.length === 0 ? undefined : texts.join('; ')
  }
}

function hoursOf(seconds: number): number {
  return Math.floor(seconds / 3_600)
}

function countOf(commands: number): string {
  return commands.toLocaleString('en-US')
}

const RULES: readonly Rule[] = [
  {
    alarm: 'BourseBooksOff',
    urgency: 'page',
    what: when(
      'bourse_books_off_total',
      (count) => count > 0,
      () => say('The balances of an asset do not add up: its symbols are halted.'),
    ),
    todo: 'Leave them halted. Run “bourse verify” and “bourse backup” and keep the results.',
    where: 'docs/alarms.md#alarms',
  },
  {
    alarm: 'BourseNotReady',
    urgency: 'page',
    what: ({ health: { ready, phase } }) =>
      ready ? undefined : say('The node accepts no clients: its phase is {phase}.', { phase }),
    todo: 'See its log: it may be replaying the journal, or the disk may be full.',
    where: 'docs/alarms.md#alarms',
  },
  {
    alarm: 'BourseJournalDamaged',
    urgency: 'page',
    what: ({ health: { journal } }) => (journal === 'DAMAGED' ? say('The journal is damaged.') : undefined),
    todo: 'Keep all backups, and repair the journal at the next quiet time.',
    where: 'docs/recovery.md#the-journal-is-damaged',
  },
  {
    alarm: 'BourseStorageFull',
    urgency: 'page',
    what: stopped('STORAGE_FULL'),
    todo: 'Free space outside the data directory or enlarge the disk: service then resumes by itself.',
    where: 'docs/recovery.md#the-disk-is-full',
  },
  {
    alarm: 'BourseOrdersStopped',
    urgency: 'page',
    what: stopped('NO_SYMBOL_TRADING', 'ORDERS_REFUSED'),
    todo: 'Resume the symbols that should trade. If orders are still refused, check the reasons for the refusals.',
    where: 'docs/reference/monitoring.md#what-stops-all-orders',
  },
  {
    alarm: 'BourseExchangeNotTrading',
    urgency: 'ticket',
    what: stopped('EXCHANGE_CANCEL_ONLY', 'EXCHANGE_CLOSED'),
    todo: 'Open the exchange when it is time.',
    where: 'docs/alarms.md#alarms',
  },
  {
    alarm: 'BourseSymbolNotTrading',
    urgency: 'ticket',
    what: when(
      'bourse_symbol_trading',
      (trading) => trading === 0,
      (_, who) => say('{symbol} is not trading.', { symbol: who }),
    ),
    todo: 'Resume it, or delist it if it is not to be traded again.',
    where: 'docs/alarms.md#alarms',
  },
  {
    alarm: 'BourseMoneyWaits',
    urgency: 'ticket',
    what: when(
      'bourse_waiting_oldest_seconds',
      (seconds) => seconds > DAY_SECONDS,
      (seconds, who) =>
        say('The oldest item ({kind}) has been waiting for {hours} hours.', {
          kind: who,
          hours: hoursOf(seconds),
        }),
    ),
    todo: 'Pay and complete it or refuse it; approve or reject pending approvals.',
    where: 'docs/alarms.md#alarms',
  },
  {
    alarm: 'BourseClaimStuck',
    urgency: 'ticket',
    what: ({ scrape }) => {
      const [claim] = scrape
        .samples('bourse_waiting_oldest_seconds')
        .filter(({ labels, value }) => labels.kind === 'claim' && value > CLAIM_SECONDS)
      return (
        claim &&
        say('A withdrawal was claimed {hours} hours ago and is not completed.', {
          hours: hoursOf(claim.value),
        })
      )
    },
    todo: 'Find out whether it was paid, then complete it or refuse it.',
    where: 'docs/alarms.md#alarms',
  },
  {
    alarm: 'BourseNeverBackedUp',
    urgency: 'ticket',
    what: when(
      'bourse_backups_known',
      (known) => known === 0,
      () => say('This data directory has no backup yet.'),
    ),
    todo: 'Make a backup now, and set up the timer.',
    where: 'docs/recovery.md#back-up',
  },
  {
    alarm: 'BourseClockNotTrusted',
    urgency: 'page',
    what: stopped('CLOCK_NOT_TRUSTED'),
    todo: 'Correct the clock, or accept it if it is right (clock accept).',
    where: 'docs/alarms.md#the-clock',
  },
  {
    alarm: 'BourseClockBehind',
    urgency: 'page',
    what: when(
      'bourse_clock_ahead_seconds',
      (seconds) => seconds < -10,
      (seconds) =>
        say('The clock is {seconds} s behind: the server’s time does not advance.', {
          seconds: Math.round(-seconds),
        }),
    ),
    todo: 'Correct the clock.',
    where: 'docs/alarms.md#the-clock',
  },
  {
    alarm: 'BourseStorageLow',
    urgency: 'page',
    what: when(
      'bourse_storage_free_bytes',
      (bytes) => bytes < 5 * GIB,
      (bytes) => say('Only {size} GiB is free on the disk.', { size: (bytes / GIB).toFixed(1) }),
    ),
    todo: 'Free space outside the data directory or enlarge the disk.',
    where: 'docs/recovery.md#the-disk-is-full',
  },
  {
    alarm: 'BourseHistoryBehind',
    urgency: 'ticket',
    what: when(
      'bourse_history_lag_commands',
      (commands) => commands > 100_000,
      (commands) =>
        say('The history is {count} commands behind. Trading is not affected.', { count: countOf(commands) }),
    ),
    todo: 'It catches up when the load falls. If it does not, the CPU or the disk is too slow.',
    where: 'docs/alarms.md#alarms',
  },
  {
    alarm: 'BourseBackupFailed',
    urgency: 'ticket',
    what: ({ health: { backups } }) =>
      backups?.failed
        ? say('The last backup failed: {problem}', { problem: backups.failed.problem })
        : undefined,
    todo: 'Older backups still exist. Fix the cause and make a backup now.',
    where: 'docs/recovery.md#back-up',
  },
  {
    alarm: 'BourseBackupOld',
    urgency: 'ticket',
    what: when(
      'bourse_backup_age_seconds',
      (seconds) => seconds > 1.5 * DAY_SECONDS,
      (seconds) => say('The newest backup is {hours} hours old.', { hours: hoursOf(seconds) }),
    ),
    todo: 'Find out why the timer made no backup, and make one now.',
    where: 'docs/recovery.md#back-up',
  },
  {
    alarm: 'BourseArchiveFailed',
    urgency: 'ticket',
    what: when(
      'bourse_archive_failed',
      (failed) => failed > 0,
      () => say('The node could not move older commands to an archive.'),
    ),
    todo: 'See ARCHIVE_FAILED in its log. It tries again tomorrow.',
    where: 'docs/recovery.md#move-old-commands-to-an-archive',
  },
  {
    alarm: 'BourseCertificateEnds',
    urgency: 'ticket',
    what: when(
      'bourse_certificate_end_seconds',
      (seconds) => seconds < 14 * DAY_SECONDS,
      (seconds) =>
        say('The certificate expires in {days} days.', { days: Math.floor(seconds / DAY_SECONDS) }),
    ),
    todo: 'Renew the certificate.',
    where: 'docs/operating.md#renew-the-certificate',
  },
  {
    alarm: 'BourseNoStandby',
    urgency: 'ticket',
    what: when(
      'bourse_standbys',
      (count) => count === 0,
      () => say('No standby is connected, although one is configured.'),
    ),
    todo: 'Check that it runs and reaches this node.',
    where: 'docs/standby.md#set-one-up',
  },
  {
    alarm: 'BourseServedTwice',
    urgency: 'page',
    what: when(
      'bourse_served_twice',
      (places) => places > 0,
      () => say('Another node also serves this exchange, although no standby was promoted.'),
    ),
    todo: 'Stop one of the two now.',
    where: 'docs/standby.md#the-old-node-comes-back',
  },
  {
    alarm: 'BourseNoStandbyEngine',
    urgency: 'page',
    what: ({ health: { cluster }, scrape }) => {
      const replicas = scrape.samples('bourse_replica_behind_commands')
      const names = replicas.map(({ labels }) => labels.replica ?? '')
      return cluster !== null && isAlone(cluster, names)
        ? say('No other engine is connected: one more failure stops the exchange.')
        : undefined
    },
    todo: 'Start another engine, or see in its log why it does not connect.',
    where: 'docs/cluster-operations.md#alarms',
  },
  {
    alarm: 'BourseEngineBehind',
    urgency: 'ticket',
    what: when(
      'bourse_replica_behind_commands',
      (commands) => commands > 100_000,
      (commands, who) =>
        say('{name} is {count} commands behind the leader.', { name: who, count: countOf(commands) }),
    ),
    todo: 'It could not take over quickly: check its machine and its log.',
    where: 'docs/cluster-operations.md#alarms',
  },
  {
    alarm: 'BourseCustomersProcessDown',
    urgency: 'ticket',
    what: ({ health: { cluster } }) => {
      const all = cluster?.customers ?? []
      const away = customersAway(all)
      if (away.length === 0) return undefined
      return away.length === all.length
        ? say('No customers process is serving: sign-ups and sign-ins are refused. Trading continues.')
        : say('Customers processes that are not serving: {names}.', {
            names: away.map(({ name }) => name).join(', '),
          })
    },
    todo: 'See its row under “Customers processes”, and its log: it may not be running, or its database may not be answering.',
    where: 'docs/cluster-operations.md#alarms',
  },
  {
    alarm: 'BourseWebhookBehind',
    urgency: 'ticket',
    what: when(
      'bourse_webhook_lag_seconds',
      (seconds) => seconds > 300,
      (seconds, who) =>
        say('The webhook {name} is {minutes} minutes behind.', {
          name: who,
          minutes: Math.floor(seconds / 60),
        }),
    ),
    todo: 'Run “webhook show” to see its receiver’s answers.',
    where: 'docs/webhooks.md#what-is-promised',
  },
  {
    alarm: 'BourseWebhookGaveUp',
    urgency: 'ticket',
    what: when(
      'bourse_webhook_dead_events',
      (events) => events > 0,
      (events, who) => say('The webhook {name} gave up on {count} events.', { name: who, count: events }),
    ),
    todo: 'List them with “webhook dead” and send them again with “webhook retry”.',
    where: 'docs/webhooks.md#what-is-given-up',
  },
  {
    alarm: 'BourseWebhookPaused',
    urgency: 'ticket',
    what: when(
      'bourse_webhook_paused',
      (paused) => paused > 0,
      (_, who) => say('The webhook {name} is paused.', { name: who }),
    ),
    todo: 'Resume it when its receiver works again.',
    where: 'docs/webhooks.md#pauses',
  },
]

/** The current problems, urgent ones first. */
export function troublesOf(health: AdminMetrics, scrape: Scrape): readonly Trouble[] {
  const found = RULES.flatMap(({ what, ...rule }): Trouble[] => {
    const text = what({ health, scrape })
    return text === undefined ? [] : [{ ...rule, what: text }]
  })
  return found.toSorted((one, other) => Number(other.urgency === 'page') - Number(one.urgency === 'page'))
}

/** Every alarm that can be displayed, with the place that documents its remedy. */
export const TROUBLES_KNOWN = RULES.map(({ alarm, urgency, where }) => ({ alarm, urgency, where }))
