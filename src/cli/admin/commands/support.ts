/** The operator's commands for whoever helps a customer: orders and fills of any account, finished withdrawals, a transfer, an account's story. */
import type { AdminAccountSearchPage } from '../../../wire/admin-account-search.ts'
import type { AdminAction } from '../../../wire/admin-records.ts'
import type {
  AdminEndedWithdrawalPage,
  AdminFact,
  AdminFillPage,
  AdminOrder,
  AdminOrderPage,
  AdminOrderShown,
  AdminStory,
  AdminTransferShown,
} from '../../../wire/admin-support.ts'
import { facts, table } from '../../table.ts'
import { type AdminCommand, command } from '../command.ts'
import { accountTable, balanceTable } from './accounts.ts'
import { keyTable } from './keys.ts'
import { actionTable, approvalTable } from './safety.ts'
import { withdrawalTable } from './withdrawals.ts'

function orderTable(orders: readonly AdminOrder[]): string {
  const headings = ['ORDER', 'SYMBOL', 'SIDE', 'TYPE', 'PRICE', 'QUANTITY', 'EXECUTED', 'STATUS', 'PLACED']
  const rows = orders.map((order) => [
    order.id,
    order.symbol,
    order.side,
    order.type,
    order.price ?? '-',
    order.quantity ?? '-',
    order.executedQuantity,
    order.endReason === undefined ? order.status : `${order.status} (${order.endReason})`,
    order.createdAt,
  ])
  return table(headings, rows, 'No order.')
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
  return table(headings, rows, 'No fill.')
}

/** What is asked for next, where there is more. */
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
  const none = next === null ? 'No account.' : 'No account so far.'
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
  return withNext(table(headings, rows, 'No withdrawal has ended.'), next)
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
  if (by === null) return 'Nobody ever restricted it.'
  const why = by.note === '' ? '' : `: ${by.note}`
  return `Restrictions set by ${by.actor} at ${by.time} (command ${by.seq})${why}`
}

function storyText(story: AdminStory): string {
  const sections: readonly (readonly [string, string])[] = [
    ['Account', `${accountTable([story.account])}\n${restrictionText(story.restrictedBy)}`],
    ['Balances', story.balances.length === 0 ? 'No money.' : balanceTable(story.balances)],
    ['Keys', keyTable(story.keys)],
    [`Orders (${story.openOrders} open)`, orderTable(story.orders)],
    ['Withdrawals that wait', withdrawalTable(story.withdrawalsWaiting)],
    ['Waits for approval', approvalTable(story.approvalsWaiting)],
    ['Money, newest first', factTable(story.money)],
    ['What operators did, newest first', actionTable(story.actions)],
  ]
  return sections.map(([title, text]) => `${title}\n${text}`).join('\n\n')
}

const account = { field: 'account', kind: 'text', help: 'name of the account' } as const
const order = {
  field: 'order',
  kind: 'text',
  help: 'id of the order, or <account>:<client order id>',
} as const
const limit = { field: 'limit', kind: 'integer', help: 'at most so many, 1 to 250; 50 without it' } as const

