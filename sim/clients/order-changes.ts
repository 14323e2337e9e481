/**
 * Random changes of open orders: mostly valid changes of orders that are open according to the second
 * bookkeeper.
 */
import type { CommandOf } from '../../src/core/commands/command.ts'
import type { OrderTarget } from '../../src/core/commands/order-changes.ts'
import type { AccountId, OrderNumber } from '../../src/units/ids.ts'
import { amount, type TimeMs } from '../../src/units/quantities.ts'
import type { ShadowOrder, ShadowState } from '../checkers/shadow-state.ts'
import type { Random } from '../world/random.ts'

type Named = { readonly accountId: AccountId; readonly target: OrderTarget }

/** An order that is or may have been open, by its id, or by its client order id if it has one. */
export function drawTarget(
  random: Random,
  state: ShadowState,
  isHostile: boolean,
): [Named, ShadowOrder | undefined] {
  const open = [...state.orders.values()]
  const order = open.length === 0 ? undefined : random.pick(open)
  const accountId = (order?.account ?? 0) as AccountId
  if (order?.clientOrderId !== undefined && random.chance(0.5)) {
    return [{ accountId, target: { clientOrderId: order.clientOrderId } }, order]
  }
  const isOther = isHostile || order === undefined
  const orderNumber = (isOther ? random.below(state.lastOrder + 2) : order.number) as OrderNumber
  return [{ accountId, target: { orderNumber, orderTime: (order?.time ?? 0) as TimeMs } }, order]
}

export function drawAmendment(
  random: Random,
  state: ShadowState,
  isHostile: boolean,
): Omit<CommandOf<'AmendOrder'>, 'kind'> {
  const [named, order] = drawTarget(random, state, isHostile && random.chance(0.5))
  if (order === undefined) return { ...named, quantity: amount(1) }
  const lot = 10n ** BigInt(18 - order.symbol.baseFraction)
  const gone = order.quantity - order.remaining
  const lots = isHostile
    ? random.pick([0, gone, order.quantity + 1])
    : gone + 1 + random.below(Math.max(1, Math.min(order.remaining, 2 ** 31)))
  const more = isHostile && random.chance(0.3) ? 1n : 0n
  return { ...named, quantity: amount(BigInt(lots) * lot + more) }
}
