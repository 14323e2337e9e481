/** Events about order lists that a command has placed or ended. */

import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import type { HistoryOrder } from '../../../engine/history/order-history.ts'
import type { HistoryPort } from '../../../engine/port/history-questions.ts'
import type { AccountUpdate } from '../../../engine/port/ports.ts'
import type { ListNumber, OrderNumber } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { RegistryView } from '../../../views/registry.ts'
import { clientIdOfNumber } from '../orders/wire-order.ts'

/** Maximum number of orders of a list. */
const LEGS_MAX = 3

/** The orders of lists that a command has touched, by list, as history has them now. */
export type ListOrders = ReadonlyMap<ListNumber, readonly HistoryOrder[]>

/** The lists that an update concerns. */
export function listsIn({ open, ended }: AccountUpdate): readonly ListNumber[] {
  const numbers = [...open, ...ended].map(({ inList }) => inList?.listNumber)
  return [...new Set(numbers)].filter((number) => number !== undefined)
}

/** Rejects with `EngineFault`. */
export async function readLists(
  lists: readonly ListNumber[],
  { seq, accountId }: AccountUpdate,
  history: Pick<HistoryPort, 'numberedOrders'>,
): Promise<ListOrders> {
  const found = new Map<ListNumber, readonly HistoryOrder[]>()
  for (const list of lists) {
    const orderNumbers = Array.from({ length: LEGS_MAX }, (_, place) => (list + 1 + place) as OrderNumber)
    const named = await history.numberedOrders({ orderNumbers, atLeast: seq })
    const own = named.filter((order) => order.accountId === accountId && order.inList?.listNumber === list)
    found.set(
      list,
      own.toSorted((a, b) => a.orderNumber - b.orderNumber),
    )
  }
  return found
}

/** One for each list that the command has placed, and one for each whose last order it has ended. */
export function* listEvents(
  lists: ListOrders,
  { seq, time }: AccountUpdate,
  { registry, now }: { readonly registry: RegistryView; readonly now: TimeMs },
): Generator<object, void> {
  for (const [list, orders] of lists) {
    const [first] = orders
    const symbol = first && registry.symbol(first.symbolId)
    if (first === undefined || symbol === undefined) continue
    const name = binanceNameOf(symbol)
    const status = (l: string, L: string) => ({
      ...{
        e: 'listStatus',
        E: now,
        s: name,
        g: list,
        c: first.inList?.role === 'ABOVE' ? 'OCO' : 'OTO',
        l,
        L,
      },
      ...{ r: 'NONE', C: clientIdOfNumber(list), T: time },
      O: orders.map(({ orderNumber, clientOrderId }) => ({
        ...{ s: name, i: orderNumber, c: clientOrderId ?? clientIdOfNumber(orderNumber) },
      })),
    })
    if (first.seq === seq) yield status('EXEC_STARTED', 'EXECUTING')
    const ends = orders.map(({ end }) => end?.seq ?? Number.POSITIVE_INFINITY)
    if (Math.max(...ends) === seq) yield status('ALL_DONE', 'ALL_DONE')
  }
}
