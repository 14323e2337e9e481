/** An order in the form, checked as far as the page is able to: the exchange checks everything again. */
import type { Decimal } from '../../../../client/decimal.ts'
import type { NewOrderParameters } from '../../../../client/interface/parameters.ts'
import type { OrderType, SelfTradeMode, Side, TimeInForce } from '../../../../client/interface/words.ts'
import { hasDecimals, nearestTo, quantityFor, shareOf, stepOf } from '../../exact-sums.ts'
import { typedNumber } from './number-field.ts'
import { basisPointsOf, TRAILING_PERCENTS } from './trailing.ts'

/** The market of the form. */
export type TradedMarket = {
  readonly name: string
  readonly baseCode: string
  readonly quoteCode: string
  /** Decimals of quantities. */
  readonly baseFraction: number
  /** Decimals of prices. */
  readonly quoteFraction: number
}

/** `trailingDelta`: typed in percent. */
export type NumberFieldName =
  | 'price'
  | 'stopPrice'
  | 'trailingDelta'
  | 'quantity'
  | 'total'
  | 'icebergQty'
  | 'minutes'

export type Draft = { readonly [Field in NumberFieldName]: string } & {
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  /** Undefined for the market's default. */
  readonly selfTradeMode: SelfTradeMode | undefined
}

export const EMPTY_DRAFT: Draft = {
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  selfTradeMode: undefined,
  price: '',
  stopPrice: '',
  trailingDelta: '',
  quantity: '',
  total: '',
  icebergQty: '',
  minutes: '',
}

/** The parts of a draft kept for the next order: the expire time must be entered each time. */
export function withoutDeadline<Kept extends Pick<Draft, 'timeInForce' | 'minutes'>>(draft: Kept): Kept {
  return draft.timeInForce === 'GTD' ? { ...draft, timeInForce: 'GTC', minutes: '' } : draft
}

/** The problem of a field; `offers`: suggested values. */
export type FieldProblem = {
  readonly kind: 'MISSING' | 'UNREADABLE' | 'ZERO' | 'DECIMALS' | 'DISTANCE' | 'CROSSED' | 'REFUSED'
  readonly offers: readonly string[]
  /** With DECIMALS: the maximum number of them. */
  readonly places?: number
  /** With REFUSED: the message of the exchange. */
  readonly message?: string
}

export type Problems = { readonly [Field in NumberFieldName]?: FieldProblem }

export type CheckedDraft = {
  readonly problems: Problems
  /** Undefined if something is wrong or missing. Without client order id and expire time. */
  readonly order: NewOrderParameters | undefined
  /** In minutes, for a GTD order. */
  readonly lastsMinutes: number | undefined
}

export function hasPrice(type: OrderType): boolean {
  return type === 'LIMIT' || type === 'LIMIT_MAKER' || type.endsWith('_LIMIT')
}

export function hasStopPrice(type: OrderType): boolean {
  return type.startsWith('STOP') || type.startsWith('TAKE')
}

export function hasTimeInForce(type: OrderType): boolean {
  return hasPrice(type) && type !== 'LIMIT_MAKER'
}

/** The fields of the form for an order of this type and side, in their order. */
export function fieldsOf({ type, side, timeInForce }: Draft): readonly NumberFieldName[] {
  const isBySpending = !hasPrice(type) && side === 'BUY'
  return [
    ...(hasStopPrice(type) ? (['stopPrice'] as const) : []),
    ...(hasPrice(type) ? (['price'] as const) : []),
    ...(isBySpending ? [] : (['quantity'] as const)),
    ...(hasPrice(type) || isBySpending ? (['total'] as const) : []),
    ...(hasStopPrice(type) ? (['trailingDelta'] as const) : []),
    ...(hasTimeInForce(type) && timeInForce === 'GTD' ? (['minutes'] as const) : []),
    ...(type === 'LIMIT' && (timeInForce === 'GTC' || timeInForce === 'GTD')
      ? (['icebergQty'] as const)
      : []),
  ]
}

/** The draft with another text in a field, and with the total or quantity computed from it. */
export function withField(draft: Draft, field: NumberFieldName, text: string, market: TradedMarket): Draft {
  const changed = { ...draft, [field]: text }
  if (!hasPrice(draft.type)) return changed
  const price = numberIn(changed.price)
  if (price === undefined || price.compare('0') <= 0) return changed
  if (field === 'total') {
    const total = numberIn(text)
    if (total === undefined) return { ...changed, quantity: '' }
    return { ...changed, quantity: quantityFor(total, price, market.baseFraction).toString() }
  }
  if (field !== 'price' && field !== 'quantity') return changed
  const quantity = numberIn(changed.quantity)
  return { ...changed, total: quantity === undefined ? '' : price.times(quantity).toString() }
}

