/** The operator's commands on accounts, fee tiers and the orders of an account or a symbol. */
import { ACCOUNT_RESTRICTIONS } from '../../../units/operator-words.ts'
import type {
  AdminAccount,
  AdminBalance,
  AdminFeeTier,
  AdminSpecialTerms,
} from '../../../wire/admin-records.ts'
import { table } from '../../table.ts'
import { withWarnings } from '../../warnings.ts'
import { type AdminCommand, command } from '../command.ts'
import { pageOptions } from './page-options.ts'

export function accountTable(accounts: readonly AdminAccount[]): string {
  const headings = ['NAME', 'ROLE', 'STATE', 'FEE TIER', 'OPEN ORDERS', 'CREATED', 'CUSTOMER', 'NOTES']
  const rows = accounts.map((account) => [
    account.name,
    account.role,
    stateOf(account),
    account.feeTier ?? '-',
    account.openOrdersMax === null ? '-' : `at most ${account.openOrdersMax}`,
    Date.parse(account.createdAt) === 0 ? '-' : account.createdAt,
    account.customerId || '-',
    notesOf(account),
  ])
  return table(headings, rows, 'No account.')
}

/** Labels, fields, terms of its own and the remark, as far as there are any. */
function notesOf({ labels, fields, remark, terms }: AdminAccount): string {
  const words = [...labels, ...fields, ...(terms === null ? [] : termsText(terms)), remark]
  return words.filter((word) => word !== '').join(' ')
}

function termsText(terms: AdminSpecialTerms): string[] {
  const end = (until: string | null, isInForce: boolean) =>
    isInForce ? (until === null ? '' : ` until ${until}`) : ` until ${until} (over)`
  const { makerRate, takerRate, openOrdersMax, orderRateTimes } = terms
  const rates =
    makerRate === null
      ? []
      : [`[maker ${makerRate} taker ${takerRate}${end(terms.ratesUntil, terms.ratesInForce)}]`]
  const orders =
    openOrdersMax === null
      ? []
      : [`[open orders at most ${openOrdersMax}${end(terms.openOrdersUntil, terms.openOrdersInForce)}]`]
  const windows =
    orderRateTimes === null
      ? []
      : [`[orders in a window ${orderRateTimes} times${end(terms.orderRateUntil, terms.orderRateInForce)}]`]
  return [...rates, ...orders, ...windows]
}

function stateOf({ closed, restrictions }: AdminAccount): string {
  if (closed) return 'closed'
  if (restrictions.length === 0) return 'active'
  return restrictions.length === ACCOUNT_RESTRICTIONS.length ? 'frozen' : `no ${restrictions.join(', no ')}`
}

export function balanceTable(balances: readonly AdminBalance[]): string {
  const rows = balances.map(({ asset, free, locked, freeze, savings }) => [
    asset,
    free,
    locked,
    freeze,
    savings,
  ])
  return table(['ASSET', 'FREE', 'LOCKED', 'FREEZE', 'SAVINGS'], rows, 'No asset is listed yet.')
}

function tierTable(tiers: readonly AdminFeeTier[]): string {
  const rows = tiers.map(({ name, makerShare, takerShare }) => [name, makerShare, takerShare])
  return table(['TIER', 'SHARE OF MAKER RATE', 'SHARE OF TAKER RATE'], rows, 'No fee tier yet.')
}

const account = { field: 'account', kind: 'text', help: 'name of the account' } as const

