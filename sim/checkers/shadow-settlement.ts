/**
 * The money of a trade as the second bookkeeper expects it: exact to the unit over the life of both orders.
 */
import type { OrdersMatched } from '../../src/core/events/event.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { specialOf } from '../../test/oracle/support.ts'
import {
  demand,
  halfUp,
  lotUnits,
  RATE_ONE,
  roundedDown,
  roundedUp,
  type ShadowOrder,
  type ShadowState,
} from './shadow-state.ts'

/** Two orders trade. The maker's hold is reduced by its payment. */
export function settle(
  state: ShadowState,
  event: OrdersMatched,
  taker: ShadowOrder,
  maker: ShadowOrder,
): void {
  // The symbol as it is now: its rates may have changed since the orders came.
  const symbol = state.symbols[event.symbolId] ?? taker.symbol
  const [buyer, seller] = taker.side === 'BUY' ? [taker, maker] : [maker, taker]
  const worth = BigInt(event.price) * BigInt(event.quantity)
  const delivered = BigInt(event.quantity) * lotUnits(symbol)
  const paid = roundedUp(symbol, buyer.notional + worth) - roundedUp(symbol, buyer.notional)
  const received = roundedDown(symbol, seller.notional + worth) - roundedDown(symbol, seller.notional)
  const buyerFee = feeOf(state, event, buyer, buyer === taker, delivered)
  const sellerFee = feeOf(state, event, seller, seller === taker, received)
  const [toBuyer, toSeller] = taker === buyer ? [event.taker, event.maker] : [event.maker, event.taker]
  checkParty(toBuyer, buyer, paid, buyerFee)
  checkParty(toSeller, seller, received, sellerFee)
  const sellerPays = [seller.account, seller === taker ? 'free' : 'locked'] as const
  const buyerPays = [buyer.account, buyer === taker ? 'free' : 'locked'] as const
  state.moveUnits(symbol.base, sellerPays, [buyer.account, 'free'], delivered)
  state.moveUnits(symbol.base, [buyer.account, 'free'], [1, 'free'], buyerFee)
  state.moveUnits(symbol.quote, buyerPays, [symbol.roundingAccountId, 'free'], paid)
  state.moveUnits(symbol.quote, [symbol.roundingAccountId, 'free'], [seller.account, 'free'], received)
  state.moveUnits(symbol.quote, [seller.account, 'free'], [1, 'free'], sellerFee)
  maker.hold -= maker === buyer ? paid : delivered
  for (const order of [buyer, seller]) {
    order.updatedAt = event.time
    order.notional += worth
    order.executed += event.quantity
    order.remaining -= event.quantity
  }
  const partyOf = (order: ShadowOrder, total: bigint, commission: bigint) => ({
    account: order.account,
    order: order.number,
    orderTime: order.time,
    total,
    commission,
    isTaker: order === taker,
  })
  state.trades.push({
    seq: state.seq,
    number: event.tradeNumber,
    symbol: symbol.id,
    price: event.price,
    quantity: event.quantity,
    time: event.time,
    buyer: partyOf(buyer, paid, buyerFee),
    seller: partyOf(seller, received, sellerFee),
  })
}

function checkParty(party: OrdersMatched['maker'], order: ShadowOrder, total: bigint, fee: bigint): void {
  const { account, number, time } = order
  demand(
    party.accountId === account && party.orderNumber === number && party.orderTime === time,
    () => `the trade names order ${number} and its account`,
  )
  demand(bigintOf(party.total) === total, () => `order ${number}: total ${total}, found ${party.total}`)
  demand(
    bigintOf(party.commission) === fee,
    () => `order ${number}: commission ${fee}, found ${party.commission}`,
  )
}

/**
 * Commission on `received`: the order's commission over its life, half units rounded up, less the amount
 * already charged.
 */
function feeOf(
  state: ShadowState,
  { symbolId }: OrdersMatched,
  order: ShadowOrder,
  isTaker: boolean,
  received: bigint,
): bigint {
  const { makerRate, takerRate } = state.symbols[symbolId] ?? order.symbol
  const before = halfUp(order.commission)
  const named = state.accounts[order.account]?.feeTier
  const tier = state.feeTiers.find(({ name }) => name === named)
  const [rate, share] = isTaker ? [takerRate, tier?.takerShare] : [makerRate, tier?.makerShare]
  const own = specialOf(state, order.account as AccountId).rates
  const ownRate = isTaker ? own?.takerRate : own?.makerRate
  const ofTier = share === undefined ? BigInt(rate) : (BigInt(rate) * BigInt(share)) / RATE_ONE
  const charged = ownRate === undefined ? ofTier : BigInt(ownRate)
  order.commission += received * charged
  return halfUp(order.commission) - before
}
