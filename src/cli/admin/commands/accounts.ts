/** The operator's commands for accounts, fee tiers and the orders of an account or a symbol. */

import type { ACCOUNT_OPERATIONS } from '../../../contract/admin/operations/accounts.ts'
import type {
  AdminAccount,
  AdminBalance,
  AdminFeeTier,
  AdminSpecialTerms,
} from '../../../contract/admin/records.ts'
import { ACCOUNT_RESTRICTIONS } from '../../../units/operator-enums.ts'
import { table } from '../../table.ts'
import { withWarnings } from '../../warnings.ts'
import type { Shown } from '../command.ts'

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

/** Labels, fields, custom terms and the remark, if there are any. */
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
  return table(['TIER', 'SHARE OF MAKER RATE', 'SHARE OF TAKER RATE'], rows, 'There are no fee tiers yet.')
}

export const ACCOUNT_ANSWERS: Shown<typeof ACCOUNT_OPERATIONS> = {
  'account/list': accountTable,
  'account/add': // A node of an earlier version returns no warnings.
    ({ warnings = [], ...opened }) => withWarnings(accountTable([opened]), warnings),
  'balance/list': balanceTable,
  'account/show': (shown) => accountTable([shown]),
  'account/restrict': (shown) => accountTable([shown]),
  'account/freeze': (shown) => accountTable([shown]),
  'account/unfreeze': (shown) => accountTable([shown]),
  'account/close': (shown) => accountTable([shown]),
  'account/set': (shown) => accountTable([shown]),
  'tier/list': tierTable,
  'tier/set': (tier) => tierTable([tier]),
  'order/cancel-all': {
    show: ({ canceled }) => `${canceled} ${canceled === 1 ? 'order' : 'orders'} canceled.`,
    pieces: {
      add: (sum, next) => ({ canceled: sum.canceled + next.canceled, left: next.left }),
      more: ({ canceled, left }) => (left === 0 ? undefined : `${canceled} canceled, ${left} to go`),
    },
  },
}