export const ACCOUNT_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'account list',
    operation: 'account/list',
    summary:
      "List accounts, customers first and the house's own behind them, each in the order of creation; at most 1000 at a time.",
    options: {
      after: { field: 'after', kind: 'text', help: 'only accounts created after this one' },
      limit: { field: 'limit', kind: 'integer', help: 'at most this many' },
      label: { field: 'label', kind: 'text', help: 'only those with this label' },
    },
    examples: ['bourse admin --data data/main account list --after alice --limit 100'],
    show: accountTable,
  }),
  command({
    name: 'account add',
    operation: 'account/add',
    summary: 'Open an account.',
    positionals: [{ field: 'name', kind: 'text', help: 'name of the account, without a colon' }],
    examples: ['bourse admin --data data/main account add alice'],
    // A node of an earlier version warns of nothing.
    show: ({ warnings = [], ...opened }) => withWarnings(accountTable([opened]), warnings),
  }),
  command({
    name: 'account balances',
    operation: 'balance/list',
    summary: "Show an account's money.",
    positionals: [account],
    examples: ['bourse admin --data data/main account balances alice'],
    show: balanceTable,
  }),
  command({
    name: 'account show',
    operation: 'account/show',
    summary: 'Show one account.',
    positionals: [account],
    examples: ['bourse admin --data data/main account show alice'],
    show: (shown) => accountTable([shown]),
  }),
  command({
    name: 'account restrict',
    operation: 'account/restrict',
    summary:
      'Forbid an account some things, and allow it the others. Its open orders stay, and can be cancelled.',
    positionals: [
      account,
      {
        field: 'restrictions',
        kind: 'list',
        values: ACCOUNT_RESTRICTIONS,
        help: "any of TRADE,WITHDRAW,LOGIN; '': none",
      },
    ],
    examples: ['bourse admin --data data/main account restrict alice WITHDRAW --note "case 17"'],
    show: (shown) => accountTable([shown]),
  }),
  command({
    name: 'account freeze',
    operation: 'account/freeze',
    summary:
      'Forbid an account to trade, to withdraw and to use its keys. Its open orders stay: see order cancel-all.',
    positionals: [account],
    examples: ['bourse admin --data data/main account freeze alice --note "keys stolen"'],
    show: (shown) => accountTable([shown]),
  }),
  command({
    name: 'account unfreeze',
    operation: 'account/unfreeze',
    summary: 'Allow an account everything again.',
    positionals: [account],
    examples: ['bourse admin --data data/main account unfreeze alice'],
    show: (shown) => accountTable([shown]),
  }),
  command({
    name: 'account close',
    operation: 'account/close',
    summary: 'Close an account for good. It must hold no money and no open order.',
    positionals: [account],
    examples: ['bourse admin --data data/main account close alice'],
    confirm: ({ account }) => `Close the account ${account} for good?`,
    show: (shown) => accountTable([shown]),
  }),
  command({
    name: 'account set',
    operation: 'account/set',
    summary: "Set an account's fee tier and limits; what is not named stays.",
    positionals: [account],
    options: {
      'fee-tier': { field: 'feeTier', kind: 'text', help: "name of the tier; '': none" },
      'open-orders-max': {
        field: 'openOrdersMax',
        kind: 'integer',
        help: "most open orders in a symbol; 0: the symbols' own",
      },
    },
    needsOption: true,
    examples: ['bourse admin --data data/main account set alice --fee-tier vip --open-orders-max 500'],
    show: (shown) => accountTable([shown]),
  }),
  command({
    name: 'tier list',
    operation: 'tier/list',
    summary: 'List the fee tiers.',
    options: pageOptions('tier'),
    examples: ['bourse admin --data data/main tier list'],
    show: tierTable,
  }),
  command({
    name: 'tier set',
    operation: 'tier/set',
    summary: "Make a fee tier, or change it for all who have it: what they pay of a symbol's rates.",
    positionals: [{ field: 'name', kind: 'text', help: 'name of the tier' }],
    options: {
      'maker-share': {
        field: 'makerShare',
        kind: 'text',
        required: true,
        help: '0 to 1; 0.5 is half of the rate',
      },
      'taker-share': {
        field: 'takerShare',
        kind: 'text',
        required: true,
        help: '0 to 1; 1 is the whole rate',
      },
    },
    examples: ['bourse admin --data data/main tier set vip --maker-share 0.5 --taker-share 0.8'],
    show: (tier) => tierTable([tier]),
  }),
  command({
    name: 'order cancel-all',
    operation: 'order/cancel-all',
    summary: 'Cancel all open orders of an account, of a symbol, or of an account in a symbol.',
    options: {
      account: { field: 'account', kind: 'text', help: 'only of this account' },
      symbol: { field: 'symbol', kind: 'text', help: 'only in this symbol' },
    },
    needsOption: true,
    examples: [
      'bourse admin --data data/main order cancel-all --account alice --yes',
      'bourse admin --data data/main order cancel-all --symbol BTC/USDT --yes',
    ],
    confirm: ({ account, symbol }) =>
      `Cancel all open orders of ${account ?? 'everybody'} in ${symbol ?? 'every symbol'}?`,
    pieces: {
      add: (sum, next) => ({ canceled: sum.canceled + next.canceled, left: next.left }),
      more: ({ canceled, left }) => (left === 0 ? undefined : `${canceled} cancelled, ${left} to go`),
    },
    show: ({ canceled }) => `${canceled} ${canceled === 1 ? 'order' : 'orders'} cancelled.`,
  }),
]
