/**
 * The parameters of order lists (docs/reference/order-lists.md): Binance's names, with a prefix for each
 * order that denotes its role in the list.
 */

import { ANOTHER_ID, OTHER_SIDE } from '../../contract/expectations.ts'
import type { ListLeg, PlaceList } from '../../core/commands/order-lists.ts'
import type { OrderTrigger } from '../../core/commands/orders.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import {
  isStopType,
  type ListKind,
  ORDER_TYPES,
  type OrderType,
  SELF_TRADE_MODES,
  SIDES,
  type Side,
  type TimeInForce,
  takesTimeInForce,
} from '../../units/order-enums.ts'
import { type Amount, type Lots, lots, type Price, price } from '../../units/quantities.ts'
import type { Parameters } from '../common/parameters.ts'
import { readWord } from '../common/read.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import {
  readAmount,
  readClientOrderId,
  readSupportedWord,
  readTrigger,
  readUnits,
  requireSupportedWord,
} from './order-parameters.ts'

/** The content of a list request, without caller and symbol. */
export type NewList = Pick<PlaceList, 'list' | 'selfTradeMode' | 'listClientOrderId' | 'legs'>

/** The answer has no fills: they are read by the id of their order. */
const RESPONSE_TYPES = ['RESULT'] as const

/** Without GTD: no order of a list ends at a given time. */
const LIST_TIMES = ['GTC', 'IOC', 'FOK'] as const

