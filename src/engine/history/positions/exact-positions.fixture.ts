/**
 * Positions computed a second time, for tests: from the core's own events and from the rules of
 * docs/reference/positions.md, in exact fractions of whole assets instead of units, and without a line of the
 * tested code.
 */
import type { ExchangeEvent, OrdersMatched } from '../../../core/events/event.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { type AccountId, type AssetId, FEES_ACCOUNT, type SymbolId } from '../../../units/ids.ts'

export type Fraction = { readonly n: bigint; readonly d: bigint }

export const ZERO: Fraction = { n: 0n, d: 1n }

export const fraction = (n: bigint, d = 1n): Fraction => {
  const divisor = gcd(n < 0n ? -n : n, d)
  return { n: n / divisor, d: d / divisor }
}
const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a || 1n : gcd(b, a % b))
export const plus = (a: Fraction, b: Fraction) => fraction(a.n * b.d + b.n * a.d, a.d * b.d)
export const minus = (a: Fraction, b: Fraction) => plus(a, { n: -b.n, d: b.d })
export const times = (a: Fraction, b: Fraction) => fraction(a.n * b.n, a.d * b.d)
export const over = (a: Fraction, b: Fraction) => fraction(a.n * b.d, a.d * b.n)
const isLess = (a: Fraction, b: Fraction) => a.n * b.d < b.n * a.d
const least = (a: Fraction, b: Fraction) => (isLess(a, b) ? a : b)
const tens = (exponent: number) => 10n ** BigInt(exponent)
/** A number of units of 10^-places. */
export const ofUnits = (units: bigint | number, places: number) => fraction(BigInt(units), tens(places))

export type ExactPosition = {
  quantity: Fraction
  withoutCost: Fraction
  atLastPrice: Fraction
  cost: Fraction
  realized: Fraction
  soldCost: Fraction
  /** How many times one of its figures was rounded. */
  roundings: number
}

export class ExactPositions {
  readonly byOwner = new Map<string, ExactPosition>()
  readonly #symbols = new Map<SymbolId, TradingSymbol>()
  readonly #lastPrice = new Map<SymbolId, Fraction>()
  readonly #decimals = new Map<AssetId, number>()
  readonly #isRounding: boolean

  /** `isRounding`: costs are rounded as in the reference; otherwise nothing is ever rounded. */
  constructor(isRounding: boolean) {
    this.#isRounding = isRounding
  }

  readonly sink = (event: ExchangeEvent): void => {
    if (event.kind === 'AssetChanged') this.#decimals.set(event.asset.id, event.asset.fraction)
    if (event.kind === 'SymbolChanged') this.#symbols.set(event.symbol.id, event.symbol)
    if (event.kind === 'OrdersMatched') this.#matched(event)
    if (event.kind === 'ExternalTransfer' && event.accountId !== FEES_ACCOUNT) {
      const { accountId, assetId, amount } = event
      const units = ofUnits(amount, this.decimals(assetId))
      if (amount > 0) this.#enter(accountId, assetId, units, this.#atLast(assetId, units), false)
      else this.#leave(accountId, assetId, times(units, fraction(-1n)), undefined)
    }
  }

  decimals(assetId: AssetId): number {
    return this.#decimals.get(assetId) as number
  }

  /** The market in which the asset is valued. */
  own(assetId: AssetId): TradingSymbol | undefined {
    return [...this.#symbols.values()].find(({ base }) => base === assetId)
  }

  #matched(event: OrdersMatched): void {
    const symbol = this.#symbols.get(event.symbolId) as TradingSymbol
    const { base, quote } = symbol
    const quantity = ofUnits(event.quantity, symbol.baseFraction)
    for (const role of ['maker', 'taker'] as const) {
      const { accountId, total: paid, commission } = event[role]
      const isBuy = (role === 'taker') === (event.takerSide === 'BUY')
      const total = ofUnits(paid, symbol.quotePrecision)
      const isOwn = this.own(base)?.id === symbol.id
      if (isBuy) {
        const received = minus(quantity, ofUnits(commission, symbol.basePrecision))
        this.#leave(accountId, quote, total, this.#atLast(quote, total))
        const cost = isOwn ? total : this.#elsewhere(symbol, total, received)
        this.#enter(accountId, base, received, cost, isOwn)
      } else {
        const received = minus(total, ofUnits(commission, symbol.quotePrecision))
        const proceeds = isOwn ? received : this.#elsewhere(symbol, received, quantity)
        this.#leave(accountId, base, quantity, proceeds)
        this.#enter(accountId, quote, received, this.#atLast(quote, received), false)
      }
    }
    this.#lastPrice.set(symbol.id, ofUnits(event.price, symbol.quoteFraction))
  }

