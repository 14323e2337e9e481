/**
 * The parameters of a new order (docs/reference/http.md#new-order): those needed for each type and side, and
 * those of other exchanges that are refused by name (docs/reference/http.md#parameters-that-are-refused), so
 * that a stop or post-only order never silently becomes a resting one.
 */

import { parameterNames } from '../../contract/endpoints/endpoints.ts'
import { CLIENT_ORDER_ID, oneOf } from '../../contract/expectations.ts'
import type {
  LimitOrder,
  MarketBuyOrder,
  MarketBuyQuantityOrder,
  MarketSellOrder,
  OrderFigures,
  OrderTrigger,
  PlaceOrder,
} from '../../core/commands/orders.ts'
import { triggerOf } from '../../core/commands/place-order-codec.ts'
import { quoteScale, receivedFor } from '../../core/ledger/money.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import { isClientOrderId } from '../../units/client-order-id.ts'
import { parseDecimal, parseShortDecimal } from '../../units/decimal.ts'
import { AMOUNT_MAX, TRAILING_DELTA_MAX, TRAILING_DELTA_MIN } from '../../units/limits.ts'
import { worthOf } from '../../units/notional.ts'
import type { OrderType, Side, StopType, TimeInForce } from '../../units/order-enums.ts'
import {
  isStopType,
  ORDER_TYPES,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
  takesTimeInForce,
} from '../../units/order-enums.ts'
import {
  type Amount,
  amount,
  type Decimals,
  type Lots,
  lots,
  notional,
  type Price,
  price,
  type TimeMs,
  UNITS_MAX,
} from '../../units/quantities.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import type { Parameters } from '../common/parameters.ts'
import { readDecimal, readOptional, readTime, readWholeNumber, readWord } from '../common/read.ts'
import { Refusal, refuse } from '../common/refusal.ts'

/**
 * Forms of the answer to a placement; without one, the answer has the interface's own form
 * (docs/reference/orders.md#answer-to-a-placement).
 */
const RESPONSE_TYPES = ['RESULT', 'FULL'] as const
export type ResponseType = (typeof RESPONSE_TYPES)[number]

export function readResponseType(parameters: Parameters): ResponseType | undefined | Refusal {
  return readWord(parameters, 'newOrderRespType', RESPONSE_TYPES)
}

const NEW_ORDER_NAMES = parameterNames('newOrder')
const OURS_BY_LOWER_CASE = new Map([...NEW_ORDER_NAMES].map((name) => [name.toLowerCase(), name]))

/** Parameters of Binance's that would change what an order means, in lower case. */
const UNSUPPORTED_NAMES = new Set(
  [
    'quoteOrderQty strategyId strategyType',
    'pegPriceType pegOffsetValue pegOffsetType cancelReplaceMode goodTillDate postOnly reduceOnly closePosition',
    'positionSide workingType activationPrice callbackRate priceMatch priceProtect sideEffectType isIsolated',
    'autoRepayAtCancel clientOrderId listClientOrderId stopLimitPrice stopLimitTimeInForce limitIcebergQty',
    // Parameters of other requests: a test of an order must not place one, nor a replacement only place; a
    // deadline belongs to order entry.
    'test cancelRestrictions deadline',
  ].flatMap((line) => line.toLowerCase().split(' ')),
)

