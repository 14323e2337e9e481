/** The wanted quotes of the market maker: pure functions of market data and holdings. */
import { Decimal, type Order } from 'bourse-client'

export type Side = 'BUY' | 'SELL'

export type QuoteSettings = {
  /** Quantity of each quote, in the base asset. */
  readonly quantity: Decimal
  /** The distance of each quote from the center, as a fraction of the price. */
  readonly halfSpread: Decimal
  /**
   * The fraction of the price by which the center moves down for each unit of the base asset held beyond the
   * target.
   */
  readonly skew: Decimal
  /** The position is kept between this and its negative, in the base asset. */
  readonly limit: Decimal
}

/** Prices and quantities of the symbol must be multiples of these, and an order has these minima. */
export type Rules = {
  readonly tick: Decimal
  readonly step: Decimal
  readonly leastQuantity: Decimal
  readonly leastTotal: Decimal
}

export type Quote = { readonly price: Decimal; readonly quantity: Decimal }

export type Quotes = { readonly [S in Side]?: Quote | undefined }

/** The best price of other traders, on each side. */
export type Best = { readonly bid: Decimal | undefined; readonly ask: Decimal | undefined }

type Level = { readonly price: string; readonly quantity: string }

/** The currently wanted quotes; none of them reaches the others' best prices. */
export function wantedQuotes(
  settings: QuoteSettings,
  rules: Rules,
  reference: Decimal,
  best: Best,
  position: Decimal,
): Quotes {
  const { quantity, halfSpread, skew, limit } = settings
  const centre = reference.times(Decimal.from('1').minus(skew.times(position)))
  const low = centre.times(Decimal.from('1').minus(halfSpread))
  const high = centre.times(Decimal.from('1').plus(halfSpread))
  const bid = best.ask === undefined ? low : least(low, best.ask.minus(rules.tick))
  const ask = best.bid === undefined ? high : greatest(high, best.bid.plus(rules.tick))
  return {
    BUY: quote(rules, bid.roundedDownTo(rules.tick), least(quantity, limit.minus(position))),
    SELL: quote(rules, roundedUpTo(ask, rules.tick), least(quantity, limit.plus(position))),
  }
}

/**
 * The sides in the order in which they must move, so that no quote trades with this maker's other quote: with
 * rising prices the ask first.
 */
export function inOrder(wanted: Quotes, own: readonly Order[]): readonly Side[] {
  const bid = wanted.BUY?.price
  const isInTheWay = ({ side, price }: Order): boolean =>
    side === 'SELL' && price !== undefined && bid !== undefined && bid.compare(price) >= 0
  return own.some(isInTheWay) ? ['SELL', 'BUY'] : ['BUY', 'SELL']
}

export function withoutOwn(levels: readonly Level[], own: readonly Order[]): Decimal | undefined {
  for (const { price, quantity } of levels) {
    const ours = own
      .filter((order) => order.price !== undefined && Decimal.from(order.price).compare(price) === 0)
      .reduce((sum, order) => sum.plus(left(order)), Decimal.from('0'))
    if (ours.compare(quantity) < 0) return Decimal.from(price)
  }
  return undefined
}

/** The quantity of an order still to be traded. */
export function left({ quantity = '0', executedQuantity }: Order): Decimal {
  return Decimal.from(quantity).minus(executedQuantity)
}

function quote(rules: Rules, price: Decimal, most: Decimal): Quote | undefined {
  if (most.compare(rules.leastQuantity) < 0 || price.compare('0') <= 0) return undefined
  const quantity = most.roundedDownTo(rules.step)
  const isOrder =
    quantity.compare(rules.leastQuantity) >= 0 && price.times(quantity).compare(rules.leastTotal) >= 0
  return isOrder ? { price, quantity } : undefined
}

function roundedUpTo(value: Decimal, step: Decimal): Decimal {
  const down = value.roundedDownTo(step)
  return down.compare(value) === 0 ? down : down.plus(step)
}

const least = (a: Decimal, b: Decimal): Decimal => (a.compare(b) <= 0 ? a : b)
const greatest = (a: Decimal, b: Decimal): Decimal => (a.compare(b) >= 0 ? a : b)
