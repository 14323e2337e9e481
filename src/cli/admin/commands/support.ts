/**
 * The operator's commands for customer support: orders and fills of any account, finished withdrawals, a
 * transfer, the overview of an account.
 */

import type { SUPPORT_OPERATIONS } from '../../../contract/admin/operations/support.ts'
import type { AdminAction } from '../../../contract/admin/records.ts'
import type {
  AdminAccountSearchPage,
  AdminEndedWithdrawalPage,
  AdminFact,
  AdminFillPage,
  AdminOrder,
  AdminOrderPage,
  AdminOrderShown,
  AdminStory,
  AdminTransferShown,
} from '../../../contract/admin/support.ts'
import { facts, table } from '../../table.ts'
import type { Shown } from '../command.ts'
import { accountTable, balanceTable } from './accounts.ts'
import { keyTable } from './keys.ts'
import { actionTable, approvalTable } from './safety.ts'
import { withdrawalTable } from './withdrawals.ts'

function orderTable(orders: readonly AdminOrder[]): string {
  const headings = [
    'ORDER',
    'SYMBOL',
    'SIDE',
    'TYPE',
    'PRICE',
    'QUANTITY',
    'EXECUTED',
    'STATUS',
    'KEY',
    'PLACED',
  ]
  const rows = orders.map((order) => [
    order.id,
    order.symbol,
    order.side,
    order.type,
    order.price ?? '-',
    order.quantity ?? '-',
    order.executedQuantity,
    order.endReason === undefined ? order.status : `${order.status} (${order.endReason})`,
    order.keyName ?? '-',
    order.createdAt,
  ])
  return table(headings, rows, 'There are no orders.')
}

function fillTable({ fills }: Pick<AdminFillPage, 'fills'>): string {
  const headings = ['TRADE', 'TIME', 'SIDE', 'PRICE', 'QUANTITY', 'TOTAL', 'COMMISSION', 'MAKER']
  const rows = fills.map((fill) => [
    fill.id,
    fill.time,
    fill.side,
    fill.price,
    fill.quantity,
    fill.total,
    `${fill.commission} ${fill.commissionAsset}`,
    fill.isMaker ? 'yes' : 'no',
  ])
  return table(headings, rows, 'There are no fills.')
}

/** Appends the next page, if there is one. */
function withNext(shown: string, next: string | number | null): string {
  return next === null ? shown : `${shown}\nMore: --before ${next}`
}

function orderText({ fills, next, ...order }: AdminOrderShown): string {
  const pairs = Object.entries(order).map(([name, value]) => [name, String(value)] as const)
  return `${facts(pairs)}\n\n${withNext(fillTable({ fills }), next)}`
}

function foundTable({ accounts, next }: AdminAccountSearchPage): string {
  const rows = accounts.map(({ name, role, closed, customerId, foundIn, foundText }) => [
    name,
    role,
    closed ? 'closed' : 'open',
    customerId || '-',
    foundIn,
    foundText,
  ])
  const none = next === null ? 'No account.' : 'No account yet.'
  const shown = table(['NAME', 'ROLE', 'STATE', 'CUSTOMER', 'FOUND IN', 'WHAT'], rows, none)
  return next === null ? shown : `${shown}\nMore: --after ${next}`
}

function endedTable({ withdrawals, next }: AdminEndedWithdrawalPage): string {
  const headings = ['REFERENCE', 'ACCOUNT', 'ASSET', 'AMOUNT', 'OUTCOME', 'ENDED', 'COMMAND', 'BY', 'WHY']
  const rows = withdrawals.map((one) => [
    one.reference,
    one.account,
    one.asset,
    one.amount,
    one.outcome,
    one.endedAt,
    String(one.seq),
    one.by,
    one.note,
  ])
  return withNext(table(headings, rows, 'There are no finished withdrawals.'), next)
}

function transferShown({ reference, state, account, asset, amount, actions }: AdminTransferShown): string {
  const head = facts([
    ['reference', reference],
    ['state', state],
    ['account', account ?? '-'],
    ['amount', amount === null ? '-' : `${amount} ${asset ?? ''}`],
  ])
  return `${head}\n\n${actionTable(actions)}`
}

function factTable(money: readonly AdminFact[]): string {
  const rows = money.map(({ seq, time, kind, fields, actor, note }) => [
    String(seq),
    time,
    kind,
    `${fields.amount ?? '-'} ${fields.asset ?? ''}`,
    String(fields.reference ?? '-'),
    actor,
    note,
  ])
  return table(['COMMAND', 'TIME', 'WHAT', 'AMOUNT', 'REFERENCE', 'WHO', 'WHY'], rows, 'Nothing moved.')
}

function restrictionText(by: AdminAction | null): string {
  if (by === null) return 'It was never restricted.'
  const why = by.note === '' ? '' : `: ${by.note}`
  return `Restrictions set by ${by.actor} at ${by.time} (command ${by.seq})${why}`
}

function storyText(story: AdminStory): string {
  const sections: readonly (readonly [string, string])[] = [
    ['Account', `${accountTable([story.account])}\n${restrictionText(story.restrictedBy)}`],
    ['Balances', story.balances.length === 0 ? 'No money.' : balanceTable(story.balances)],
    ['Keys', keyTable(story.keys)],
    [`Orders (${story.openOrders} open)`, orderTable(story.orders)],
    ['Pending withdrawals', withdrawalTable(story.withdrawalsWaiting)],
    ['Pending approvals', approvalTable(story.approvalsWaiting)],
    ['Money, newest first', factTable(story.money)],
    ["Operators' actions, newest first", actionTable(story.actions)],
  ]
  return sections.map(([title, text]) => `${title}\n${text}`).join('\n\n')
}

export const SUPPORT_ANSWERS: Shown<typeof SUPPORT_OPERATIONS> = {
  'account/story': storyText,
  'account/find': (found) => accountTable([found]),
  'account/search': foundTable,
  'account/note': (noted) => accountTable([noted]),
  'account/terms': (given) => accountTable([given]),
  'order/cancel': (canceled) => orderTable([canceled]),
  'order/list': ({ orders, next }: AdminOrderPage) => withNext(orderTable(orders), next),
  'order/show': orderText,
  'order/fills': ({ fills, next }) => withNext(fillTable({ fills }), next),
  'withdrawal/ended': endedTable,
  'transfer/show': transferShown,
}
