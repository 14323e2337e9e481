/** What waits for a second person, banned addresses, how the node is, and what operators did. */

import { OPERATOR_ACTIONS_MAX } from '../../units/operator-words.ts'
import type { AdminAuditPage } from '../admin-audit.ts'
import type {
  AdminAction,
  AdminApproval,
  AdminBan,
  AdminClock,
  AdminLoad,
  AdminMetrics,
  AdminTransfer,
} from '../admin-records.ts'
import { BAN_MINUTES_MAX } from './bounds.ts'
import { known, named, page, required, text, whole } from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

const reference = known('the reference it was asked for with')
const address = text('an IPv4 or IPv6 address; of IPv6 its /64 counts')
const actor = named('who', known('only by this actor'))
const kind = known('only this kind of command, for example Credit')
const before = whole(1, undefined, 'only what came before this command')

export const SAFETY_OPERATIONS = {
  'approval/list': reads({
    summary: 'List what waits for a second person, who has approved it and who may.',
    rights: ['read.money'],
    options: page('reference'),
    examples: ['approval list'],
    told: 'list: `reference`, `kind`, `account`, `asset`, `amount`, `requestedBy`, `note`, `reason` (of a refusal: what the trader is told), `requestedAt`, `needed`, `approvedBy` (who has and still could), `mayApprove` (whose tokens still may, the first 20), `expiresAt`',
    answer: answers<readonly AdminApproval[]>(),
  }),
  'approval/approve': changes('MONEY', {
    summary: 'Carry out what somebody else has asked for. It takes a named token (BOURSE_ADMIN_TOKEN).',
    rights: ['approve'],
    words: { reference },
    examples: ['approval approve deposit-1042'],
    told: '`repeated`, `pending` (more are to approve it)',
    answer: answers<AdminTransfer>(),
  }),
  'approval/reject': changes('MONEY', {
    summary: 'Forget what waits under a reference.',
    rights: ['approve'],
    words: { reference },
    examples: ['approval reject deposit-1042 --note "not known"'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'ban/list': reads({
    summary: "List the addresses that are banned, by operators or by the node's own limits.",
    rights: ['read'],
    options: page('address'),
    examples: ['ban list'],
    told: 'list: `address`, `until`, `by` (`OPERATOR` or `LIMITS`)',
    answer: answers<readonly AdminBan[]>(),
  }),
  'ban/add': changes('QUICK', {
    summary: 'Keep an address from the public server.',
    rights: ['bans'],
    words: { address },
    options: { minutes: required(whole(1, BAN_MINUTES_MAX, 'for how long')) },
    examples: ['ban add 192.0.2.7 --minutes 60 --note "scans"'],
    told: 'the ban',
    answer: answers<AdminBan>(),
  }),
  'ban/lift': changes('UNPROTECTS', {
    summary: "Lift a ban, an operator's or one of the limits.",
    rights: ['bans'],
    words: { address },
    examples: ['ban lift 192.0.2.7'],
    told: "`lifted`: there was one. Ends the operators' ban and that of the limits alike, and forgets what counted towards the next",
    /** True when there was a ban. */
    answer: answers<{ readonly lifted: boolean }>(),
  }),
  /** What the node measures of itself, and whether it is well. */
  'metrics/show': reads({
    summary: 'Show whether the node is well, and its metrics in the format of Prometheus.',
    rights: ['read'],
    examples: ['metrics show'],
    told: '`ready`, `phase`, `journal` (`UNCHECKED`, `WHOLE`, `DAMAGED`), `degraded` (list), `cluster` (`name`, `role`, `leader`, `epoch`, and `members`, the engines and historians that the cluster’s file names: `name`, `kind` `ENGINE` or `HISTORIAN`, `admin`, the address of its admin server on its machine or null; null: none), `backups` (`newest`: `directory`, `createdAt`, `seq`, `time`, `bytes` of the newest verified one of `bourse backup`, or null; `failed`: `at`, `problem` of the last attempt, null where it succeeded; null in a cluster), `text`: [metrics](monitoring.md) as the server for probes shows them',
    answer: answers<AdminMetrics>(),
  }),
  /** What it did in the last hour, look by look; later than `after` (milliseconds since 1970) alone. */
  'load/show': reads({
    summary: 'Show how fast the node was, every ten seconds of the last hour.',
    rights: ['read'],
    options: { after: whole(0, undefined, 'only later than this, in milliseconds since 1970') },
    examples: ['load show'],
    told: 'list, oldest first, one for every ten seconds of the last hour since the node started: `atMs`, and what was counted until then: `commands`, `commits`, `commitSeconds`, `requests`, `trades`, `cpuSeconds`',
    answer: answers<readonly AdminLoad[]>(),
  }),
  'clock/show': reads({
    summary: "Show the node's clock, the server's time, and whether the clock is trusted.",
    rights: ['read'],
    examples: ['clock show'],
    told: '`trusted`, `serverTime`, `clock` (what the clock shows), `aheadMs` (behind: negative)',
    answer: answers<AdminClock>(),
  }),
  'clock/accept': changes('UNPROTECTS', {
    summary: 'Take what the clock shows for the time although it has jumped ahead. It cannot be taken back.',
    rights: ['clock'],
    confirm: 'Date all later orders by the clock of the node, for good? "clock show" prints it.',
    examples: ['clock accept --yes --note "the machine was suspended"'],
    told: "the same, `before`: the server's time until then. 409 `CLOCK_TRUSTED` where there is nothing to accept, 503 `CLOCK_NOT_TRUSTED` where the clock has jumped again meanwhile",
    /** `before`: the server's time until then. */
    answer: answers<AdminClock & { readonly before: string }>(),
  }),
  'audit/find': reads({
    summary: 'Search what operators did, newest first: by who, what, whose account, when and any text.',
    command: 'action find',
    rights: ['audit'],
    options: {
      actor,
      kind,
      account: known('only what concerns this account'),
      from: text('not before this day, or time such as 2026-01-31T14:00:00Z'),
      to: text('not after this time; a day is its beginning'),
      text: known('only with this text, in any letter case'),
      before,
      limit: whole(1, OPERATOR_ACTIONS_MAX, 'at most so many, 1 to 500; 50 without it'),
    },
    needsOption: true,
    examples: ['action find --account alice --text refund --from 2026-01-01'],
    told: '`actions`, newest first; `next` (for `before`; null: there is no more), `lookedBackTo` (time of the last command that was looked at). One question looks at 5,000 commands at most',
    answer: answers<AdminAuditPage>(),
  }),
  /** The newest first; older than command `before` where that is given. */
  'audit/list': reads({
    summary: 'Show what operators did, newest first: who, when, what, why and what came of it.',
    command: 'audit',
    rights: ['audit'],
    options: {
      before,
      limit: whole(1, OPERATOR_ACTIONS_MAX, 'at most so many, 1 to 500; 500 without it'),
      kind,
      actor,
    },
    examples: ['audit --who dora --limit 50'],
    told: 'list, newest first: `seq`, `time`, `kind`, `actor`, `note`, `outcome` (`done`, `repeated`, `waits for approval` or a reason), `fields`',
    answer: answers<readonly AdminAction[]>(),
  }),
} satisfies OperationRows
