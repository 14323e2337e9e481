/** The operator's commands on who may operate, what waits for a second person, bans, and what was done. */
import type {
  AdminAction,
  AdminApproval,
  AdminBackups,
  AdminBan,
  AdminClock,
  AdminLoad,
  AdminMetrics,
} from '../../../wire/admin-records.ts'
import { facts, table } from '../../table.ts'
import { type AdminCommand, command } from '../command.ts'
import { loadRates } from '../load-rates.ts'
import { takenText } from '../order-stop-text.ts'
import { transferText } from './money.ts'
import { pageOptions } from './page-options.ts'

export function approvalTable(approvals: readonly AdminApproval[]): string {
  const headings = [
    'REFERENCE',
    'KIND',
    'ACCOUNT',
    'ASSET',
    'AMOUNT',
    'REQUESTED BY',
    'APPROVED BY',
    'NEEDED',
    'MAY APPROVE',
    'UNTIL',
    'NOTE',
  ]
  const rows = approvals.map((one) => [
    one.reference,
    one.kind,
    one.account,
    one.asset,
    one.amount,
    one.requestedBy,
    one.approvedBy.join(' ') || '-',
    String(one.needed),
    one.mayApprove.join(' ') || '-',
    one.expiresAt,
    one.note,
  ])
  return table(headings, rows, 'Nothing waits for approval.')
}

function banTable(bans: readonly AdminBan[]): string {
  const rows = bans.map(({ address, until, by }) => [address, until, by])
  return table(['ADDRESS', 'UNTIL', 'BY'], rows, 'Nobody is banned.')
}

function clockText({ trusted, serverTime, clock, aheadMs }: AdminClock): string {
  return facts([
    ['clock of the node', clock],
    ["server's time", serverTime],
    ['clock is ahead by', `${aheadMs / 1_000} s`],
    ['clock is trusted', trusted ? 'yes' : 'NO: new orders are refused'],
  ])
}

function loadTable(looks: readonly AdminLoad[]): string {
  const headings = ['FROM', 'COMMANDS/S', 'REQUESTS/S', 'TRADES/S', 'COMMIT MS', 'CPU %']
  const rows = loadRates(looks).map((rate) => [
    new Date(rate.atMs).toISOString(),
    rate.commandsPerSecond.toFixed(1),
    rate.requestsPerSecond.toFixed(1),
    rate.tradesPerSecond.toFixed(1),
    rate.commitMs === undefined ? '-' : rate.commitMs.toFixed(2),
    (rate.cpu * 100).toFixed(0),
  ])
  return table(headings, rows, 'It has been looked at once: ask again in ten seconds.')
}

function backupText({ newest, failed }: AdminBackups): string {
  const made = newest === null ? 'none known' : `${newest.createdAt}, up to command ${newest.seq}, verified`
  return failed === null ? made : `${made}; the last attempt FAILED at ${failed.at}: ${failed.problem}`
}

function metricsText({ ready, phase, journal, degraded, cluster, backups, text }: AdminMetrics): string {
  const health = facts([
    ['ready', ready ? 'yes' : 'NO'],
    ['phase', phase],
    ['journal', journal],
    ['orders', takenText(degraded)],
    ['degraded', degraded.join(' ') || '-'],
    ['newest backup', backups === null ? 'of the database: not known here' : backupText(backups)],
    ...(cluster === null
      ? []
      : ([
          ['cluster', `${cluster.role}, epoch ${cluster.epoch}; ${cluster.leader ?? 'nobody'} leads`],
        ] as const)),
  ])
  return `${health}\n\n${text.trimEnd()}`
}

export function actionTable(actions: readonly AdminAction[]): string {
  const headings = ['COMMAND', 'TIME', 'WHO', 'WHAT', 'OUTCOME', 'FIELDS', 'WHY']
  const rows = actions.map((action) => [
    String(action.seq),
    action.time,
    action.actor,
    action.kind,
    action.outcome,
    Object.entries(action.fields)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
    action.note,
  ])
  return table(headings, rows, 'Nothing was done.')
}

const reference = { field: 'reference', kind: 'text', help: 'the reference it was asked for with' } as const
const address = {
  field: 'address',
  kind: 'text',
  help: 'an IPv4 or IPv6 address; of IPv6 its /64 counts',
} as const

