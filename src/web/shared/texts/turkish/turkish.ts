/** All texts of the trading page in Turkish. */

import type { Texts } from '../table.ts'
import { BALANCES, FILLS, ORDERS } from './account.ts'
import { ACCOUNT } from './account-pane.ts'
import { DEPTH, MOVES } from './chart.ts'
import { CHART_TOOLS, INDICATORS } from './chart-tools.ts'
import { CUSTOMER } from './customer.ts'
import { DRAWINGS } from './drawings.ts'
import { GUIDE } from './guide.ts'
import { ERRORS, KEY, STATE } from './key.ts'
import { LAYOUT } from './layout.ts'
import { BOOK, CHART, MARKETS, TAPE } from './market.ts'
import { NOTICES, ORDER_PHRASE } from './notices.ts'
import { ORDER_FORM } from './order-form.ts'
import { LISTS, SELF_TRADE, TRAILING, TRIGGER } from './order-lists.ts'
import { PAGE, PHASES } from './page.ts'
import { QUICK } from './quick.ts'
import { REFUSALS } from './refusals.ts'

export const TURKISH: Texts = {
  ...ORDER_FORM,
  account: ACCOUNT,
  balances: BALANCES,
  book: BOOK,
  chart: CHART,
  chartTools: CHART_TOOLS,
  customer: CUSTOMER,
  depth: DEPTH,
  drawings: DRAWINGS,
  errors: ERRORS,
  fills: FILLS,
  guide: GUIDE,
  indicators: INDICATORS,
  key: KEY,
  layout: LAYOUT,
  lists: LISTS,
  markets: MARKETS,
  moves: MOVES,
  notices: NOTICES,
  orderPhrase: ORDER_PHRASE,
  orders: ORDERS,
  page: PAGE,
  phases: PHASES,
  quick: QUICK,
  refusals: REFUSALS,
  selfTrade: SELF_TRADE,
  state: STATE,
  tape: TAPE,
  trailing: TRAILING,
  trigger: TRIGGER,
}