export const SUPPORT_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'account story',
    operation: 'account/story',
    summary:
      "Show one account's whole story: state, balances, keys, the last orders, the last money and what operators did.",
    positionals: [account],
    examples: ['bourse admin --data data/main account story alice'],
    show: storyText,
  }),
  command({
    name: 'account find',
    operation: 'account/find',
    summary: 'Find the account of a customer by the id that it has in your own systems.',
    options: {
      'customer-id': { field: 'customerId', kind: 'text', required: true, help: 'as account note has it' },
    },
    examples: ['bourse admin --data data/main account find --customer-id CRM-1042'],
    show: (found) => accountTable([found]),
  }),
  command({
    name: 'account search',
    operation: 'account/search',
    summary:
      'Find accounts by a part of a name, of what is noted of them, or of the id or label of a key; what it is itself stands first.',
    positionals: [{ field: 'text', kind: 'text', help: 'in any letter case' }],
    options: {
      after: { field: 'after', kind: 'text', help: 'go on after this account' },
      limit: { field: 'limit', kind: 'integer', help: 'at most so many, 1 to 1000; 50 without it' },
    },
    examples: ['bourse admin --data data/main account search smith'],
    show: foundTable,
  }),
  command({
    name: 'account note',
    operation: 'account/note',
    summary:
      'Note what you know of an account: customer id, labels, fields, a remark. It is in the journal for good: no secrets.',
    positionals: [account],
    options: {
      'customer-id': { field: 'customerId', kind: 'text', help: "of this account alone; '': none" },
      labels: { field: 'labels', kind: 'list', help: "for example vip,mm; '': none" },
      fields: { field: 'fields', kind: 'list', help: "for example desk=Berlin,class=b; '': none" },
      remark: { field: 'remark', kind: 'text', help: "for whoever looks at the account; '': none" },
    },
    needsOption: true,
    examples: ['bourse admin --data data/main account note alice --customer-id CRM-1042 --labels vip'],
    show: (noted) => accountTable([noted]),
  }),
  command({
    name: 'account terms',
    operation: 'account/terms',
    summary: 'Give an account rates and limits of orders of its own, until a moment or without an end.',
    positionals: [account],
    options: {
      'maker-rate': { field: 'makerRate', kind: 'text', help: "with --taker-rate; both '': none" },
      'taker-rate': { field: 'takerRate', kind: 'text', help: "with --maker-rate; both '': none" },
      'open-orders-max': {
        field: 'openOrdersMax',
        kind: 'integer',
        help: 'most open orders in a symbol; 0: none of its own',
      },
      'order-rate-times': {
        field: 'orderRateTimes',
        kind: 'integer',
        help: 'so many times as many orders in a window as others may place; 0: none of its own',
      },
      until: { field: 'until', kind: 'text', help: 'when what is named ends; without it: never' },
    },
    needsOption: true,
    examples: [
      'bourse admin --data data/main account terms alice --order-rate-times 20 --until 2027-03-31T22:00:00Z',
      'bourse admin --data data/main account terms alice --maker-rate 0 --taker-rate 0.0004 --until 2027-03-31T22:00:00Z',
    ],
    show: (given) => accountTable([given]),
  }),
  command({
    name: 'order cancel',
    operation: 'order/cancel',
    summary: 'Cancel one open order of anybody.',
    positionals: [order],
    examples: ['bourse admin --data data/main order cancel alice:my-order-7 --note "asked by phone"'],
    show: (canceled) => orderTable([canceled]),
  }),
  command({
    name: 'order list',
    operation: 'order/list',
    summary: 'List the open orders of an account, or all that it ever placed, newest first.',
    positionals: [account],
    options: {
      symbol: { field: 'symbol', kind: 'text', help: 'only in this symbol' },
      all: { field: 'all', kind: 'switch', help: 'on: those that have ended too' },
      before: { field: 'before', kind: 'text', help: 'go on: what the page before said' },
      limit,
    },
    examples: ['bourse admin --data data/main order list alice --symbol BTC/USDT --all on'],
    show: ({ orders, next }: AdminOrderPage) => withNext(orderTable(orders), next),
  }),
  command({
    name: 'order show',
    operation: 'order/show',
    summary: 'Show one order of anybody and its last fills.',
    positionals: [order],
    examples: ['bourse admin --data data/main order show alice:my-order-7'],
    show: orderText,
  }),
  command({
    name: 'order fills',
    operation: 'order/fills',
    summary: 'List what an order has traded, newest first.',
    positionals: [order],
    options: {
      before: { field: 'before', kind: 'text', help: 'go on: what the page before said' },
      limit,
    },
    examples: ['bourse admin --data data/main order fills alice:my-order-7'],
    show: ({ fills, next }) => withNext(fillTable({ fills }), next),
  }),
  command({
    name: 'withdrawal ended',
    operation: 'withdrawal/ended',
    summary: 'List withdrawals that were completed or canceled, newest first.',
    options: {
      account: { field: 'account', kind: 'text', help: 'only of this account' },
      before: { field: 'before', kind: 'integer', help: 'go on: what the page before said' },
      limit,
    },
    examples: ['bourse admin --data data/main withdrawal ended --account alice'],
    show: endedTable,
  }),
  command({
    name: 'transfer show',
    operation: 'transfer/show',
    summary: 'Show what was ordered under a reference: what, when, by whom, why, and what has become of it.',
    positionals: [{ field: 'reference', kind: 'text', help: 'the reference it was made with' }],
    examples: ['bourse admin --data data/main transfer show deposit-1042'],
    show: transferShown,
  }),
]