/** The draft for a percentage of the free balance: of the quote asset to buy, of the base asset to sell. */
export function withShare(draft: Draft, percent: number, free: Decimal, market: TradedMarket): Draft {
  if (draft.side === 'SELL') {
    return withField(draft, 'quantity', shareOf(free, percent, market.baseFraction).toString(), market)
  }
  return withField(draft, 'total', shareOf(free, percent, market.quoteFraction).toString(), market)
}

export type CheckedFields = {
  readonly problems: Problems
  readonly values: { readonly [Field in NumberFieldName]?: Decimal }
}

/** Checks each field on its own. For an order with a price, the total only determines the quantity. */
export function checkedFields(
  draft: Draft,
  fields: readonly NumberFieldName[],
  market: TradedMarket,
  optional: readonly NumberFieldName[] = optionalIn(draft),
): CheckedFields {
  const problems: { [Field in NumberFieldName]?: FieldProblem } = {}
  const values: { [Field in NumberFieldName]?: Decimal } = {}
  for (const field of fields) {
    const checked = checkedField(draft[field], placesOf(field, market), optional.includes(field))
    if (checked === undefined) continue
    if ('kind' in checked) problems[field] = checked
    else if (field === 'trailingDelta' && basisPointsOf(checked.value) === undefined)
      problems[field] = { kind: 'DISTANCE', offers: [] }
    else values[field] = checked.value
  }
  if (hasPrice(draft.type) && problems.total?.kind !== 'UNREADABLE') delete problems.total
  return { problems, values }
}

export function checkedDraft(draft: Draft, market: TradedMarket): CheckedDraft {
  const fields = fieldsOf(draft)
  const { problems, values } = checkedFields(draft, fields, market)
  if (Object.keys(problems).length > 0) return { problems, order: undefined, lastsMinutes: undefined }
  const { minutes } = values
  const lastsMinutes = minutes === undefined ? undefined : Number(minutes.toString())
  return { problems, order: orderOf(draft, values, market), lastsMinutes }
}

/** The order with these values. */
export function orderOf(
  { side, type, timeInForce, selfTradeMode }: Draft,
  values: CheckedFields['values'],
  market: TradedMarket,
): NewOrderParameters {
  const numbers = SENT.flatMap((field) => {
    const value = field === 'total' && hasPrice(type) ? undefined : values[field]
    return value === undefined ? [] : [[field, value.toString()] as const]
  })
  const { trailingDelta } = values
  return {
    symbol: market.name,
    side,
    type,
    ...Object.fromEntries(numbers),
    ...(trailingDelta === undefined ? {} : { trailingDelta: basisPointsOf(trailingDelta) }),
    ...(hasTimeInForce(type) && timeInForce !== 'GTC' ? { timeInForce } : {}),
    ...(selfTradeMode === undefined ? {} : { selfTradePreventionMode: selfTradeMode }),
  }
}

const SENT = ['price', 'stopPrice', 'quantity', 'total', 'icebergQty'] as const

/** An order that follows the price needs no stop price: if it has one, it follows from that price on. */
export function optionalIn({ trailingDelta }: Draft): readonly NumberFieldName[] {
  return trailingDelta === '' ? ['icebergQty', 'trailingDelta'] : ['icebergQty', 'trailingDelta', 'stopPrice']
}

/** Undefined if the field is empty and may be empty. */
export function checkedField(
  text: string,
  places: number | undefined,
  isOptional: boolean,
): { readonly value: Decimal } | FieldProblem | undefined {
  const typed = typedNumber(text)
  if (typed.kind === 'refused') return { kind: 'UNREADABLE', offers: typed.readings }
  if (typed.kind === 'empty') return isOptional ? undefined : { kind: 'MISSING', offers: [] }
  const { value } = typed
  if (value.compare('0') === 0) return { kind: 'ZERO', offers: [] }
  if (places === undefined || hasDecimals(value, places)) return { value }
  return { kind: 'DECIMALS', places, offers: [nearestTo(value, stepOf(places)).toString()] }
}

/** Maximum number of decimals in a field; undefined if only the exchange knows. */
function placesOf(field: NumberFieldName, market: TradedMarket): number | undefined {
  switch (field) {
    case 'price':
    case 'stopPrice':
      return market.quoteFraction
    case 'quantity':
    case 'icebergQty':
      return market.baseFraction
    case 'minutes':
      return 0
    case 'trailingDelta':
      return TRAILING_PERCENTS.places
    case 'total':
      return undefined
  }
}

export function numberIn(text: string): Decimal | undefined {
  const typed = typedNumber(text)
  return typed.kind === 'number' ? typed.value : undefined
}
