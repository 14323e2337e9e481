/**
 * An order in a few words: the same wording for buttons, dialogs, lists and notices. Figures are exact, with
 * digits in groups of three.
 */
import { Decimal } from '../../../client/decimal.ts'
import type { Order } from '../../../client/interface/orders.ts'
import type { NewOrderParameters } from '../../../client/interface/parameters.ts'
import { groupedText } from '../../shared/grouped-text.ts'
import { TEXTS } from '../../shared/texts/texts.ts'
import { percentOf } from './draft/trailing.ts'

/** The description of an order; an order that is not yet placed has fewer fields. */
export type OrderFigures = Pick<
  NewOrderParameters,
  'symbol' | 'side' | 'type' | 'quantity' | 'total' | 'price' | 'stopPrice' | 'trailingDelta'
>

/** `buy 0.01 BTC at 59 389.75 USDT`. */
export function orderPhrase(order: OrderFigures): string {
  const { of, side } = TEXTS.orderPhrase
  const { base, quote } = codesOf(order.symbol)
  const priced = (price: OrderFigures['price']) => (price === undefined ? '–' : amountText(price, quote))
  const price = priced(order.price)
  const stop = priced(order.stopPrice)
  const [verb, what] = [side[order.side], amountOf(order, base, quote)]
  if (order.trailingDelta !== undefined) {
    const placed = order.price === undefined ? of.MARKET(verb, what) : of.LIMIT(verb, what, price)
    return `${placed}, ${trailingText(order)}`
  }
  switch (order.type) {
    case 'LIMIT':
    case 'LIMIT_MAKER':
      return of[order.type](verb, what, price)
    case 'MARKET':
      return of.MARKET(verb, what)
    case 'STOP_LOSS':
    case 'TAKE_PROFIT':
      return of[order.type](verb, what, stop)
    case 'STOP_LOSS_LIMIT':
    case 'TAKE_PROFIT_LIMIT':
      return of[order.type](verb, what, stop, price)
  }
}

/** `follows at 1.5%`; '' for an order that does not follow the price. */
export function trailingText({
  symbol,
  trailingDelta,
  stopPrice,
}: Pick<OrderFigures, 'symbol' | 'trailingDelta' | 'stopPrice'>): string {
  if (trailingDelta === undefined) return ''
  const { follows, followsFrom } = TEXTS.trailing
  const percent = percentOf(trailingDelta)
  if (stopPrice === undefined) return follows(percent)
  return followsFrom(percent, amountText(stopPrice, codesOf(symbol).quote))
}

/** `1 234.5 USDT`. */
export function amountText(amount: string | Decimal, code: string): string {
  return `${groupedText(`${amount}`)} ${code}`
}

export function codesOf(symbol: string): { readonly base: string; readonly quote: string } {
  const [base = '', quote = ''] = symbol.split('/')
  return { base, quote }
}

/**
 * The quantity of an order that has not been traded yet, in the base asset; undefined if the order is for an
 * amount of the quote asset.
 */
export function leftOf({ quantity, executedQuantity, preventedQuantity }: Order): string | undefined {
  if (quantity === undefined) return undefined
  return Decimal.from(quantity)
    .minus(executedQuantity)
    .minus(preventedQuantity ?? '0')
    .toString()
}

/** An order of a list may use the proceeds of the one before it. */
function amountOf({ quantity, total }: OrderFigures, base: string, quote: string): string {
  const { forTotal, fromFirst } = TEXTS.orderPhrase
  if (quantity !== undefined) return amountText(quantity, base)
  return total === undefined ? fromFirst(base) : forTotal(base, amountText(total, quote))
}
