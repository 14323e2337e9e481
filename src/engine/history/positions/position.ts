/**
 * An account's position in an asset at average cost: incoming units add to one pool, and outgoing units leave
 * at the pool's average (docs/reference/positions.md#average-cost). Costs are in the asset of its market's
 * prices, in units of 10^-12 of a ledger unit, so that many small sales release their full cost, and none
 * releases nothing.
 */
import { amountSum, difference, leastAmount } from '../../../core/ledger/money.ts'
import type { AccountId, AssetId } from '../../../units/ids.ts'
import { type Amount, amount, NO_AMOUNT } from '../../../units/quantities.ts'
import { bigintOf } from '../../../units/whole.ts'

/** Decimal places of a cost beyond the ledger's. */
export const COST_DECIMALS = 12
/** A ledger unit in units of cost. */
export const COST_ONE = 10n ** BigInt(COST_DECIMALS)

export type Position = {
  /** The whole quantity, in all buckets: free, held, frozen and in savings. */
  readonly quantity: Amount
  /** The part of unknown cost. It leaves first, and makes neither profit nor loss. */
  readonly withoutCost: Amount
  /** The part whose cost is a last price, not a paid one. */
  readonly atLastPrice: Amount
  /** The cost of everything except the part without cost. */
  readonly cost: bigint
  /** Proceeds of sales minus the cost of the sold amounts. */
  readonly realized: bigint
  /** The cost of the sold amounts. */
  readonly soldCost: bigint
}

export type AssetPosition = Position & { readonly assetId: AssetId }

export type OwnedPosition = {
  readonly accountId: AccountId
  readonly assetId: AssetId
  readonly position: Position
}

export type ChangingPosition = { -readonly [Name in keyof Position]: Position[Name] }

export function emptyPosition(): ChangingPosition {
  return {
    quantity: NO_AMOUNT,
    withoutCost: NO_AMOUNT,
    atLastPrice: NO_AMOUNT,
    cost: 0n,
    realized: 0n,
    soldCost: 0n,
  }
}

/** The part that has a cost. */
export function withCost({ quantity, withoutCost }: Position): Amount {
  return withoutCost === 0 ? quantity : difference(quantity, withoutCost)
}

/** `units` come in for `cost`; undefined if the cost is unknown. `isPaid`: the cost was actually paid. */
export function enter(
  position: ChangingPosition,
  units: Amount,
  cost: bigint | undefined,
  isPaid: boolean,
): void {
  position.quantity = amountSum(position.quantity, units)
  if (cost === undefined) {
    position.withoutCost = amountSum(position.withoutCost, units)
    return
  }
  if (!isPaid) position.atLastPrice = amountSum(position.atLastPrice, units)
  if (withCost(position) !== 0) {
    position.cost += cost
    return
  }
  // The whole bought quantity was paid as commission, so no quantity is left to bear the cost.
  position.realized -= cost
  position.soldCost += cost
}

/**
 * `units`, which must be available, leave at their average cost. `proceeds`: the proceeds of their sale;
 * undefined if they were not sold, or if the proceeds are unknown.
 */
export function leave(position: ChangingPosition, units: Amount, proceeds: bigint | undefined): void {
  const before = withCost(position)
  const free = leastAmount(units, position.withoutCost)
  position.quantity = difference(position.quantity, units)
  if (free !== 0) position.withoutCost = difference(position.withoutCost, free)
  const sold = free === 0 ? units : difference(units, free)
  if (sold === 0) return
  const released =
    sold === before ? position.cost : roundedShare(position.cost, bigintOf(sold), bigintOf(before))
  position.cost -= released
  position.atLastPrice = restAtLastPrice(position.atLastPrice, sold, before)
  if (proceeds === undefined) return
  const share = free === 0 ? proceeds : roundedShare(proceeds, bigintOf(sold), bigintOf(units))
  position.realized += share - released
  position.soldCost += released
}

/** `whole` x `part` / `all`, rounded half up; all are at least 0, and `all` is above 0. */
export function roundedShare(whole: bigint, part: bigint, all: bigint): bigint {
  return (whole * part * 2n + all) / (all * 2n)
}

/**
 * The rest of `estimated` after `sold` of the quantity `before` was sold, rounded up: the position stays
 * marked as estimated as long as any of it may be left.
 */
function restAtLastPrice(estimated: Amount, sold: Amount, before: Amount): Amount {
  if (estimated === 0 || sold === before) return NO_AMOUNT
  const rest = difference(before, sold)
  if (estimated === before) return rest
  const all = bigintOf(before)
  const left = (bigintOf(estimated) * bigintOf(rest) + all - 1n) / all
  return amount(left)
}