/** Values of Binance's that we do not support, by parameter, in upper case. */
const UNSUPPORTED_VALUES: Readonly<Record<string, readonly string[]>> = {
  type: ['STOP', 'STOP_LIMIT', 'STOP_MARKET', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET', 'OCO'],
  timeInForce: ['GTX', 'RPI'],
  selfTradePreventionMode: ['TRANSFER'],
}

/** Basis points; left out, the order does not follow the price. */
const DELTAS = { min: TRAILING_DELTA_MIN, max: TRAILING_DELTA_MAX, fallback: 0 }

const UNITS_LIMIT = BigInt(UNITS_MAX)

/** Refuses an unsupported or misspelled parameter of a new order. */
export function checkNewOrderName(name: string): Refusal | undefined {
  if (NEW_ORDER_NAMES.has(name)) return undefined
  const lower = name.toLowerCase()
  if (UNSUPPORTED_NAMES.has(lower)) return refuse('UNSUPPORTED_PARAMETER', { name })
  const ours = OURS_BY_LOWER_CASE.get(lower)
  return ours === undefined ? undefined : refuse('MISSPELLED_PARAMETER', { name, expected: ours })
}

/** The account that places an order, its key and its session. */
export type OrderOwner = Pick<PlaceOrder, 'accountId' | 'sessionNumber' | 'keyNumber'> & {
  /** Whether a MARKET BUY may specify only its quantity; in the contract it needs a total. */
  readonly buysByQuantity?: boolean
}

/** Reads everything else of a new order in `symbol`. */
export function readNewOrder(
  parameters: Parameters,
  symbol: TradingSymbol,
  { accountId, sessionNumber, keyNumber, buysByQuantity = false }: OrderOwner,
): PlaceOrder | Refusal {
  const side = requireSupportedWord(parameters, 'side', SIDES)
  if (side instanceof Refusal) return side
  const type = requireSupportedWord(parameters, 'type', ORDER_TYPES)
  if (type instanceof Refusal) return type
  const timeInForce = readTimeInForce(parameters, type)
  if (timeInForce instanceof Refusal) return timeInForce
  const selfTradeMode = readSupportedWord(parameters, 'selfTradePreventionMode', SELF_TRADE_MODES)
  if (selfTradeMode instanceof Refusal) return selfTradeMode
  const clientOrderId = readClientOrderId(parameters, 'newClientOrderId')
  if (clientOrderId instanceof Refusal) return clientOrderId
  const figures =
    boughtQuantity(parameters, symbol, side, type, buysByQuantity) ??
    readFigures(parameters, symbol, side, type, timeInForce)
  if (figures instanceof Refusal) return figures
  return {
    // First: fields that are spread after others are copied one by one (`npm run bench -- order-to-ack`).
    ...figures,
    kind: 'PlaceOrder',
    accountId,
    symbolId: symbol.id,
    selfTradeMode,
    clientOrderId,
    sessionNumber,
    keyNumber,
  }
}

/** A client order id (docs/reference/client-order-ids.md#the-id). */
export function readClientOrderId(parameters: Parameters, name: string): string | undefined | Refusal {
  const text = readOptional(parameters, name)
  if (text === undefined || text instanceof Refusal || isClientOrderId(text)) return text
  return refuse('INVALID_PARAMETER', { name, expected: CLIENT_ORDER_ID })
}

function readFigures(
  parameters: Parameters,
  symbol: TradingSymbol,
  side: Side,
  type: OrderType,
  timeInForce: TimeInForce | undefined,
): OrderFigures | Refusal {
  const expireTime = readExpireTime(parameters, type, timeInForce)
  if (expireTime instanceof Refusal) return expireTime
  const figures = untimedFigures(parameters, symbol, side, type, timeInForce)
  if (figures instanceof Refusal || expireTime === undefined) return figures
  return figures.timeInForce === undefined ? figures : { ...figures, expireTime }
}

/** The figures of an order without the time at which it ends. */
function untimedFigures(
  parameters: Parameters,
  symbol: TradingSymbol,
  side: Side,
  type: OrderType,
  timeInForce: TimeInForce | undefined,
): OrderFigures | Refusal {
  const icebergQuantity = readIcebergQuantity(parameters, symbol, type, timeInForce)
  if (icebergQuantity instanceof Refusal) return icebergQuantity
  if (isStopType(type)) return stopFigures(parameters, symbol, side, type, timeInForce)
  for (const name of ['stopPrice', 'trailingDelta']) {
    if (parameters.has(name)) return refuse('PARAMETER_NOT_TAKEN', { name, type })
  }
  if (type === 'MARKET') return marketFigures(parameters, symbol, side)
  const figures = limitFigures(parameters, symbol)
  if (figures instanceof Refusal) return figures
  // Field by field: nearly all orders take this path, and a spread is copied by a call.
  const { price: limit, quantity, total } = figures
  return type === 'LIMIT'
    ? { price: limit, quantity, total, type, side, timeInForce: timeInForce ?? 'GTC', icebergQuantity }
    : { price: limit, quantity, total, type, side, icebergQuantity }
}

/** The visible quantity of an order that may rest; undefined if all of it is visible. */
function readIcebergQuantity(
  parameters: Parameters,
  symbol: TradingSymbol,
  type: OrderType,
  timeInForce: TimeInForce = 'GTC',
): Lots | undefined | Refusal {
  if (!parameters.has('icebergQty')) return undefined
  const rests = timeInForce === 'GTC' || timeInForce === 'GTD'
  const mayRest = type === 'LIMIT_MAKER' || (type === 'LIMIT' && rests)
  if (!mayRest) {
    const taken = type === 'LIMIT' ? `${type} ${timeInForce}` : type
    return refuse('PARAMETER_NOT_TAKEN', { name: 'icebergQty', type: taken })
  }
  const units = readUnits(parameters, 'icebergQty', symbol.baseFraction)
  return typeof units === 'number' ? lots(units) : units
}

/** The trigger, and the figures of the later form of the order: a LIMIT order, or one at any price. */
function stopFigures(
  parameters: Parameters,
  symbol: TradingSymbol,
  side: Side,
  type: StopType,
  timeInForce: TimeInForce | undefined,
): OrderFigures | Refusal {
  const trigger = readTrigger(parameters, symbol, 'stopPrice', 'trailingDelta')
  if (trigger instanceof Refusal) return trigger
  if (type === 'STOP_LOSS_LIMIT' || type === 'TAKE_PROFIT_LIMIT') {
    const figures = limitFigures(parameters, symbol)
    if (figures instanceof Refusal) return figures
    return { type, side, timeInForce: timeInForce ?? 'GTC', ...trigger, ...figures }
  }
  if (parameters.has('price')) return refuse('PARAMETER_NOT_TAKEN', { name: 'price', type })
  if (side === 'SELL' && parameters.has('total')) {
    return refuse('PARAMETER_NOT_TAKEN', { name: 'total', type: `${type} ${side}` })
  }
  const figures = marketFigures(parameters, symbol, side)
  if (figures instanceof Refusal) return figures
  return figures.side === 'BUY'
    ? { type, side: 'BUY', total: figures.total, quantity: figures.quantity, ...trigger }
    : { type, side: 'SELL', quantity: figures.quantity, ...trigger }
}

/** A price to wait for, a distance at which to follow the price, or both. */
export function readTrigger(
  parameters: Parameters,
  { quoteFraction }: TradingSymbol,
  stopName: string,
  deltaName: string,
): OrderTrigger | Refusal {
  const ticks = readUnits(parameters, stopName, quoteFraction)
  if (ticks instanceof Refusal) return ticks
  const delta = parameters.has(deltaName) ? readWholeNumber(parameters, deltaName, DELTAS) : undefined
  if (delta instanceof Refusal) return delta
  const stopPrice = ticks === undefined ? undefined : price(ticks)
  const trailingDelta = delta as TrailingDelta | undefined
  return triggerOf(stopPrice, trailingDelta) ?? refuse('MISSING_PARAMETER', { name: stopName })
}

type LimitFigures = Pick<LimitOrder, 'price' | 'quantity' | 'total'>

/** An order with a limit needs quantity and price; a total, if sent, is compared with their product. */
function limitFigures(parameters: Parameters, symbol: TradingSymbol): LimitFigures | Refusal {
  const quantity = readUnits(parameters, 'quantity', symbol.baseFraction)
  if (quantity instanceof Refusal) return quantity
  if (quantity === undefined) return refuse('MISSING_PARAMETER', { name: 'quantity' })
  const ticks = readUnits(parameters, 'price', symbol.quoteFraction)
  if (ticks instanceof Refusal) return ticks
  if (ticks === undefined) return refuse('MISSING_PARAMETER', { name: 'price' })
  const figures = { price: price(ticks), quantity: lots(quantity) }
  const total = readLimitTotal(parameters, symbol, figures.price, figures.quantity)
  if (total instanceof Refusal) return total
  return { price: figures.price, quantity: figures.quantity, total }
}

/** A MARKET BUY with only a quantity, where that is accepted; undefined for any other order. */
function boughtQuantity(
  parameters: Parameters,
  symbol: TradingSymbol,
  side: Side,
  type: OrderType,
  isTaken: boolean,
): MarketBuyQuantityOrder | undefined | Refusal {
  if (!isTaken || type !== 'MARKET' || side !== 'BUY' || parameters.has('total')) return undefined
  const taken = ['price', 'stopPrice', 'trailingDelta', 'icebergQty'].some((name) => parameters.has(name))
  if (taken || !parameters.has('quantity')) return undefined
  const units = readUnits(parameters, 'quantity', symbol.baseFraction)
  if (units === undefined || units instanceof Refusal) return units
  return { type, side, quantity: lots(units) }
}

/**
 * MARKET accepts no price; BUY needs a total, SELL a quantity, and either may have the other as a second
 * bound.
 */
function marketFigures(
  parameters: Parameters,
  symbol: TradingSymbol,
  side: Side,
): MarketBuyOrder | MarketSellOrder | Refusal {
  if (parameters.has('price')) return refuse('PRICE_NOT_ALLOWED', {})
  const units = readUnits(parameters, 'quantity', symbol.baseFraction)
  if (units instanceof Refusal) return units
  const quantity = units === undefined ? undefined : lots(units)
  const total = readAmount(parameters, 'total', symbol.quotePrecision)
  if (total instanceof Refusal) return total
  if (side === 'BUY') {
    if (total === undefined) return refuse('MISSING_PARAMETER', { name: 'total' })
    return { type: 'MARKET', side, total, quantity }
  }
  if (quantity === undefined) return refuse('MISSING_PARAMETER', { name: 'quantity' })
  return { type: 'MARKET', side, quantity, total }
}

/**
 * The total of a LIMIT order in ledger units. One with more decimals than the ledger is accepted if it is
 * price x quantity to the last digit; it is then passed on rounded. The core decides whether it is correct at
 * all.
 */
function readLimitTotal(
  parameters: Parameters,
  symbol: TradingSymbol,
  ticks: Price,
  quantity: Lots,
): Amount | undefined | Refusal {
  const total = readAmount(parameters, 'total', symbol.quotePrecision)
  if (!(total instanceof Refusal)) return total
  if (total.reason !== 'TOO_MANY_DECIMALS') return total
  const { baseFraction, quoteFraction, quotePrecision } = symbol
  const exact = parseDecimal(parameters.get('total') ?? '', (baseFraction + quoteFraction) as Decimals)
  const product = worthOf(ticks, quantity)
  if (typeof exact !== 'bigint' || notional(exact) !== product) return total
  return receivedFor(product, quoteScale(baseFraction, quoteFraction, quotePrecision))
}

/**
 * MARKET never rests, so it accepts only IOC. LIMIT_MAKER, and orders that become MARKET orders when
 * triggered, accept no time in force.
 */
function readTimeInForce(parameters: Parameters, type: OrderType): TimeInForce | undefined | Refusal {
  const timeInForce = readSupportedWord(parameters, 'timeInForce', TIMES_IN_FORCE)
  if (timeInForce === undefined || timeInForce instanceof Refusal) return timeInForce
  if (takesTimeInForce(type)) return timeInForce
  if (type !== 'MARKET') return refuse('PARAMETER_NOT_TAKEN', { name: 'timeInForce', type })
  return timeInForce === 'IOC'
    ? timeInForce
    : refuse('INVALID_PARAMETER', { name: 'timeInForce', expected: oneOf(['IOC']) })
}

/** GTD requires an expiry time and vice versa; resting types without a time in force accept neither. */
function readExpireTime(
  parameters: Parameters,
  type: OrderType,
  timeInForce: TimeInForce | undefined,
): TimeMs | undefined | Refusal {
  const name = 'expireTime'
  const expireTime = readTime(parameters, name)
  if (expireTime instanceof Refusal) return expireTime
  if (timeInForce === 'GTD') return expireTime ?? refuse('MISSING_PARAMETER', { name })
  if (expireTime === undefined) return undefined
  return refuse('PARAMETER_NOT_TAKEN', {
    name,
    type: timeInForce === undefined ? type : `${type} ${timeInForce}`,
  })
}

/** Money in ledger units. */
export function readAmount(
  parameters: Parameters,
  name: string,
  places: Decimals,
): Amount | undefined | Refusal {
  const units = readDecimal(parameters, name, places, AMOUNT_MAX)
  return typeof units === 'bigint' ? amount(units) : units
}

/** A price in ticks or a quantity in lots. */
export function readUnits(
  parameters: Parameters,
  name: string,
  places: Decimals,
): number | undefined | Refusal {
  const text = parameters.isRepeated(name) ? undefined : parameters.get(name)
  const short = text === undefined ? undefined : parseShortDecimal(text, places)
  if (short !== undefined && short > 0) return short
  const units = readDecimal(parameters, name, places, UNITS_LIMIT)
  return typeof units === 'bigint' ? Number(units) : units
}

export function requireSupportedWord<Word extends string>(
  parameters: Parameters,
  name: string,
  words: readonly Word[],
): Word | Refusal {
  return readSupportedWord(parameters, name, words) ?? refuse('MISSING_PARAMETER', { name })
}

/** Like `readWord`, but reports that Binance's other values are not supported. */
export function readSupportedWord<Word extends string>(
  parameters: Parameters,
  name: string,
  words: readonly Word[],
): Word | undefined | Refusal {
  const word = readWord(parameters, name, words)
  if (!(word instanceof Refusal)) return word
  const value = readOptional(parameters, name)
  const isKnown = typeof value === 'string' && UNSUPPORTED_VALUES[name]?.includes(value.toUpperCase())
  return isKnown ? refuse('UNSUPPORTED_VALUE', { name, value, expected: oneOf(words) }) : word
}
