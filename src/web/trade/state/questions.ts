/** When the page asks before it sends: where a price or a value is far from what its user has set. */
import { Decimal } from '../../../client/decimal.ts'
import type { NewOrderParameters } from '../../../client/interface/parameters.ts'
import { typedNumber } from './number-field.ts'

export type QuestionLimits = {
  /** The page asks where a limit is worse than the best price by more than so many percent; empty: however far it is. */
  readonly pricePercent: string
  /** The page asks where the order is worth more than so many percent of what is free; empty: whatever it takes. */
  readonly balancePercent: string
  /** The page asks where the order is worth more, in the quote asset; empty: whatever it is worth. */
  readonly value: string
}

export const USUAL_LIMITS: QuestionLimits = { pricePercent: '5', balancePercent: '50', value: '' }

export type Question =
  | 'PRICE_FAR'
  | 'SHARE_LARGE'
  | 'VALUE_LARGE'
  | 'NO_BEST_PRICE'
  | 'BESIDE_ENTRY'
  | 'OTHER_MARKET'

export type OrderSurroundings = {
  readonly bestBid: string | undefined
  readonly bestAsk: string | undefined
  /** Of the asset that is given away; undefined: not known. */
  readonly free: string | undefined
}

/** Everything that has to be asked; none: it may be sent. `surroundings` undefined: the order is of a market that is not looked at. */
export function questionsOf(
  order: NewOrderParameters,
  surroundings: OrderSurroundings | undefined,
  limits: QuestionLimits,
): readonly Question[] {
  // Neither its best prices nor its quote asset, in which a sum was set, are known here.
  if (surroundings === undefined) return ['OTHER_MARKET']
  const { bestBid, bestAsk, free } = surroundings
  const isBuy = order.side === 'BUY'
  const best = isBuy ? bestAsk : bestBid
  const price = order.price === undefined ? undefined : Decimal.from(order.price)
  const questions: Question[] = []
  const priceShare = percentOf(limits.pricePercent)
  // An order that waits is measured by what it waits for.
  const measure = order.stopPrice ?? best
  if (price !== undefined && measure !== undefined && priceShare !== undefined) {
    const edge = Decimal.from(measure).times(
      isBuy ? Decimal.from('1').plus(priceShare) : Decimal.from('1').minus(priceShare),
    )
    if (isBuy ? price.compare(edge) > 0 : price.compare(edge) < 0) questions.push('PRICE_FAR')
  }
  const value = worthOfOrder(order, best)
  const given = isBuy ? value : order.quantity && Decimal.from(order.quantity)
  const balanceShare = percentOf(limits.balancePercent)
  if (free !== undefined && given && balanceShare !== undefined) {
    if (given.compare(Decimal.from(free).times(balanceShare)) > 0) questions.push('SHARE_LARGE')
  }
  const valueMax = limitOf(limits.value)
  if (valueMax !== undefined) {
    if (value === undefined) questions.push('NO_BEST_PRICE')
    else if (value.compare(valueMax) > 0) questions.push('VALUE_LARGE')
  }
  return questions
}

/** What an order is worth in the quote asset; undefined: nobody trades at the moment. */
function worthOfOrder(order: NewOrderParameters, best: string | undefined): Decimal | undefined {
  if (order.total !== undefined) return Decimal.from(order.total)
  const price = order.price ?? order.stopPrice ?? best
  if (price === undefined || order.quantity === undefined) return undefined
  return Decimal.from(price).times(Decimal.from(order.quantity))
}

/** As a fraction; undefined: there is no such limit. */
function percentOf(text: string): Decimal | undefined {
  return limitOf(text)?.times('0.01')
}

/** Somebody who has typed what cannot be read wanted a limit: until it can be, everything is beyond it. */
function limitOf(text: string): Decimal | undefined {
  const typed = typedNumber(text)
  switch (typed.kind) {
    case 'number':
      return typed.value
    case 'refused':
      return Decimal.from('0')
    case 'empty':
      return undefined
  }
}
