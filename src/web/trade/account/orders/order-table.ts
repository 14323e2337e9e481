/** Open orders in the order in which people want them: sorted by a column, with the orders of a list together, a page at a time. */
import type { Order } from '../../../../client/interface/orders.ts'

export const ORDER_COLUMNS = [
  'time',
  'symbol',
  'side',
  'type',
  'price',
  'trigger',
  'quantity',
  'filled',
] as const

export type OrderColumn = (typeof ORDER_COLUMNS)[number]

export type OrderSort = { readonly column: OrderColumn; readonly isDescending: boolean }

/** As the exchange lists them: newest first. */
export const USUAL_SORT: OrderSort = { column: 'time', isDescending: true }

/** Orders that stand together: those of one list, or one alone. */
export type OrderGroup = { readonly listId: string | undefined; readonly orders: readonly Order[] }

/** Rows that are drawn at once, but for the rest of a list: an account may have thousands of orders. */
export const ROWS_MAX = 100

export type OrderTablePage = {
  readonly groups: readonly OrderGroup[]
  /** From 1 on; the last one where there are not so many any more. */
  readonly number: number
  readonly pages: number
}

/** `orders`: newest first. */
export function groupsOf(orders: readonly Order[], sort: OrderSort): readonly OrderGroup[] {
  const lists = new Map<string, Order[]>()
  const groups: { readonly listId: string | undefined; readonly orders: Order[] }[] = []
  for (const order of sorted(orders, sort)) {
    const { listId } = order
    const known = listId === undefined ? undefined : lists.get(listId)
    if (known !== undefined) {
      known.push(order)
      continue
    }
    const group = { listId, orders: [order] }
    if (listId !== undefined) lists.set(listId, group.orders)
    groups.push(group)
  }
  return groups
}

export function pageOf(groups: readonly OrderGroup[], wanted: number): OrderTablePage {
  const pages: OrderGroup[][] = [[]]
  let rows = 0
  for (const group of groups) {
    if (rows >= ROWS_MAX) {
      pages.push([])
      rows = 0
    }
    pages.at(-1)?.push(group)
    rows += group.orders.length
  }
  const number = Math.min(Math.max(1, wanted), pages.length)
  return { groups: pages[number - 1] ?? [], number, pages: pages.length }
}

/** By the same column again: the other way round. */
export function sortedBy({ column, isDescending }: OrderSort, chosen: OrderColumn): OrderSort {
  return { column: chosen, isDescending: column === chosen ? !isDescending : chosen === 'time' }
}

/** At which side of its trigger the last price is while an order waits for it: it comes from above, or from below. */
export function triggerSign({ type, side, stopPrice }: Order): '≤' | '≥' | undefined {
  if (stopPrice === undefined) return undefined
  const isStop = type.startsWith('STOP')
  return isStop === (side === 'SELL') ? '≤' : '≥'
}

function sorted(orders: readonly Order[], { column, isDescending }: OrderSort): readonly Order[] {
  if (column === 'time') return isDescending ? orders : orders.toReversed()
  const keyed = orders.map((order) => ({ order, key: keyOf(order, column) }))
  const direction = isDescending ? -1 : 1
  return keyed
    .sort((one, other) => (one.key < other.key ? -direction : one.key > other.key ? direction : 0))
    .map(({ order }) => order)
}

/** A text that compares as what the column shows. */
function keyOf(order: Order, column: Exclude<OrderColumn, 'time'>): string {
  switch (column) {
    case 'symbol':
    case 'side':
    case 'type':
      return order[column]
    case 'price':
      return decimalKey(order.price)
    case 'trigger':
      return decimalKey(order.stopPrice)
    case 'quantity':
      return decimalKey(order.quantity ?? order.total)
    case 'filled':
      return decimalKey(order.executedQuantity)
  }
}

/** Longer than the whole part of any decimal of the exchange. */
const WHOLE_DIGITS = 40

/** Decimals that are not negative, as texts that compare as the numbers do; what does not apply comes first. */
function decimalKey(text: string | undefined): string {
  if (text === undefined) return ''
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole.padStart(WHOLE_DIGITS, '0')}.${fraction.replace(/0+$/, '')}`
}
