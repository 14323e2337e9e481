/** The tabs of the order form: the types of orders and lists in each, the usual one first. */
import type { OrderType } from '../../../../client/interface/words.ts'
import type { ListKind } from './list-draft.ts'

export type OrderKind = OrderType | ListKind

export const KIND_TABS = {
  LIMIT: ['LIMIT'],
  MARKET: ['MARKET'],
  STOP: ['STOP_LOSS_LIMIT', 'STOP_LOSS', 'TAKE_PROFIT_LIMIT', 'TAKE_PROFIT'],
  MORE: ['LIMIT_MAKER', 'OCO', 'OTO', 'OTOCO'],
} as const satisfies { readonly [Tab: string]: readonly OrderKind[] }

export type KindTab = keyof typeof KIND_TABS

export const TABS = Object.keys(KIND_TABS) as readonly KindTab[]

export function kindsOf(tab: KindTab): readonly OrderKind[] {
  return KIND_TABS[tab]
}

export function tabOf(kind: OrderKind): KindTab {
  return TABS.find((tab) => kindsOf(tab).includes(kind)) ?? 'LIMIT'
}
