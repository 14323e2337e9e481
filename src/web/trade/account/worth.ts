/**
 * The value of balances in another asset at the last prices. The value is exact if only multiplications are
 * needed.
 */
import { Decimal } from '../../../client/decimal.ts'
import type { PriceTicker } from '../../../client/interface/answers.ts'
import type { Balance } from '../../../client/interface/messages.ts'
import { quantityFor } from '../exact-sums.ts'
import { codesOf } from '../state/order-phrase.ts'
export type Worth = {
  readonly value: Decimal
  /** A division was needed, and the value was rounded down to the decimals of this table. */
  readonly isRounded: boolean
}

export type Valued = {
  readonly balance: Balance
  /** Free, in orders, frozen and in savings together. */
  readonly whole: Decimal
  /** Undefined if no market determines a price. */
  readonly worth: Worth | undefined
}

export type AccountHoldings = {
  readonly rows: readonly Valued[]
  /** The sum of the known values. */
  readonly total: Worth
  /** Held assets that cannot be valued from any market. */
  readonly unknown: readonly string[]
}

/** Decimals of a value that needs a division. */
const PLACES = 8
const VALUE_PLACES = 2
/** A balance below this share of the total is small. */
const SMALL_SHARE = '0.001'

/** Last prices by base and quote asset. */
export class PriceTable {
  readonly #bySymbol: ReadonlyMap<string, string>
  readonly #quotesByBase = new Map<string, string[]>()

  constructor(prices: readonly PriceTicker[]) {
    const known = prices.flatMap(({ symbol, price }) =>
      price === undefined ? [] : [[symbol, price] as const],
    )
    this.#bySymbol = new Map(known)
    for (const [symbol] of known) {
      const { base, quote } = codesOf(symbol)
      const quotes = this.#quotesByBase.get(base)
      if (quotes === undefined) this.#quotesByBase.set(base, [quote])
      else quotes.push(quote)
    }
  }

  /** By their common market, or through a third asset. Undefined if no market determines a price. */
  worth(whole: Decimal, asset: string, code: string): Worth | undefined {
    if (asset === code || whole.compare('0') === 0) return { value: whole, isRounded: false }
    const price = this.#bySymbol.get(`${asset}/${code}`)
    if (price !== undefined) return { value: whole.times(price), isRounded: false }
    for (const third of this.#quotesByBase.get(asset) ?? []) {
      const [first, second] = [`${asset}/${third}`, `${third}/${code}`].map((symbol) =>
        this.#bySymbol.get(symbol),
      )
      if (first !== undefined && second !== undefined)
        return { value: whole.times(first).times(second), isRounded: false }
    }
    const inverse = this.#bySymbol.get(`${code}/${asset}`)
    if (inverse === undefined || Decimal.from(inverse).compare('0') <= 0) return undefined
    return { value: quantityFor(whole, Decimal.from(inverse), PLACES), isRounded: true }
  }
}

export function holdingsOf(balances: Iterable<Balance>, code: string, prices: PriceTable): AccountHoldings {
  const rows = [...balances].map((balance): Valued => {
    const { asset, free, locked, freeze, savings } = balance
    const whole = Decimal.from(free).plus(locked).plus(freeze).plus(savings)
    return { balance, whole, worth: prices.worth(whole, asset, code) }
  })
  let total = Decimal.from('0')
  for (const { worth } of rows) if (worth !== undefined) total = total.plus(worth.value)
  return {
    rows,
    total: { value: total, isRounded: rows.some(({ worth }) => worth?.isRounded === true) },
    unknown: rows.flatMap(({ balance, worth }) => (worth === undefined ? [balance.asset] : [])),
  }
}

/** The assets in which a value can be shown: the quote assets. */
export function unitsOf(markets: readonly { readonly quoteCode: string }[]): readonly string[] {
  return [...new Set(markets.map(({ quoteCode }) => quoteCode))]
}

/** Decimals of a displayed value: two, and more only if every price in that asset has more. */
export function valuePlaces(
  code: string,
  markets: readonly { readonly quoteCode: string; readonly quoteFraction: number }[],
): number {
  const places = markets.flatMap(({ quoteCode, quoteFraction }) =>
    quoteCode === code ? [quoteFraction] : [],
  )
  return places.length === 0 ? VALUE_PLACES : Math.max(VALUE_PLACES, Math.min(...places))
}

/** Number of assets with a balance. */
export function countHeld(balances: Iterable<Balance>): number {
  return [...balances].filter(({ free, locked, freeze, savings }) =>
    [free, locked, freeze, savings].some((amount) => amount !== '0'),
  ).length
}

export function isZero({ whole }: Valued): boolean {
  return whole.compare('0') === 0
}

/** Whether a balance is small compared with the total. A balance without a known value is not small. */
export function isSmall({ worth }: Valued, { total }: AccountHoldings): boolean {
  if (worth === undefined) return false
  return worth.value.compare('0') === 0 || worth.value.compare(total.value.times(SMALL_SHARE)) < 0
}

/**
 * The market to show for an asset: the one whose quote asset is `code`, if there is one. Undefined if the
 * asset is not traded in any market.
 */
export function marketOf(asset: string, code: string, symbols: readonly string[]): string | undefined {
  return (
    symbols.find((symbol) => symbol === `${asset}/${code}`) ??
    symbols.find((symbol) => symbol.startsWith(`${asset}/`)) ??
    symbols.find((symbol) => symbol.endsWith(`/${asset}`))
  )
}