  #atLast(assetId: AssetId, units: Fraction): Fraction | undefined {
    const own = this.own(assetId)
    const last = own && this.#lastPrice.get(own.id)
    return last && times(units, last)
  }

  #elsewhere({ base, quote }: TradingSymbol, total: Fraction, units: Fraction): Fraction | undefined {
    const costAsset = (this.own(base) as TradingSymbol).quote
    const pair = (a: AssetId, b: AssetId) =>
      [...this.#symbols.values()].find((symbol) => symbol.base === a && symbol.quote === b)
    const direct = pair(quote, costAsset)
    const last = direct && this.#lastPrice.get(direct.id)
    if (last !== undefined) return times(total, last)
    const inverse = pair(costAsset, quote)
    const inverseLast = inverse && this.#lastPrice.get(inverse.id)
    return inverseLast ? over(total, inverseLast) : this.#atLast(base, units)
  }

  #enter(
    accountId: AccountId,
    assetId: AssetId,
    units: Fraction,
    value: Fraction | undefined,
    isPaid: boolean,
  ): void {
    const held = this.#of(accountId, assetId)
    held.quantity = plus(held.quantity, units)
    if (value === undefined) {
      held.withoutCost = plus(held.withoutCost, units)
      return
    }
    const cost = this.#rounded(held, assetId, value)
    if (!isPaid) held.atLastPrice = plus(held.atLastPrice, units)
    if (minus(held.quantity, held.withoutCost).n > 0n) held.cost = plus(held.cost, cost)
    else {
      held.realized = minus(held.realized, cost)
      held.soldCost = plus(held.soldCost, cost)
    }
  }

  #leave(accountId: AccountId, assetId: AssetId, units: Fraction, value: Fraction | undefined): void {
    const held = this.#of(accountId, assetId)
    const before = minus(held.quantity, held.withoutCost)
    const first = least(units, held.withoutCost)
    const sold = minus(units, first)
    held.quantity = minus(held.quantity, units)
    held.withoutCost = minus(held.withoutCost, first)
    if (sold.n === 0n) return
    const part = over(sold, before)
    const released = part.n === part.d ? held.cost : this.#rounded(held, assetId, times(held.cost, part))
    held.cost = minus(held.cost, released)
    held.atLastPrice = this.#roundedUp(assetId, times(held.atLastPrice, minus(fraction(1n), part)))
    if (value === undefined) return
    const proceeds = this.#rounded(held, assetId, value)
    const share = first.n === 0n ? proceeds : this.#rounded(held, assetId, times(proceeds, over(sold, units)))
    held.realized = plus(held.realized, minus(share, released))
    held.soldCost = plus(held.soldCost, released)
  }

  /** Half up, to 10^-12 of a unit of the asset in which costs are measured. */
  #rounded(held: ExactPosition, assetId: AssetId, value: Fraction): Fraction {
    held.roundings++
    if (!this.#isRounding) return value
    const one = tens(this.decimals((this.own(assetId) as TradingSymbol).quote) + 12)
    return fraction((value.n * one * 2n + value.d) / (value.d * 2n), one)
  }

  /** Exact to one unit of the asset. */
  #roundedUp(assetId: AssetId, value: Fraction): Fraction {
    if (!this.#isRounding) return value
    const one = tens(this.decimals(assetId))
    return fraction((value.n * one + value.d - 1n) / value.d, one)
  }

  #of(accountId: AccountId, assetId: AssetId): ExactPosition {
    const owner = `${accountId} ${assetId}`
    const found = this.byOwner.get(owner)
    if (found !== undefined) return found
    const made = {
      ...{ quantity: ZERO, withoutCost: ZERO, atLastPrice: ZERO },
      ...{ cost: ZERO, realized: ZERO, soldCost: ZERO, roundings: 0 },
    }
    this.byOwner.set(owner, made)
    return made
  }
}
