/**
 * Open orders in the user's order: sorted by a column, with the orders of a list together, one page at a
 * time.
 */
import type { Order } from '../../../../client/interface/orders.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { percentOf } from '../../state/draft/trailing.ts'
import { trailingText } from '../../state/order-phrase.ts'
import { shortText } from '../history/period.ts'

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

/** The order of the exchange: newest first. */
export const USUAL_SORT: OrderSort = { column: 'time', isDescending: true }

/** Orders that are shown together: those of one list, or a single order. */
export type OrderGroup = { readonly listId: string | undefined; readonly orders: readonly Order[] }

/**
 * Number of rows drawn at first, and added with each request for more. An account may have thousands of
 * orders.
 */
export const ROWS_MAX = 100

export type OrderTablePage = {
  readonly groups: readonly OrderGroup[]
  /** Counted from 1; the last page if there are fewer now. */
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

/** Choosing the same column again reverses the order. */
export function sortedBy({ column, isDescending }: OrderSort, chosen: OrderColumn): OrderSort {
  return { column: chosen, isDescending: column === chosen ? !isDescending : chosen === 'time' }
}

/** How the last price must compare with an order's stop price to trigger it; undefined without one. */
export function triggerSign({ type, side, stopPrice }: Order): '≤' | '≥' | undefined {
  if (stopPrice === undefined) return undefined
  const isStop = type.startsWith('STOP')
  return isStop === (side === 'SELL') ? '≤' : '≥'
}

/**
 * The distance at which an order follows the price, and the price or time from which it does so, if known; ''
 * for an order that does not follow the price. `now` determines whether a time is shown without its year.
 */
export function followText(order: Order, now: number): string {
  const { trailingDelta, trailingTime, triggeredAt } = order
  if (trailingDelta === undefined || trailingTime === undefined || triggeredAt !== undefined)
    return trailingText(order)
  return TEXTS.trailing.followsSince(percentOf(trailingDelta), shortText(trailingTime, now))
}

function sorted(orders: readonly Order[], { column, isDescending }: OrderSort): readonly Order[] {
  if (column === 'time') return isDescending ? orders : orders.toReversed()
  const keyed = orders.map((order) => ({ order, key: keyOf(order, column) }))
  const direction = isDescending ? -1 : 1
  return keyed
    .sort((one, other) => (one.key < other.key ? -direction : one.key > other.key ? direction : 0))
    .map(({ order }) => order)
}

/** A text that sorts like the content of the column. */
function keyOf(order: Order, column: Exclude<OrderColumn, 'time'>): string {
  switch (column) {
    case 'symbol':
    case 'side':
    case 'type':
      return order[column]
    case 'price':
      return decimalKey(order.price)
    case 'trigger':
      return triggerKey(order)
    case 'quantity':
      return decimalKey(order.quantity ?? order.total)
    case 'filled':
      return decimalKey(order.executedQuantity)
  }
}

/**
 * Orders without a trigger come first, then those that wait for a price, sorted by that price and by their
 * distance from it, then those that already follow the price, by their distance.
 */
function triggerKey({ stopPrice, trailingDelta, trailingTime, triggeredAt }: Order): string {
  const distance = trailingDelta === undefined ? '' : decimalKey(String(trailingDelta))
  const waits = stopPrice !== undefined && (trailingTime === undefined || triggeredAt !== undefined)
  if (waits) return `price ${decimalKey(stopPrice)} ${distance}`
  return distance === '' ? '' : `then ${distance}`
}

/** Longer than the integer part of any decimal of the exchange. */
const WHOLE_DIGITS = 40

/** Non-negative decimals as texts that sort like the numbers; missing values come first. */
function decimalKey(text: string | undefined): string {
  if (text === undefined) return ''
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole.padStart(WHOLE_DIGITS, '0')}.${fraction.replace(/0+$/, '')}`
}
