/**
 * The cases in which the page asks for confirmation before it sends: a price or a value is beyond the user's
 * limits. Each question contains the figures for it.
 */
import { Decimal } from '../../../../client/decimal.ts'
import type { NewOrderParameters } from '../../../../client/interface/parameters.ts'
import type { Side } from '../../../../client/interface/words.ts'
import { percentUp } from '../../exact-sums.ts'
import { typedNumber } from '../draft/number-field.ts'
import { type BookQuestion, bookQuestions, type OppositeSide } from './book-questions.ts'

export type QuestionLimits = {
  /**
   * The page asks if a limit is worse than the best price by more than this percentage; empty for no such
   * limit.
   */
  readonly pricePercent: string
  /**
   * The page asks if the order is worth more than this percentage of the free balance; empty for no such
   * limit.
   */
  readonly balancePercent: string
  /** The page asks if the order is worth more than this, in the quote asset; empty for no such limit. */
  readonly value: string
}

export const USUAL_LIMITS: QuestionLimits = { pricePercent: '5', balancePercent: '50', value: '' }

/** The reference for a price. */
export type PriceMeasure = 'BEST_ASK' | 'BEST_BID' | 'LAST' | 'STOP_PRICE'

/** Figures are exact decimals; a `percent` is rounded up to hundredths. `limit`: the user's setting. */
export type Question =
  | {
      readonly kind: 'PRICE_FAR'
      readonly side: Side
      readonly price: string
      readonly percent: string
      readonly measure: PriceMeasure
      readonly measured: string
      readonly limit: string
    }
  /** An order without a price, with its current execution price. */
  | {
      readonly kind: 'AVERAGE_FAR'
      readonly side: Side
      readonly average: string
      readonly percent: string
      readonly best: string
      readonly limit: string
    }
  /** The execution price of an order without a price is unknown. */
  | { readonly kind: 'AVERAGE_UNKNOWN' }
  /** There is neither an offer nor a trade with which to compare the price. */
  | { readonly kind: 'PRICE_ALONE'; readonly price: string }
  | {
      readonly kind: 'SHARE_LARGE'
      readonly percent: string
      readonly free: string
      readonly code: string
      readonly limit: string
    }
  /** The free balance of the spent asset is zero. */
  | { readonly kind: 'NOTHING_FREE'; readonly given: string; readonly code: string }
  | {
      readonly kind: 'VALUE_LARGE'
      readonly value: string
      /** The value in percent of the limit. */
      readonly percent: string
      readonly code: string
      readonly limit: string
    }
  /** A limit is set, and the market currently has no prices. */
  | { readonly kind: 'VALUE_UNKNOWN'; readonly code: string; readonly limit: string }
  | { readonly kind: 'LIMIT_UNREADABLE' }
  | { readonly kind: 'BESIDE_ENTRY' }
  | { readonly kind: 'OTHER_MARKET'; readonly symbol: string }
  | BookQuestion

export type OrderSurroundings = {
  readonly baseCode: string
  readonly quoteCode: string
  readonly bestBid: string | undefined
  readonly bestAsk: string | undefined
  /** The price of the last trade. */
  readonly last: string | undefined
  /** The free balance of the spent asset; undefined if unknown, or not to be checked. */
  readonly free: string | undefined
  /** The opposite side of the book; undefined if unknown. */
  readonly opposite?: OppositeSide | undefined
}

/**
 * All questions; none if the order may be sent. `surroundings` is undefined if the order's market is not
 * displayed.
 */
export function questionsOf(
  order: NewOrderParameters,
  surroundings: OrderSurroundings | undefined,
  limits: QuestionLimits,
): readonly Question[] {
  // Neither the market's state nor its best prices are known here, nor the quote asset, in which the value
  // limit was set.
  if (surroundings === undefined) return [{ kind: 'OTHER_MARKET', symbol: order.symbol }]
  const asked = [
    priceQuestion(order, surroundings, limits.pricePercent),
    shareQuestion(order, surroundings, limits.balancePercent),
    valueQuestion(order, surroundings, limits.value),
  ]
  // The user intended to set a limit that cannot be read: until it can be, every order is beyond it.
  const isUnreadable = Object.values(limits).some((text) => typedNumber(text).kind === 'refused')
  const { opposite } = surroundings
  return [
    ...asked.filter((question) => question !== undefined),
    ...(opposite === undefined ? [] : bookQuestions(order, opposite, surroundings)),
    ...(isUnreadable ? [{ kind: 'LIMIT_UNREADABLE' } as const] : []),
  ]
}

/**
 * The same for an order without a price. `average`: its current execution price from the exchange; undefined
 * if not known yet.
 */
export function marketQuestions(
  side: Side,
  average: string | undefined,
  around: OrderSurroundings | undefined,
  { pricePercent }: QuestionLimits,
): readonly Question[] {
  const [share, best] = [fractionOf(pricePercent), side === 'BUY' ? around?.bestAsk : around?.bestBid]
  if (share === undefined) return []
  if (average === undefined) return [{ kind: 'AVERAGE_UNKNOWN' }]
  if (best === undefined) return []
  const far = distanceBeyond(side, Decimal.from(average), Decimal.from(best), share)
  if (far === undefined) return []
  const texts = { average, percent: far, best: Decimal.from(best).toString(), limit: pricePercent.trim() }
  return [{ kind: 'AVERAGE_FAR', side, ...texts }]
}

