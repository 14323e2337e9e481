/**
 * What an account has of an asset and what that cost, at average cost: what comes in adds to one pool, and what leaves takes the pool's
 * average with it (docs/reference/positions.md#average-cost). Costs are counted in the asset that prices of its market are in, in units of
 * 10^-12 of a ledger unit, so that many small sales release what they cost, and none releases nothing.
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
  /** All of it, wherever it lies: free, held, frozen or in savings. */
  readonly quantity: Amount
  /** The part of which nobody knows what it cost. It leaves first, and makes neither profit nor loss. */
  readonly withoutCost: Amount
  /** The part whose cost is a last price, not what was paid for it. */
  readonly atLastPrice: Amount
  /** Of all but the part without cost. */
  readonly cost: bigint
  /** What sales brought less what was sold had cost. */
  readonly realized: bigint
  /** What it had cost. */
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

/** `units` come in for `cost`; undefined: nobody knows for what. `isPaid`: that is what was paid for them. */
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
  // All that was bought went as commission, so nothing is there to carry the cost.
  position.realized -= cost
  position.soldCost += cost
}

/**
 * `units`, of which there must be as many, leave at their average cost; `proceeds`: what they were sold for, undefined where they were
 * not sold, or nobody knows for what.
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

/** `whole` x `part` / `all`, rounded half up; none is below 0, and `all` is above. */
export function roundedShare(whole: bigint, part: bigint, all: bigint): bigint {
  return (whole * part * 2n + all) / (all * 2n)
}

/** What is left of `estimated` when `sold` of `before` leave, rounded up: the mark stays as long as any of it may be there. */
function restAtLastPrice(estimated: Amount, sold: Amount, before: Amount): Amount {
  if (estimated === 0 || sold === before) return NO_AMOUNT
  const rest = difference(before, sold)
  if (estimated === before) return rest
  const all = bigintOf(before)
  const left = (bigintOf(estimated) * bigintOf(rest) + all - 1n) / all
  return amount(left)
}