const WORKING_TYPES = ['LIMIT', 'LIMIT_MAKER'] as const
const PROFIT_TYPES = ['LIMIT_MAKER', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'] as const
const LOSS_TYPES = ['STOP_LOSS', 'STOP_LOSS_LIMIT'] as const

/** Reads all parameters of a list in `symbol`. */
export function readNewList(
  parameters: Parameters,
  symbol: TradingSymbol,
  list: ListKind,
): NewList | Refusal {
  const selfTradeMode = readSupportedWord(parameters, 'selfTradePreventionMode', SELF_TRADE_MODES)
  if (selfTradeMode instanceof Refusal) return selfTradeMode
  const responseType = readWord(parameters, 'newOrderRespType', RESPONSE_TYPES)
  if (responseType instanceof Refusal) return responseType
  const listClientOrderId = readClientOrderId(parameters, 'listClientOrderId')
  if (listClientOrderId instanceof Refusal) return listClientOrderId
  const legs = list === 'OCO' ? readPlacedPair(parameters, symbol) : readWithPending(parameters, symbol, list)
  if (legs instanceof Refusal) return legs
  const repeated = repeatedId(legs, listClientOrderId, list)
  return repeated ?? { list, selfTradeMode, listClientOrderId, legs }
}

function readPlacedPair(parameters: Parameters, symbol: TradingSymbol): readonly ListLeg[] | Refusal {
  const side = requireSupportedWord(parameters, 'side', SIDES)
  if (side instanceof Refusal) return side
  const quantity = requireQuantity(parameters, 'quantity', symbol)
  if (quantity instanceof Refusal) return quantity
  return readPair({ parameters, symbol, side, quantity, isPending: false }, 'above', 'below')
}

function readWithPending(
  parameters: Parameters,
  symbol: TradingSymbol,
  list: 'OTO' | 'OTOCO',
): readonly ListLeg[] | Refusal {
  const workingSide = requireSupportedWord(parameters, 'workingSide', SIDES)
  if (workingSide instanceof Refusal) return workingSide
  const workingQuantity = requireQuantity(parameters, 'workingQuantity', symbol)
  if (workingQuantity instanceof Refusal) return workingQuantity
  const placed = { parameters, symbol, side: workingSide, quantity: workingQuantity, isPending: false }
  const working = readLeg(placed, 'working', WORKING_TYPES)
  if (working instanceof Refusal) return working
  const side = requireSupportedWord(parameters, 'pendingSide', SIDES)
  if (side instanceof Refusal) return side
  const quantity = readQuantity(parameters, 'pendingQuantity', symbol)
  if (quantity instanceof Refusal) return quantity
  const form: LegForm = { parameters, symbol, side, quantity, isPending: true }
  const pending = list === 'OTO' ? readPending(form) : readPair(form, 'pendingAbove', 'pendingBelow')
  if (pending instanceof Refusal) return pending
  const needsReceived = pending.some((leg) => leg.quantity === undefined || isBoundByTotal(leg))
  if (needsReceived && side === workingSide) {
    return refuse('INVALID_PARAMETER', { name: 'pendingSide', expected: OTHER_SIDE })
  }
  return [working, ...pending]
}

function readPending(form: LegForm): readonly ListLeg[] | Refusal {
  const leg = readLeg(form, 'pending', ORDER_TYPES)
  return leg instanceof Refusal ? leg : [leg]
}

/** The common fields of a list's orders, and whether they are placed only after another is filled. */
type LegForm = {
  readonly parameters: Parameters
  readonly symbol: TradingSymbol
  readonly side: Side
  readonly quantity: Lots | undefined
  readonly isPending: boolean
}

/** Reads a pair: in a SELL pair the order above takes the profit, in a BUY pair the one below. */
function readPair(form: LegForm, abovePrefix: string, belowPrefix: string): readonly ListLeg[] | Refusal {
  const [aboveTypes, belowTypes] =
    form.side === 'SELL' ? [PROFIT_TYPES, LOSS_TYPES] : [LOSS_TYPES, PROFIT_TYPES]
  const above = readLeg(form, abovePrefix, aboveTypes)
  if (above instanceof Refusal) return above
  const below = readLeg(form, belowPrefix, belowTypes)
  return below instanceof Refusal ? below : [above, below]
}

function readLeg(form: LegForm, prefix: string, types: readonly OrderType[]): ListLeg | Refusal {
  const { parameters, symbol, side, quantity } = form
  const type = requireSupportedWord(parameters, `${prefix}Type`, types)
  if (type instanceof Refusal) return type
  const timeInForce = readTimeInForce(parameters, `${prefix}TimeInForce`, type)
  if (timeInForce instanceof Refusal) return timeInForce
  const limit = readTaken(parameters, `${prefix}Price`, symbol, type, hasLimit(type))
  if (limit instanceof Refusal) return limit
  const trigger = readLegTrigger(form, prefix, type)
  if (trigger instanceof Refusal) return trigger
  const total = form.isPending ? undefined : readTotal(form, `${prefix}Total`, type)
  if (total instanceof Refusal) return total
  const clientOrderId = readClientOrderId(parameters, `${prefix}ClientOrderId`)
  if (clientOrderId instanceof Refusal) return clientOrderId
  return { type, side, timeInForce, price: limit, ...trigger, quantity, total, clientOrderId }
}

/** The trigger of an order of a waiting type; other types accept none. */
function readLegTrigger(
  { parameters, symbol }: LegForm,
  prefix: string,
  type: OrderType,
): OrderTrigger | { readonly stopPrice: undefined } | Refusal {
  const names = [`${prefix}StopPrice`, `${prefix}TrailingDelta`] as const
  if (isStopType(type)) return readTrigger(parameters, symbol, ...names)
  const name = names.find((each) => parameters.has(each))
  return name === undefined ? { stopPrice: undefined } : refuse('PARAMETER_NOT_TAKEN', { name, type })
}

function hasLimit(type: OrderType): boolean {
  return type === 'LIMIT' || type === 'LIMIT_MAKER' || type.endsWith('_LIMIT')
}

function isBoundByTotal({ side, type }: Pick<ListLeg, 'side' | 'type'>): boolean {
  return side === 'BUY' && !hasLimit(type)
}

function readTimeInForce(
  parameters: Parameters,
  name: string,
  type: OrderType,
): TimeInForce | undefined | Refusal {
  if (!takesTimeInForce(type))
    return parameters.has(name) ? refuse('PARAMETER_NOT_TAKEN', { name, type }) : undefined
  return readSupportedWord(parameters, name, LIST_TIMES) ?? 'GTC'
}

/** Reads a price that the type requires, or refuses one that it does not accept. */
function readTaken(
  parameters: Parameters,
  name: string,
  { quoteFraction }: TradingSymbol,
  type: OrderType,
  isNeeded: boolean,
): Price | undefined | Refusal {
  if (!isNeeded) return parameters.has(name) ? refuse('PARAMETER_NOT_TAKEN', { name, type }) : undefined
  const ticks = readUnits(parameters, name, quoteFraction)
  if (ticks instanceof Refusal) return ticks
  return ticks === undefined ? refuse('MISSING_PARAMETER', { name }) : price(ticks)
}

/** The amount that a buy order without a price limit may spend. */
function readTotal(
  { parameters, symbol, side }: LegForm,
  name: string,
  type: OrderType,
): Amount | undefined | Refusal {
  if (!isBoundByTotal({ side, type })) {
    return parameters.has(name) ? refuse('PARAMETER_NOT_TAKEN', { name, type: `${type} ${side}` }) : undefined
  }
  return readAmount(parameters, name, symbol.quotePrecision) ?? refuse('MISSING_PARAMETER', { name })
}

function readQuantity(
  parameters: Parameters,
  name: string,
  { baseFraction }: TradingSymbol,
): Lots | undefined | Refusal {
  const units = readUnits(parameters, name, baseFraction)
  return units === undefined || units instanceof Refusal ? units : lots(units)
}

function requireQuantity(parameters: Parameters, name: string, symbol: TradingSymbol): Lots | Refusal {
  return readQuantity(parameters, name, symbol) ?? refuse('MISSING_PARAMETER', { name })
}

const PREFIXES = {
  OCO: ['above', 'below'],
  OTO: ['working', 'pending'],
  OTOCO: ['working', 'pendingAbove', 'pendingBelow'],
} as const satisfies Record<ListKind, readonly string[]>

/** The refusal of an id that is given twice: all ids of a list must be different. */
function repeatedId(
  legs: readonly ListLeg[],
  listClientOrderId: string | undefined,
  list: ListKind,
): Refusal | undefined {
  const given = new Set([listClientOrderId])
  for (const [place, { clientOrderId }] of legs.entries()) {
    if (clientOrderId !== undefined && given.has(clientOrderId)) {
      const name = `${PREFIXES[list][place]}ClientOrderId`
      return refuse('INVALID_PARAMETER', { name, expected: ANOTHER_ID })
    }
    given.add(clientOrderId)
  }
  return undefined
}
