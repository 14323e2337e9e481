/** Pending approvals, banned addresses, the health of the node, and the actions of operators. */

import { OPERATOR_ACTIONS_MAX } from '../../../units/operator-enums.ts'
import type { AdminAuditPage } from '../audit.ts'
import type {
  AdminAction,
  AdminApproval,
  AdminBan,
  AdminClock,
  AdminLoad,
  AdminMetrics,
  AdminTransfer,
} from '../records.ts'
import { BAN_MINUTES_MAX } from './bounds.ts'
import { known, named, page, required, text, whole } from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

const reference = known('reference of the request')
const address = text('an IPv4 or IPv6 address; an IPv6 address stands for its /64')
const actor = named('who', known('only actions of this actor'))
const kind = known('only commands of this kind, for example Credit')
const before = whole(1, undefined, 'only before this command number')

export const SAFETY_OPERATIONS = {
  'approval/list': reads({
    title: 'Pending approvals',
    summary: 'List the requests that wait for approval, who has approved each and who may.',
    rights: ['read.money'],
    options: page('reference'),
    examples: ['approval list'],
    told: 'list: `reference`, `kind`, `account`, `asset`, `amount`, `requestedBy`, `note`, `reason` (of a refusal: shown to the trader), `requestedAt`, `needed`, `approvedBy` (approvals so far that still count), `mayApprove` (tokens that may still approve, the first 20), `expiresAt`',
    answer: answers<readonly AdminApproval[]>(),
  }),
  'approval/approve': changes('MONEY', {
    title: 'Approve',
    summary:
      "Approve another operator's request, which is then carried out. Needs a named token (BOURSE_ADMIN_TOKEN).",
    rights: ['approve'],
    words: { reference },
    examples: ['approval approve deposit-1042'],
    told: '`repeated`, `pending` (more approvals are needed)',
    answer: answers<AdminTransfer>(),
  }),
  'approval/reject': changes('MONEY', {
    title: 'Reject',
    summary: 'Reject a request that waits for approval.',
    rights: ['approve'],
    words: { reference },
    examples: ['approval reject deposit-1042 --note "not known"'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'ban/list': reads({
    title: 'Bans',
    summary: 'List the banned addresses, banned by operators or by the rate limits.',
    rights: ['read'],
    options: page('address'),
    examples: ['ban list'],
    told: 'list: `address`, `until`, `by` (`OPERATOR` or `LIMITS`)',
    answer: answers<readonly AdminBan[]>(),
  }),
  'ban/add': changes('QUICK', {
    title: 'Ban address',
    summary: 'Ban an address from the public server.',
    rights: ['bans'],
    words: { address },
    options: { minutes: required(whole(1, BAN_MINUTES_MAX, 'length of the ban')) },
    examples: ['ban add 192.0.2.7 --minutes 60 --note "scans"'],
    told: 'the ban',
    answer: answers<AdminBan>(),
  }),
  'ban/lift': changes('UNPROTECTS', {
    title: 'Lift ban',
    summary: 'Lift a ban, set by an operator or by the rate limits.',
    rights: ['bans'],
    words: { address },
    examples: ['ban lift 192.0.2.7'],
    told: "`lifted`: true if there was a ban. Ends the operators' ban and the limits' ban, and resets the count toward the next one",
    /** True if there was a ban. */
    answer: answers<{ readonly lifted: boolean }>(),
  }),
  /** The measurements and the health of the node. */
  'metrics/show': reads({
    title: 'Metrics',
    summary: 'Show the health of the node, and its metrics in Prometheus format.',
    rights: ['read'],
    examples: ['metrics show'],
    told: '`ready`, `phase`, `journal` (`UNCHECKED`, `WHOLE`, `DAMAGED`), `degraded` (list), `cluster` (`name`, `role`, `leader`, `epoch`, and `members`, the engines and historians that the cluster’s file names: `name`, `kind` `ENGINE` or `HISTORIAN`, `admin`, the address of its admin server on its machine or null; `customers`, the [customers processes](../customers-operations.md#in-a-cluster): `name`, `state` `ANSWERS`, `NO_ANSWER`, `CERTIFICATE_REFUSED`, `SECRET_REFUSED` or `NOT_ASKED_YET`, `since`, `version` and `commit` of its build or null, `lacks`, a list of `STORE` and `EXCHANGE`; null: none), `backups` (`newest`: `directory`, `createdAt`, `seq`, `time`, `bytes` of the newest verified backup of `bourse backup`, or null; `failed`: `at`, `problem` of the last attempt, null if it succeeded; null in a cluster), `text`: [metrics](monitoring.md) as the monitoring server shows them',
    answer: answers<AdminMetrics>(),
  }),
  /** The load of the last hour, entry by entry; only entries later than `after` (milliseconds since 1970). */
  'load/show': reads({
    title: 'Load',
    summary: 'Show the load of the node in the last hour, in steps of ten seconds.',
    rights: ['read'],
    options: { after: whole(0, undefined, 'only later than this time, in milliseconds since 1970') },
    examples: ['load show'],
    told: 'list, oldest first, one entry for every ten seconds of the last hour: `atMs`, and counters since the start of the node: `commands`, `commits`, `commitSeconds`, `requests`, `trades`, `cpuSeconds`',
    answer: answers<readonly AdminLoad[]>(),
  }),
  'clock/show': reads({
    title: 'Clock',
    summary: "Show the node's clock, the server's time, and whether the clock is trusted.",
    rights: ['read'],
    examples: ['clock show'],
    told: '`trusted`, `serverTime`, `clock` (time of the clock), `aheadMs` (negative: behind)',
    answer: answers<AdminClock>(),
  }),
  'clock/accept': changes('UNPROTECTS', {
    title: 'Accept clock',
    summary: 'Trust the clock although it has jumped ahead. This cannot be undone.',
    rights: ['clock'],
    confirm:
      'Date all later orders by the node’s clock? This cannot be undone. "clock show" prints the clock.',
    examples: ['clock accept --yes --note "the machine was suspended"'],
    told: "as `clock/show`, and `before`: the server's time until then. 409 `CLOCK_TRUSTED`: there is nothing to accept; 503 `CLOCK_NOT_TRUSTED`: the clock has jumped again",
    /** `before`: the server's time before the change. */
    answer: answers<AdminClock & { readonly before: string }>(),
  }),
  'audit/find': reads({
    title: 'Search audit trail',
    summary: 'Search the actions of operators, newest first, by actor, kind, account, time and text.',
    command: 'action find',
    rights: ['audit'],
    options: {
      actor,
      kind,
      account: known('only events that concern this account'),
      from: text('from this day, or this time such as 2026-01-31T14:00:00Z'),
      to: text('up to this time; a day means its beginning'),
      text: known('only actions with this text, ignoring case'),
      before,
      limit: whole(1, OPERATOR_ACTIONS_MAX, 'at most this many, {range}; default 50'),
    },
    needsOption: true,
    examples: ['action find --account alice --text refund --from 2026-01-01'],
    told: '`actions`, newest first; `next` (for `before`; null: no more), `lookedBackTo` (time of the last command searched). One request searches at most 5,000 commands',
    answer: answers<AdminAuditPage>(),
  }),
  /** The newest first; only those older than command `before`, if given. */
  'audit/list': reads({
    title: 'Audit trail',
    summary: 'Show the actions of operators, newest first, with operator, time, reason and outcome.',
    command: 'audit',
    rights: ['audit'],
    options: {
      before,
      limit: whole(1, OPERATOR_ACTIONS_MAX, 'at most this many, {range}; default 500'),
      kind,
      actor,
    },
    examples: ['audit --who dora --limit 50'],
    told: 'list, newest first: `seq`, `time`, `kind`, `actor`, `note`, `outcome` (`done`, `repeated`, `waits for approval` or a reason), `fields`',
    answer: answers<readonly AdminAction[]>(),
  }),
} satisfies OperationRows
