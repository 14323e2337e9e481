/** Cancels open orders, and shows which ones; after an error it shows the reason. */
import type { Order } from '../../../../client/interface/orders.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { orderPhrase } from '../order-phrase.ts'
import type { TradingState } from '../trading-state.ts'

export function cancelOrder(trading: TradingState, order: Order): Promise<void> {
  return trading.cancel(async (trader) => {
    await trader.cancel(order)
    const { notices: words } = TEXTS
    trading.notifyOf(
      trader,
      (count) => (count === 1 ? words.canceled(orderPhrase(order)) : words.manyCanceled(count)),
      {
        group: 'canceled',
        orderId: order.id,
      },
    )
  })
}

/** Cancels all open orders of the order's list. */
export function cancelList(trading: TradingState, order: Order): Promise<void> {
  return trading.cancel(async (trader) => {
    const orders = trader.account.orders.peek().filter(({ listId }) => listId === order.listId)
    await trader.cancelList(order)
    const say = () => TEXTS.notices.canceled(orders.map(orderPhrase).join(' · '))
    trading.notifyOf(trader, say, { orderId: order.listId })
  })
}

/** Cancels all open orders of one symbol, or of all. */
export function cancelAll(trading: TradingState, symbol: string | undefined): Promise<void> {
  return trading.cancel(async (trader) => {
    const { canceled, left } = await trader.cancelAll(symbol)
    const { notices: words } = TEXTS
    trading.notifyOf(trader, () =>
      left === 0 ? words.manyCanceled(canceled) : words.cancelingMore(canceled, left),
    )
  })
}
