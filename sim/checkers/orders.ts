/**
 * Orders in history compared with the second bookkeeper: the same orders are open, each closed order ended
 * once, and its executed quantity agrees with the trades.
 */
import type { HistoryOrder } from '../../src/engine/history/order-history.ts'
import type { HistoryPort } from '../../src/engine/port/history-questions.ts'
import type { AccountId, OrderNumber } from '../../src/units/ids.ts'
import type { Seq } from '../../src/units/quantities.ts'
import { demand, type ShadowState } from './shadow-state.ts'

const PAGE_SIZE = 100

/** Must be called while nothing is in progress: `state` is the state after command `seq`. */
export async function checkOrders(
  state: ShadowState,
  history: Pick<HistoryPort, 'orders'>,
  account: number,
  seq: Seq,
): Promise<void> {
  const orders = await ordersOf(history, account as AccountId, seq)
  const open = orders.filter(({ end }) => end === undefined).map(({ orderNumber }) => orderNumber)
  const known = state.openOrders(account).map(({ number }) => number)
  demand(
    open.join() === known.join(),
    () => `account ${account}: open orders are ${known.join()}, history has ${open.join()}`,
  )
  const executed = executedOf(state, account)
  for (const { orderNumber, end } of orders) {
    const expected = executed.get(orderNumber) ?? NOTHING
    executed.delete(orderNumber)
    if (end === undefined) continue
    const { executedQuantity, executedNotional, commission } = end
    const found = `${executedQuantity} ${executedNotional} ${commission}`
    const wanted = `${expected.quantity} ${expected.notional} ${expected.commission}`
    demand(
      found === wanted,
      () => `order ${orderNumber} has ended with ${found}, its trades come to ${wanted}`,
    )
  }
  demand(
    executed.size === 0,
    () => `orders ${[...executed.keys()].join()} of account ${account} have traded, and are not in history`,
  )
}

const NOTHING = { quantity: 0, notional: 0n, commission: 0n }

/** Executed figures of an account's orders by number, computed from the trades. */
function executedOf(state: ShadowState, account: number): Map<number, typeof NOTHING> {
  const byNumber = new Map<number, typeof NOTHING>()
  for (const { buyer, seller, price, quantity } of state.trades) {
    for (const party of [buyer, seller]) {
      if (party.account !== account) continue
      const before = byNumber.get(party.order) ?? NOTHING
      byNumber.set(party.order, {
        quantity: before.quantity + quantity,
        notional: before.notional + BigInt(price) * BigInt(quantity),
        commission: before.commission + party.commission,
      })
    }
  }
  return byNumber
}

async function ordersOf(
  history: Pick<HistoryPort, 'orders'>,
  accountId: AccountId,
  atLeast: Seq,
): Promise<HistoryOrder[]> {
  const found: HistoryOrder[] = []
  const whole = { accountId, symbolId: undefined, from: undefined, to: undefined, limit: PAGE_SIZE, atLeast }
  for (let before: OrderNumber | undefined; ; ) {
    const { orders, next } = await history.orders({ ...whole, before })
    found.push(...orders)
    if (next === undefined) return found
    before = next.orderNumber
  }
}
