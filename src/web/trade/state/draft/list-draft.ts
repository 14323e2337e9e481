/**
 * Linked orders in the form: each is a separate draft, named by its purpose. Their names at the exchange
 * depend on the side (docs/reference/order-lists.md#lists).
 */
import { Decimal } from '../../../../client/decimal.ts'
import type { NewOrderParameters } from '../../../../client/interface/parameters.ts'
import type { OrderType, Side } from '../../../../client/interface/words.ts'
import {
  checkedField,
  checkedFields,
  type Draft,
  EMPTY_DRAFT,
  type FieldProblem,
  fieldsOf,
  hasPrice,
  hasStopPrice,
  type NumberFieldName,
  optionalIn,
  orderOf,
  type Problems,
  type TradedMarket,
  withoutDeadline,
} from './draft.ts'

/** OCO: take profit or stop loss. OTO: one after another. OTOCO: an entry, then take profit or stop loss. */
export type ListKind = 'OCO' | 'OTO' | 'OTOCO'

export function isListKind(kind: string): kind is ListKind {
  return kind === 'OCO' || kind === 'OTO' || kind === 'OTOCO'
}

export type LegName = 'entry' | 'next' | 'profit' | 'loss'

export type ListDraft = {
  readonly kind: ListKind
  /** The side of the entry; without an entry, of both orders. */
  readonly side: Side
  /** The quantity of the entry; without an entry, of each order. */
  readonly quantity: string
  readonly legs: { readonly [Leg in LegName]: Draft }
}

export const LEGS: { readonly [Kind in ListKind]: readonly LegName[] } = {
  OCO: ['profit', 'loss'],
  OTO: ['entry', 'next'],
  OTOCO: ['entry', 'profit', 'loss'],
}