/**
 * Whether `now` contains something that a user who has read `read` does not know: a question of another kind,
 * one more of a kind, or a figure that is worse by more than one percent of its reference.
 */
export function isWorse(now: readonly Question[], read: readonly Question[]): boolean {
  const ofKind = (all: readonly Question[], kind: Question['kind']) =>
    all.filter((each) => each.kind === kind)
  return now.some((question) => {
    const [nowOnes, readOnes] = [ofKind(now, question.kind), ofKind(read, question.kind)]
    if (nowOnes.length > readOnes.length) return true
    const percent = percentIn(question)
    return percent !== undefined && readOnes.every((each) => isFurther(percent, percentIn(each)))
  })
}

function isFurther(percent: string, before: string | undefined): boolean {
  return before === undefined || Decimal.from(percent).compare(Decimal.from(before).plus('1')) > 0
}

function percentIn(question: Question): string | undefined {
  return 'percent' in question ? question.percent : undefined
}

function priceQuestion(
  { side, price: text, stopPrice }: NewOrderParameters,
  around: OrderSurroundings,
  limit: string,
): Question | undefined {
  const share = fractionOf(limit)
  if (text === undefined || share === undefined) return undefined
  const price = Decimal.from(text)
  const [measure, best] = measureOf(side, stopPrice, around)
  if (best === undefined) return { kind: 'PRICE_ALONE', price: price.toString() }
  const measured = Decimal.from(best)
  const percent = distanceBeyond(side, price, measured, share)
  if (percent === undefined) return undefined
  const texts = { price: price.toString(), percent, measured: measured.toString(), limit: limit.trim() }
  return { kind: 'PRICE_FAR', side, measure, ...texts }
}

/**
 * The distance by which a price is worse than `measured`, in percent; undefined if it is within the share.
 */
function distanceBeyond(side: Side, price: Decimal, measured: Decimal, share: Decimal): string | undefined {
  const distance = side === 'BUY' ? price.minus(measured) : measured.minus(price)
  if (distance.compare(measured.times(share)) <= 0) return undefined
  return percentUp(distance, measured).toString()
}

/**
 * A waiting order is compared with its stop price; any other with the best price at which it could trade,
 * else with the nearest known price.
 */
function measureOf(
  side: Side,
  stopPrice: NewOrderParameters['stopPrice'],
  { bestBid, bestAsk, last }: OrderSurroundings,
): readonly [PriceMeasure, NewOrderParameters['price']] {
  if (stopPrice !== undefined) return ['STOP_PRICE', stopPrice]
  const [bid, ask] = [['BEST_BID', bestBid] as const, ['BEST_ASK', bestAsk] as const]
  const inTurn = side === 'BUY' ? [ask, bid] : [bid, ask]
  return inTurn.find(([, price]) => price !== undefined) ?? ['LAST', last]
}

function shareQuestion(
  order: NewOrderParameters,
  around: OrderSurroundings,
  limit: string,
): Question | undefined {
  const share = fractionOf(limit)
  const isBuy = order.side === 'BUY'
  const sold = order.quantity === undefined ? undefined : Decimal.from(order.quantity)
  const given = isBuy ? worthOf(order, around) : sold
  if (share === undefined || given === undefined || around.free === undefined) return undefined
  const free = Decimal.from(around.free)
  if (given.compare(free.times(share)) <= 0) return undefined
  const code = isBuy ? around.quoteCode : around.baseCode
  if (free.compare('0') <= 0) return { kind: 'NOTHING_FREE', given: given.toString(), code }
  const percent = percentUp(given, free).toString()
  return { kind: 'SHARE_LARGE', percent, free: free.toString(), code, limit: limit.trim() }
}

function valueQuestion(
  order: NewOrderParameters,
  around: OrderSurroundings,
  limit: string,
): Question | undefined {
  const typed = typedNumber(limit)
  if (typed.kind !== 'number') return undefined
  const [value, code, max] = [worthOf(order, around), around.quoteCode, typed.value]
  if (value === undefined) return { kind: 'VALUE_UNKNOWN', code, limit: max.toString() }
  if (value.compare(max) <= 0) return undefined
  // Compared with a limit of zero, every value is 100 percent.
  const percent = max.compare('0') === 0 ? '100' : percentUp(value, max).toString()
  return { kind: 'VALUE_LARGE', value: value.toString(), percent, code, limit: max.toString() }
}

/** The value of an order in the quote asset; undefined if the market has no prices at the moment. */
function worthOf(order: NewOrderParameters, { bestBid, bestAsk }: OrderSurroundings): Decimal | undefined {
  if (order.total !== undefined) return Decimal.from(order.total)
  const price = order.price ?? order.stopPrice ?? (order.side === 'BUY' ? bestAsk : bestBid)
  if (price === undefined || order.quantity === undefined) return undefined
  return Decimal.from(price).times(Decimal.from(order.quantity))
}

/** The value of a percentage; undefined if there is no such limit, or it is unreadable. */
function fractionOf(text: string): Decimal | undefined {
  const typed = typedNumber(text)
  return typed.kind === 'number' ? typed.value.times('0.01') : undefined
}
