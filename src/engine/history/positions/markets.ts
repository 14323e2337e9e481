/**
 * The value of an asset, by the listed markets and their last trades (docs/reference/positions.md#valuation).
 * An asset is valued in its own market: the first listed market in which it is the base. Prices there are in
 * its cost asset.
 */
import { type LotScale, lotScale, worthAtPrice } from '../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { AssetId, SymbolId } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import type { Amount, Price } from '../../../units/quantities.ts'
import { bigintOf } from '../../../units/whole.ts'
import { COST_DECIMALS } from './position.ts'

/** The constant properties of a symbol. */
export type MarketTerms = Pick<
  TradingSymbol,
  'id' | 'base' | 'quote' | 'basePrecision' | 'quotePrecision' | 'baseFraction' | 'quoteFraction'
>

export function marketTerms(symbol: TradingSymbol): MarketTerms {
  const { id, base, quote, basePrecision, quotePrecision, baseFraction, quoteFraction } = symbol
  return { id, base, quote, basePrecision, quotePrecision, baseFraction, quoteFraction }
}

export type ValuedMarket = {
  readonly terms: MarketTerms
  readonly lotScale: LotScale
  /** The price of the market's last trade; 0 if there was none. */
  readonly lastPrice: Price
}

type Kept = Omit<ValuedMarket, 'lastPrice'> & {
  lastPrice: Price
  isChanged: boolean
  /**
   * The cost, in units of cost, of one ledger unit of the base at a price of one tick: `times` / `divisor`.
   * Both are powers of ten, and one of them is 1.
   */
  readonly times: bigint
  readonly divisor: bigint
  /** The units of the base that one ledger unit of the quote buys at a price of one tick. */
  readonly inverseTimes: bigint
  readonly inverseDivisor: bigint
}

export class Markets {
  readonly #bySymbol: Kept[] = []
  readonly #ownByAsset = new Map<AssetId, Kept>()
  readonly #byPair = new Map<number, Kept>()

  /**
   * Markets are added in the order of listing. Returns false, and changes nothing, if the market is known.
   */
  add(terms: MarketTerms, lastPrice = 0 as Price): boolean {
    if (terms.id < this.#bySymbol.length) return false
    invariant(terms.id === this.#bySymbol.length, () => `symbol ${terms.id} must be listed next`)
    const { basePrecision, quotePrecision, baseFraction, quoteFraction } = terms
    const finer = quotePrecision - basePrecision - quoteFraction
    const market: Kept = {
      terms,
      lotScale: lotScale(baseFraction, basePrecision),
      lastPrice,
      isChanged: false,
      times: power(COST_DECIMALS + finer),
      divisor: power(-COST_DECIMALS - finer),
      inverseTimes: power(COST_DECIMALS - finer),
      inverseDivisor: power(-COST_DECIMALS + finer),
    }
    this.#bySymbol.push(market)
    if (!this.#ownByAsset.has(terms.base)) this.#ownByAsset.set(terms.base, market)
    this.#byPair.set(pairOf(terms.base, terms.quote), market)
    return true
  }

  get all(): readonly ValuedMarket[] {
    return this.#bySymbol
  }

  of(symbolId: SymbolId): ValuedMarket | undefined {
    return this.#bySymbol[symbolId]
  }

  /** The market in which an asset is valued; undefined if the asset is not the base of any market. */
  own(assetId: AssetId): ValuedMarket | undefined {
    return this.#ownByAsset.get(assetId)
  }

  traded(symbolId: SymbolId, price: Price): void {
    const market = this.#bySymbol[symbolId]
    if (market === undefined || market.lastPrice === price) return
    market.lastPrice = price
    market.isChanged = true
  }

  /**
   * The value of `units` of an asset at the last price of its own market; undefined if it has no own market,
   * or if that market had no trade.
   */
  worth(assetId: AssetId, units: Amount): bigint | undefined {
    const own = this.#ownByAsset.get(assetId)
    return own === undefined || own.lastPrice === 0 ? undefined : worthIn(own, units)
  }

  /**
   * The value of `units` of one asset in another, at the last price of their common market; undefined if
   * there is none, or if it had no trade.
   */
  converted(units: Amount, from: AssetId, to: AssetId): bigint | undefined {
    const direct = this.#byPair.get(pairOf(from, to))
    if (direct !== undefined && direct.lastPrice !== 0) return worthIn(direct, units)
    const inverse = this.#byPair.get(pairOf(to, from))
    if (inverse === undefined || inverse.lastPrice === 0) return undefined
    const divisor = inverse.inverseDivisor * BigInt(inverse.lastPrice)
    return rounded(bigintOf(units) * inverse.inverseTimes, divisor)
  }

  /** Markets whose last price changed since the last call. */
  drain(): readonly ValuedMarket[] {
    const changed = this.#bySymbol.filter(({ isChanged }) => isChanged)
    for (const market of changed) market.isChanged = false
    return changed
  }

  clear(): void {
    this.#bySymbol.length = 0
    this.#ownByAsset.clear()
    this.#byPair.clear()
  }
}

function worthIn({ lastPrice, times, divisor }: Kept, units: Amount): bigint {
  return worthAtPrice(units, lastPrice, times, divisor)
}

/** Half up. */
function rounded(value: bigint, divisor: bigint): bigint {
  return (value * 2n + divisor) / (divisor * 2n)
}

function power(exponent: number): bigint {
  return exponent > 0 ? 10n ** BigInt(exponent) : 1n
}

/** Ids of assets are far below 2^26. */
function pairOf(base: AssetId, quote: AssetId): number {
  return base * 2 ** 26 + quote
}
