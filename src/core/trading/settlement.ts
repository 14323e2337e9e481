/**
 * Money follows matches. Every change of a balance that trading causes is made here: holds of resting orders,
 * payment, delivery, rounding and commission of a fill (docs/reference/matching.md#money-and-rounding,
 * docs/reference/matching.md#commission).
 */

import { notionalSum, worthOf } from '../../units/notional.ts'
import type { Bucket } from '../../units/order-enums.ts'
import { type Amount, type Lots, NO_AMOUNT, NO_LOTS, type Price, type Rate } from '../../units/quantities.ts'
import type { Market } from '../exchange/market.ts'
import {
  baseUnits,
  commissionAccrued,
  commissionDue,
  difference,
  leastAmount,
  lockedFor,
  paidFor,
  receivedFor,
} from '../ledger/money.ts'
import type { Order } from './open-orders.ts'

/** The amounts that a fill moves for each side. */
export type FillAmounts = {
  readonly paid: Amount
  readonly received: Amount
  readonly buyerCommission: Amount
  readonly sellerCommission: Amount
}

/** A trade of two orders: its price, its quantity, and the commission rates. */
export type Fill = {
  readonly price: Price
  readonly quantity: Lots
  readonly makerRate: Rate
  readonly takerRate: Rate
}

/**
 * The hold of an open order with `remaining` lots still to be traded. BUY: the total payment when filled at
 * its limit, minus what it has paid; without a limit, its total. SELL: the quantity that it will deliver.
 */
export function holdOf(order: Order, market: Market, remaining: Lots = order.remaining): Amount {
  if (order.side === 'SELL') return baseUnits(remaining, market.lotScale)
  if (order.stop?.total !== undefined) return order.stop.total
  return lockedFor(order.executedNotional, worthOf(order.price, remaining), market.scale)
}

/** Locks the amount that an order must hold; the caller has checked that it is free. */
export function lock(order: Order, market: Market): void {
  move(order, market, 'free', 'locked', holdOf(order, market))
}

/**
 * Releases the part of an order's hold that it no longer needs when its remaining quantity falls to
 * `remaining`.
 */
export function release(order: Order, market: Market, remaining: Lots): void {
  const left = remaining === NO_LOTS ? NO_AMOUNT : holdOf(order, market, remaining)
  const freed = difference(holdOf(order, market), left)
  move(order, market, 'locked', 'free', freed)
}

/**
 * The orders of an OCO pair together hold the larger of both amounts: releases the smaller just before
 * `order` locks its own.
 */
export function releaseShared(order: Order, partner: Order, market: Market): void {
  move(partner, market, 'locked', 'free', leastAmount(holdOf(order, market), holdOf(partner, market)))
}

/**
 * Releases the part of the hold of `partner`, which ends, beyond that of `order`, the other order of its OCO
 * pair.
 */
export function releaseSurplus(partner: Order, order: Order, market: Market): void {
  const held = holdOf(partner, market)
  move(partner, market, 'locked', 'free', difference(held, leastAmount(held, holdOf(order, market))))
}

function move(order: Order, market: Market, from: Bucket, to: Bucket, sum: Amount): void {
  const holdings = order.side === 'BUY' ? market.quote : market.base
  const row = holdings.rowOf(order.accountId)
  holdings.move(row, from, row, to, sum)
}

/**
 * Settles one fill and records it in both orders. Over its life the buyer pays the exact sum rounded up, the
 * seller receives it rounded down. A fill moves the difference to the previously moved amount, and the
 * remainder passes through the symbol's rounding account, which never falls below zero. A maker pays from its
 * hold, a taker from its free balance.
 */
export function settle(market: Market, maker: Order, taker: Order, fill: Fill): FillAmounts {
  const { scale, lotScale } = market
  const { price, quantity, makerRate, takerRate } = fill
  const takerBuys = taker.side === 'BUY'
  const buy = takerBuys ? taker : maker
  const sell = takerBuys ? maker : taker
  const sellerSource: Bucket = takerBuys ? 'locked' : 'free'
  const worth = worthOf(price, quantity)
  const delivered = baseUnits(quantity, lotScale)

  const bought = notionalSum(buy.executedNotional, worth)
  const sold = notionalSum(sell.executedNotional, worth)
  const paid = difference(paidFor(bought, scale), paidFor(buy.executedNotional, scale))
  const received = difference(receivedFor(sold, scale), receivedFor(sell.executedNotional, scale))
  const buyerCommission = charge(buy, delivered, takerBuys ? takerRate : makerRate)
  const sellerCommission = charge(sell, received, takerBuys ? makerRate : takerRate)

  const { base, quote, baseFeesRow, quoteFeesRow, roundingRow } = market
  const deliverer = base.rowOf(sell.accountId)
  base.move(deliverer, sellerSource, baseFeesRow, 'free', buyerCommission)
  const left = difference(delivered, buyerCommission)
  base.move(deliverer, sellerSource, base.rowOf(buy.accountId), 'free', left)

  let payer = quote.rowOf(buy.accountId)
  let source: Bucket = takerBuys ? 'free' : 'locked'
  if (paid !== received) {
    quote.move(payer, source, roundingRow, 'free', paid)
    payer = roundingRow
    source = 'free'
  }
  quote.move(payer, source, quoteFeesRow, 'free', sellerCommission)
  quote.move(payer, source, quote.rowOf(sell.accountId), 'free', difference(received, sellerCommission))

  buy.executedNotional = bought
  buy.executedQuantity = (buy.executedQuantity + quantity) as Lots
  sell.executedNotional = sold
  sell.executedQuantity = (sell.executedQuantity + quantity) as Lots
  return { paid, received, buyerCommission, sellerCommission }
}

/**
 * Charges commission for a further `received`: the order's exact sum so far, rounded half up, minus the
 * amount already charged.
 */
export function charge(order: Order, received: Amount, rate: Rate): Amount {
  const before = commissionDue(order.commission)
  order.commission = commissionAccrued(order.commission, received, rate)
  return difference(commissionDue(order.commission), before)
}
