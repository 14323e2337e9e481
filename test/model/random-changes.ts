/**
 * Random changes of open orders: mostly of the account's own orders, often at the limit of what is accepted.
 */
import type { AmendOrder, OrderTarget, ReplaceOrder } from '../../src/core/commands/order-changes.ts'
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { AccountId, OrderNumber } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { CANCEL_REPLACE_MODES, CANCEL_RESTRICTIONS } from '../../src/units/order-enums.ts'
import { amount, type TimeMs } from '../../src/units/quantities.ts'
import { randomCancel, randomOrder, randomOwner } from './random-orders.ts'
import type { RandomSource } from './random-source.ts'
import type { ReferenceOrder, ReferenceState } from './reference-state.ts'

type Named = { readonly accountId: AccountId; readonly target: OrderTarget }

export function randomAmendment(random: RandomSource, state: ReferenceState): AmendOrder {
  const begun = state.open.filter(({ quantity, remaining }) => !quantity.equals(remaining))
  const pool = begun.length > 0 && random.once(2) ? begun : state.open
  const order = pool.length === 0 ? undefined : random.pick(pool)
  const named =
    order === undefined || random.once(8) ? randomTarget(random, state) : targetOf(random, state, order)
  return { kind: 'AmendOrder', ...named, quantity: amount(randomQuantity(random, order)) }
}

/**
 * Mostly a replacement of an order in the new order's symbol; sometimes an earlier replacement, repeated
 * exactly or nearly.
 */
export function randomReplacement(random: RandomSource, state: ReferenceState): ReplaceOrder {
  const before = [...state.ids.known.values()].flatMap(({ replacement }) => replacement?.command ?? [])
  if (before.length > 0 && random.once(6)) return again(random, random.pick(before))
  const old = state.all.length === 0 ? undefined : random.pick(state.all)
  const { target, accountId } =
    old === undefined || random.once(8) ? randomTarget(random, state) : targetOf(random, state, old)
  const drawn = randomOrder(random, state)
  const symbolId = old === undefined || random.once(12) ? drawn.symbolId : old.symbol.id
  const order: PlaceOrder = { ...drawn, symbolId, accountId: random.once(30) ? drawn.accountId : accountId }
  const restriction = random.once(2) ? undefined : random.pick(CANCEL_RESTRICTIONS)
  return { kind: 'ReplaceOrder', target, mode: random.pick(CANCEL_REPLACE_MODES), restriction, order }
}

function again(random: RandomSource, command: ReplaceOrder): ReplaceOrder {
  switch (random.weighted({ same: 4, mode: 1, restriction: 1, target: 1 })) {
    case 'same':
      return command
    case 'mode':
      return { ...command, mode: random.pick(CANCEL_REPLACE_MODES) }
    case 'restriction':
      return { ...command, restriction: random.pick(CANCEL_RESTRICTIONS) }
    case 'target':
      return { ...command, target: { clientOrderId: 'b' } }
  }
}

/** An order by its id, or by its client order id if it has one. */
export function targetOf(random: RandomSource, state: ReferenceState, order: ReferenceOrder): Named {
  const { accountId, number: orderNumber, time: orderTime } = order
  const clientOrderId = state.ids.nameOf(orderNumber)
  if (clientOrderId !== undefined && random.once(2)) return { accountId, target: { clientOrderId } }
  return { accountId, target: { orderNumber, orderTime } }
}

/** The target of a cancel: another account's order, an ended one, a waiting one, or none. */
export function randomTarget(random: RandomSource, state: ReferenceState): Named {
  const named = randomCancel(random, state)
  const accountId = random.once(20) ? randomOwner(random, state) : named.accountId
  if (named.kind === 'CancelClientOrder') return { accountId, target: { clientOrderId: named.clientOrderId } }
  const { orderNumber, orderTime } = named
  return { accountId, target: { orderNumber: orderNumber as OrderNumber, orderTime: orderTime as TimeMs } }
}

/** In units of 10^-18: the remaining and the executed quantity decide whether the amendment is accepted. */
function randomQuantity(random: RandomSource, order: ReferenceOrder | undefined): bigint {
  if (order === undefined || random.once(40)) {
    return random.pick([0n, -1n, 1n, AMOUNT_MAX, AMOUNT_MAX + 1n, random.bits(120)])
  }
  const { symbol, quantity, remaining } = order
  const lot = 10n ** BigInt(18 - symbol.baseFraction)
  const whole = quantity.wholeUnits(symbol.baseFraction)
  const gone = whole - remaining.wholeUnits(symbol.baseFraction)
  const between = gone + BigInt(random.below(Number(whole - gone < 2n ** 31n ? whole - gone : 2n ** 31n)))
  const near = BigInt(random.between(-1, 1))
  const least = BigInt(symbol.minQuantity) + near
  switch (random.weighted({ between: 12, edge: 4, whole: 4, least: 3, precise: 2 })) {
    case 'between':
      return between * lot
    case 'edge':
      return (gone + near) * lot
    case 'whole':
      return (whole + near) * lot
    case 'least':
      return least * lot
    case 'precise':
      return between * lot + (lot > 1n ? 1n : 0n)
  }
}
