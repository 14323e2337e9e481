/** The operator's commands for operators' access, pending approvals, bans and the audit trail. */
import type { SAFETY_OPERATIONS } from '../../../contract/admin/operations/safety.ts'
import type {
  AdminAction,
  AdminApproval,
  AdminBackups,
  AdminBan,
  AdminClock,
  AdminLoad,
  AdminMetrics,
} from '../../../contract/admin/records.ts'
import { facts, table } from '../../table.ts'
import type { Shown } from '../command.ts'
import { loadRates } from '../load-rates.ts'
import { takenText } from '../order-stop-text.ts'
import { transferText } from './money.ts'

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
  return table(headings, rows, 'Nothing is waiting for approval.')
}

function banTable(bans: readonly AdminBan[]): string {
  const rows = bans.map(({ address, until, by }) => [address, until, by])
  return table(['ADDRESS', 'UNTIL', 'BY'], rows, 'No address is banned.')
}

function clockText({ trusted, serverTime, clock, aheadMs }: AdminClock): string {
  return facts([
    ["node's clock", clock],
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
  return table(headings, rows, 'There is only one measurement so far: try again in ten seconds.')
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
    [
      'newest backup',
      backups === null ? 'backups of the database are not known to this node' : backupText(backups),
    ],
    ...(cluster === null
      ? []
      : ([
          ['cluster', `${cluster.role}, epoch ${cluster.epoch}; ${cluster.leader ?? 'no engine'} leads`],
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

export const SAFETY_ANSWERS: Shown<typeof SAFETY_OPERATIONS> = {
  'approval/list': approvalTable,
  'approval/approve': transferText,
  'approval/reject': () => 'Rejected.',
  'ban/list': banTable,
  'ban/add': (ban) => banTable([ban]),
  'ban/lift': ({ lifted }) => (lifted ? 'Lifted.' : 'There was no ban.'),
  'metrics/show': { show: metricsText, lines: ['text'] },
  'load/show': loadTable,
  'clock/show': clockText,
  'clock/accept': ({ before, ...clock }) => `${clockText(clock)}\nServer time was ${before} before.`,
  'audit/find': ({ actions, next, lookedBackTo }) => {
    const further = `searched back to ${lookedBackTo}: continue with --before ${next}`
    return next === null ? actionTable(actions) : `${actionTable(actions)}\n\n${further}`
  },
  'audit/list': actionTable,
}
