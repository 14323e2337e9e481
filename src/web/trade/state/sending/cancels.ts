/** Cancels open orders, and says which; where it goes wrong, why. */
import type { Order } from '../../../../client/interface/orders.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { Desk } from '../desk.ts'
import { orderPhrase } from '../order-phrase.ts'

export function cancelOrder(desk: Desk, order: Order): Promise<void> {
  return desk.cancel(async (trader) => {
    await trader.cancel(order)
    const { notices: words } = TEXTS
    desk.notifyOf(
      trader,
      (count) => (count === 1 ? words.canceled(orderPhrase(order)) : words.manyCanceled(count)),
      {
        group: 'canceled',
        orderId: order.id,
      },
    )
  })
}

/** All open orders of the list that the order belongs to. */
export function cancelList(desk: Desk, order: Order): Promise<void> {
  return desk.cancel(async (trader) => {
    const orders = trader.account.orders.peek().filter(({ listId }) => listId === order.listId)
    await trader.cancelList(order)
    const say = () => TEXTS.notices.canceled(orders.map(orderPhrase).join(' · '))
    desk.notifyOf(trader, say, { orderId: order.listId })
  })
}

/** All open orders of one symbol, or of all. */
export function cancelAll(desk: Desk, symbol: string | undefined): Promise<void> {
  return desk.cancel(async (trader) => {
    const { canceled, left } = await trader.cancelAll(symbol)
    const { notices: words } = TEXTS
    desk.notifyOf(trader, () =>
      left === 0 ? words.manyCanceled(canceled) : words.cancelingMore(canceled, left),
    )
  })
}