export const LEG_TYPES: { readonly [Leg in LegName]: readonly OrderType[] } = {
  entry: ['LIMIT', 'LIMIT_MAKER'],
  next: [
    'LIMIT',
    'MARKET',
    'LIMIT_MAKER',
    'STOP_LOSS',
    'STOP_LOSS_LIMIT',
    'TAKE_PROFIT',
    'TAKE_PROFIT_LIMIT',
  ],
  profit: ['LIMIT_MAKER', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'],
  loss: ['STOP_LOSS', 'STOP_LOSS_LIMIT'],
}

export function emptyList(kind: ListKind, side: Side): ListDraft {
  const leg = (type: OrderType): Draft => ({ ...EMPTY_DRAFT, type })
  const legs = { entry: leg('LIMIT'), next: leg('LIMIT'), profit: leg('LIMIT_MAKER'), loss: leg('STOP_LOSS') }
  return withSide({ kind, side, quantity: '', legs }, side)
}

/** The order after an entry is on the other side. */
export function withSide(list: ListDraft, side: Side): ListDraft {
  const after = list.kind === 'OCO' ? side : otherSide(side)
  const { entry, next, profit, loss } = list.legs
  const legs = {
    entry: { ...entry, side },
    next: { ...next, side: after },
    profit: { ...profit, side: after },
    loss: { ...loss, side: after },
  }
  return { ...list, side, legs }
}

export function withLeg(list: ListDraft, leg: LegName, changed: Partial<Draft>): ListDraft {
  return { ...list, legs: { ...list.legs, [leg]: { ...list.legs[leg], ...changed } } }
}

/** The same list without its numbers: they belong to another market. */
export function withoutNumbers({ kind, side, legs }: ListDraft): ListDraft {
  const emptied = Object.entries(legs).map(([leg, { side: own, type, timeInForce }]) => [
    leg,
    withoutDeadline({ ...EMPTY_DRAFT, side: own, type, timeInForce }),
  ])
  return { kind, side, quantity: '', legs: Object.fromEntries(emptied) }
}

/** The same list for a market without orders that follow the price. */
export function withoutTrailing(list: ListDraft): ListDraft {
  return LEGS[list.kind].reduce((fixed, leg) => withLeg(fixed, leg, { trailingDelta: '' }), list)
}

/** The list with the price in the given field, or in the first empty one. */
export function withPrice(
  list: ListDraft,
  field: { readonly leg: LegName; readonly field: 'price' | 'stopPrice' } | undefined,
  price: string,
): ListDraft {
  const isThere =
    field && LEGS[list.kind].includes(field.leg) && legFields(list, field.leg).includes(field.field)
  if (field !== undefined && isThere) return withLeg(list, field.leg, { [field.field]: price })
  for (const leg of LEGS[list.kind]) {
    const draft = list.legs[leg]
    const empty = legFields(list, leg).find(
      (name) =>
        // An order that follows the price has no stop price on purpose.
        (name === 'price' || (name === 'stopPrice' && draft.trailingDelta === '')) && draft[name] === '',
    )
    if (empty !== undefined) return withLeg(list, leg, { [empty]: price })
  }
  return list
}

function otherSide(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY'
}

/** The fields of an order of the list, besides the common quantity. */
export function legFields({ kind, legs }: ListDraft, leg: LegName): readonly NumberFieldName[] {
  const draft = legs[leg]
  const isSpending = !hasPrice(draft.type) && draft.side === 'BUY'
  return [
    ...fieldsOf({ ...draft, timeInForce: 'GTC' }).filter(
      (field) => field === 'price' || field === 'stopPrice',
    ),
    // The order after a market entry spends the proceeds of the entry.
    ...(isSpending && kind === 'OCO' ? (['total'] as const) : []),
    ...(leg === 'next' && !isSpending ? (['quantity'] as const) : []),
    ...(hasStopPrice(draft.type) ? (['trailingDelta'] as const) : []),
  ]
}

export type CheckedList = {
  readonly quantityProblem: FieldProblem | undefined
  readonly problems: { readonly [Leg in LegName]?: Problems }
  /** Undefined if something is wrong or missing. */
  readonly list: CompleteList | undefined
}

export type CompleteList = {
  readonly kind: ListKind
  readonly orders: readonly ListedOrder[]
  /** Under the exchange's names. */
  readonly parameters: Readonly<Record<string, string>>
}

export type ListedOrder = {
  readonly leg: LegName
  readonly order: NewOrderParameters
  /** Whether it is placed with the list; if not, it is placed once the entry is filled. */
  readonly isNow: boolean
}

export function checkedList(list: ListDraft, market: TradedMarket): CheckedList {
  const legs = LEGS[list.kind]
  const problems: { [Leg in LegName]?: Problems } = {}
  const orders: ListedOrder[] = []
  const quantity = checkedField(list.quantity, market.baseFraction, false)
  const shared = quantity !== undefined && 'value' in quantity ? quantity.value : undefined
  for (const leg of legs) {
    const draft = list.legs[leg]
    const optional: readonly NumberFieldName[] = [
      ...optionalIn(draft),
      ...(leg === 'next' && draft.side !== list.side ? (['quantity'] as const) : []),
    ]
    const checked = checkedFields(draft, legFields(list, leg), market, optional)
    if (Object.keys(checked.problems).length > 0) problems[leg] = checked.problems
    const isNow = leg === 'entry' || list.kind === 'OCO'
    const values = isNow && !isBySpending(draft) ? { ...checked.values, quantity: shared } : checked.values
    orders.push({ leg, isNow, order: orderOf(draft, given(values), market) })
  }
  const [profit, loss] = [
    orders.find(({ leg }) => leg === 'profit'),
    orders.find(({ leg }) => leg === 'loss'),
  ]
  if (profit && loss && problems.profit === undefined && problems.loss === undefined) {
    if (isCrossed(profit.order, loss.order)) problems.loss = { stopPrice: { kind: 'CROSSED', offers: [] } }
  }
  const quantityProblem = quantity !== undefined && 'kind' in quantity ? quantity : undefined
  const isComplete = shared !== undefined && Object.keys(problems).length === 0
  const parameters = isComplete ? parametersOf(list, orders, market, shared.toString()) : {}
  return {
    quantityProblem,
    problems,
    list: isComplete ? { kind: list.kind, orders, parameters } : undefined,
  }
}

function isBySpending({ type, side }: Draft): boolean {
  return !hasPrice(type) && side === 'BUY'
}

function given<Values extends object>(
  values: Values,
): { readonly [Name in keyof Values]?: NonNullable<Values[Name]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

/**
 * Whether the orders of a pair are on the wrong sides: for a sale the take-profit price must be above the
 * stop-loss price, for a purchase below it. They are compared by the stop price, or by the limit if there is
 * none.
 */
function isCrossed(profit: NewOrderParameters, loss: NewOrderParameters): boolean {
  const [gain, stop] = [countingPrice(profit), countingPrice(loss)]
  if (gain === undefined || stop === undefined) return false
  return profit.side === 'SELL' ? gain.compare(stop) <= 0 : gain.compare(stop) >= 0
}

/**
 * The price by which orders of a list are compared (docs/reference/order-lists.md#prices); none for an order
 * that follows the price from the next trade on.
 */
function countingPrice({ stopPrice, trailingDelta, price }: NewOrderParameters): Decimal | undefined {
  const text = trailingDelta === undefined ? (stopPrice ?? price) : stopPrice
  return text === undefined ? undefined : Decimal.from(`${text}`)
}

/**
 * Whether the take profit would bring no gain, or the stop loss no loss, relative to the entry: the exchange
 * would accept the list anyway.
 */
export function isBesideEntry({ orders }: CompleteList): boolean {
  const priceOf = (leg: LegName) => {
    const order = orders.find((each) => each.leg === leg)?.order
    return order && countingPrice(order)
  }
  const [entry, profit, loss] = [priceOf('entry'), priceOf('profit'), priceOf('loss')]
  if (entry === undefined) return false
  const isBuy = orders[0]?.order.side === 'BUY'
  const [low, high] = isBuy ? [loss, profit] : [profit, loss]
  return (low !== undefined && low.compare(entry) >= 0) || (high !== undefined && high.compare(entry) <= 0)
}

/** The exchange's name for the order of this leg. */
export function prefixOf({ kind, legs }: ListDraft, leg: LegName): string {
  switch (leg) {
    case 'entry':
      return 'working'
    case 'next':
      return 'pending'
    case 'profit':
    case 'loss': {
      const isAbove = (legs[leg].side === 'SELL') === (leg === 'profit')
      const place = isAbove ? 'above' : 'below'
      return kind === 'OCO' ? place : `pending${capital(place)}`
    }
  }
}

function parametersOf(
  list: ListDraft,
  orders: readonly ListedOrder[],
  market: TradedMarket,
  quantity: string,
): Readonly<Record<string, string>> {
  const { kind, side, legs } = list
  const after = kind === 'OTO' ? legs.next.side : otherSide(side)
  const head: Readonly<Record<string, string>> =
    kind === 'OCO' ? { side, quantity } : { workingSide: side, workingQuantity: quantity, pendingSide: after }
  const parameters: Record<string, string> = { symbol: market.name, ...head }
  for (const { leg, order } of orders) {
    const prefix = prefixOf(list, leg)
    const { type, price, stopPrice, trailingDelta, timeInForce, total } = order
    const own = {
      type,
      price,
      stopPrice,
      trailingDelta,
      timeInForce,
      total,
      quantity: leg === 'next' ? order.quantity : undefined,
    }
    for (const [name, value] of Object.entries(own))
      if (value !== undefined) parameters[prefix + capital(name)] = `${value}`
  }
  return parameters
}

/** The field for a parameter of the exchange; undefined if there is none. */
export function fieldNamed(
  list: ListDraft,
  parameter: string | undefined,
): 'quantity' | { readonly leg: LegName; readonly field: NumberFieldName } | undefined {
  if (parameter === 'quantity' || parameter === 'workingQuantity') return 'quantity'
  for (const leg of LEGS[list.kind]) {
    const field = legFields(list, leg).find((name) => prefixOf(list, leg) + capital(name) === parameter)
    if (field !== undefined) return { leg, field }
  }
  return undefined
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The field for a price of the book: the limit, or the trigger if there is no limit. */
export function priceField({ type }: Draft): 'price' | 'stopPrice' | undefined {
  if (hasPrice(type)) return 'price'
  return hasStopPrice(type) ? 'stopPrice' : undefined
}