export const SAFETY_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'approval list',
    operation: 'approval/list',
    summary: 'List what waits for a second person, who has approved it and who may.',
    options: pageOptions('reference'),
    examples: ['bourse admin --data data/main approval list'],
    show: approvalTable,
  }),
  command({
    name: 'approval approve',
    operation: 'approval/approve',
    summary: 'Carry out what somebody else has asked for. It takes a named token (BOURSE_ADMIN_TOKEN).',
    positionals: [reference],
    examples: ['bourse admin --data data/main approval approve deposit-1042'],
    show: transferText,
  }),
  command({
    name: 'approval reject',
    operation: 'approval/reject',
    summary: 'Forget what waits under a reference.',
    positionals: [reference],
    examples: ['bourse admin --data data/main approval reject deposit-1042 --note "not known"'],
    show: () => 'Rejected.',
  }),
  command({
    name: 'ban list',
    operation: 'ban/list',
    summary: "List the addresses that are banned, by operators or by the node's own limits.",
    options: pageOptions('address'),
    examples: ['bourse admin --data data/main ban list'],
    show: banTable,
  }),
  command({
    name: 'ban add',
    operation: 'ban/add',
    summary: 'Keep an address from the public server.',
    positionals: [address],
    options: {
      minutes: { field: 'minutes', kind: 'integer', required: true, help: 'for how long' },
    },
    examples: ['bourse admin --data data/main ban add 192.0.2.7 --minutes 60 --note "scans"'],
    show: (ban) => banTable([ban]),
  }),
  command({
    name: 'ban lift',
    operation: 'ban/lift',
    summary: "Lift a ban, an operator's or one of the limits.",
    positionals: [address],
    examples: ['bourse admin --data data/main ban lift 192.0.2.7'],
    show: ({ lifted }) => (lifted ? 'Lifted.' : 'There was no ban.'),
  }),
  command({
    name: 'metrics show',
    operation: 'metrics/show',
    summary: 'Show whether the node is well, and its metrics in the format of Prometheus.',
    examples: ['bourse admin --data data/main metrics show'],
    lines: ['text'],
    show: metricsText,
  }),
  command({
    name: 'load show',
    operation: 'load/show',
    summary: 'Show how fast the node was, every ten seconds of the last hour.',
    options: {
      after: { field: 'after', kind: 'integer', help: 'only later than this, in milliseconds since 1970' },
    },
    examples: ['bourse admin --data data/main load show'],
    show: loadTable,
  }),
  command({
    name: 'clock show',
    operation: 'clock/show',
    summary: "Show the node's clock, the server's time, and whether the clock is trusted.",
    examples: ['bourse admin --data data/main clock show'],
    show: clockText,
  }),
  command({
    name: 'clock accept',
    operation: 'clock/accept',
    summary: 'Take what the clock shows for the time although it has jumped ahead. It cannot be taken back.',
    examples: ['bourse admin --data data/main clock accept --yes --note "the machine was suspended"'],
    confirm: () => 'Date all later orders by the clock of the node, for good? "clock show" prints it.',
    show: ({ before, ...clock }) => `${clockText(clock)}\nUntil now it was ${before}.`,
  }),
  command({
    name: 'action find',
    operation: 'audit/find',
    summary: 'Search what operators did, newest first: by who, what, whose account, when and any text.',
    options: {
      who: { field: 'actor', kind: 'text', help: 'only by this actor' },
      kind: { field: 'kind', kind: 'text', help: 'only this kind of command, for example Credit' },
      account: { field: 'account', kind: 'text', help: 'only what concerns this account' },
      from: {
        field: 'from',
        kind: 'text',
        help: 'not before this day, or time such as 2026-01-31T14:00:00Z',
      },
      to: { field: 'to', kind: 'text', help: 'not after this time; a day is its beginning' },
      text: { field: 'text', kind: 'text', help: 'only with this text, in any letter case' },
      before: { field: 'before', kind: 'integer', help: 'only what came before this command' },
      limit: { field: 'limit', kind: 'integer', help: 'at most so many, 1 to 500; 50 without it' },
    },
    needsOption: true,
    examples: ['bourse admin --data data/main action find --account alice --text refund --from 2026-01-01'],
    show: ({ actions, next, lookedBackTo }) => {
      const further = `looked back to ${lookedBackTo}: go on with --before ${next}`
      return next === null ? actionTable(actions) : `${actionTable(actions)}\n\n${further}`
    },
  }),
  command({
    name: 'audit',
    operation: 'audit/list',
    summary: 'Show what operators did, newest first: who, when, what, why and what came of it.',
    options: {
      before: { field: 'before', kind: 'integer', help: 'only what came before this command' },
      limit: { field: 'limit', kind: 'integer', help: 'at most so many, 1 to 500; 500 without it' },
      kind: { field: 'kind', kind: 'text', help: 'only this kind of command, for example Credit' },
      who: { field: 'actor', kind: 'text', help: 'only by this actor' },
    },
    examples: ['bourse admin --data data/main audit --who dora --limit 50'],
    show: actionTable,
  }),
]
