/**
 * The answer to a test of an order (docs/reference/extensions.md#order-test): every decimal an exact string.
 */

import { plainDecimal } from '../../units/decimal.ts'
import type { Uuid } from '../../units/ids.ts'
import {
  type OrderStatus,
  type OrderType,
  SELF_TRADE_MODES,
  type SelfTradeMode,
  type Side,
  type TimeInForce,
} from '../../units/order-enums.ts'
import type { Amount, Decimals, Lots, Price, TimeMs } from '../../units/quantities.ts'
import {
  assetCode,
  clientOrderId,
  component,
  constant,
  decimal,
  either,
  listOf,
  object,
  optional,
  symbolName,
  timeMs,
  uuid,
  whole,
  word,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import { successBody, successHeads } from '../envelope.ts'
import type { Language } from '../language.ts'
import { END_REASON, SIDE, statusOf, TIME_IN_FORCE, TRAILING_DELTA, TYPE } from './order-fields.ts'

const TESTED_ORDER = component(
  'TestedOrder',
  'The outcome that the order would have now; nothing was placed.',
  {
    symbol: symbolName(),
    side: SIDE,
    type: TYPE,
    timeInForce: TIME_IN_FORCE,
    price: optional(decimal()),
    stopPrice: optional(decimal()),
    trailingDelta: TRAILING_DELTA,
    quantity: optional(decimal()),
    visibleQuantity: optional(decimal()),
    total: optional(decimal()),
    selfTradePreventionMode: word(SELF_TRADE_MODES),
    expireTime: optional(timeMs()),
    status: statusOf('The state that it would have after matching.'),
    endReason: END_REASON,
    executedQuantity: decimal(),
    executedTotal: decimal(),
    averagePrice: optional(decimal()),
    commission: decimal(),
    commissionAsset: assetCode(),
    hold: decimal('The amount that would be held for the remainder of the order while it rests or waits.'),
    holdAsset: assetCode(),
    fillCount: whole(),
    fills: listOf(
      object({ price: decimal(), quantity: decimal(), total: decimal(), commission: decimal() }),
      undefined,
      { max: 100 },
    ),
  },
)

const REPEATED_ORDER = component(
  'RepeatedOrder',
  'The answer for an order that was placed before under its client order id.',
  {
    isRepeat: constant(true),
    id: uuid(),
    clientOrderId: optional(clientOrderId()),
    symbol: symbolName(),
    side: SIDE,
    type: TYPE,
    timeInForce: TIME_IN_FORCE,
    status: statusOf(),
    executedQuantity: decimal(),
    executedTotal: decimal(),
    averagePrice: optional(decimal()),
    createdAt: timeMs(),
  },
)

export const TESTED = either(TESTED_ORDER, REPEATED_ORDER)

export type TestedSymbol = {
  readonly name: string
  readonly baseCode: string
  readonly quoteCode: string
  /** Ledger decimals of base and quote asset. */
  readonly basePrecision: Decimals
  readonly quotePrecision: Decimals
  /** Decimals of a quantity and of a price. */
  readonly baseFraction: Decimals
  readonly quoteFraction: Decimals
}

export type TestedFigures = {
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce | undefined
  readonly selfTradeMode: SelfTradeMode
  /** `price` to `total`: as requested. */
  readonly price: Price | undefined
  readonly stopPrice: Price | undefined
  readonly trailingDelta: TrailingDelta | undefined
  readonly expireTime: TimeMs | undefined
  readonly quantity: Lots | undefined
  readonly total: Amount | undefined
  /** For an iceberg order: the part shown at a time. */
  readonly visibleQuantity: Lots | undefined
  readonly status: OrderStatus
  readonly endReason: string | undefined
  readonly executedQuantity: Lots
  readonly executedTotal: Amount
  /** Average price of one unit of the base asset; undefined if nothing would be executed. */
  readonly averagePrice: Amount | undefined
  readonly commission: Amount
  readonly hold: Amount
  readonly fillCount: number
  readonly fills: readonly TestedFillFigures[]
}

export type TestedFillFigures = {
  readonly price: Price
  readonly quantity: Lots
  readonly total: Amount
  readonly commission: Amount
}

/** An order that has been placed under its client order id. */
export type RepeatedFigures = Pick<
  TestedFigures,
  'side' | 'type' | 'timeInForce' | 'status' | 'executedQuantity' | 'executedTotal' | 'averagePrice'
> & { readonly id: Uuid; readonly clientOrderId: string | undefined; readonly time: TimeMs }

const REPEATED = successHeads({
  en: 'The order was placed before; if it is sent again, it gets the same answer as then.',
  tr: 'Emir daha önce verilmiş; yeniden gönderilirse o zamanki yanıtı alır.',
})

/** `status` and the executed figures are those right after its placement. */
export function repeatedOrderBody(order: RepeatedFigures, symbol: TestedSymbol, language: Language): string {
  const { averagePrice } = order
  const data = {
    isRepeat: true as const,
    id: order.id,
    clientOrderId: order.clientOrderId,
    symbol: symbol.name,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    status: order.status,
    executedQuantity: plainDecimal(order.executedQuantity, symbol.baseFraction),
    executedTotal: plainDecimal(order.executedTotal, symbol.quotePrecision),
    averagePrice: averagePrice === undefined ? undefined : plainDecimal(averagePrice, symbol.quotePrecision),
    createdAt: order.time,
  }
  return successBody(REPEATED, language, jsonOf(REPEATED_ORDER, data))
}

const TESTED_HEADS = successHeads({
  en: 'The order has been tested; nothing was placed.',
  tr: 'Emir sınandı; hiçbir emir verilmedi.',
})

export function testedOrderBody(order: TestedFigures, symbol: TestedSymbol, language: Language): string {
  const { side } = order
  const isBuy = side === 'BUY'
  const price = (ticks: Price) => plainDecimal(ticks, symbol.quoteFraction)
  const quantity = (lots: Lots) => plainDecimal(lots, symbol.baseFraction)
  const asked = <Units>(units: Units | undefined, text: (units: Units) => string) =>
    units === undefined ? undefined : text(units)
  const base = (units: Amount) => plainDecimal(units, symbol.basePrecision)
  const quote = (units: Amount) => plainDecimal(units, symbol.quotePrecision)
  const received = isBuy ? base : quote
  const data = {
    symbol: symbol.name,
    side,
    type: order.type,
    timeInForce: order.timeInForce,
    price: asked(order.price, price),
    stopPrice: asked(order.stopPrice, price),
    trailingDelta: order.trailingDelta,
    quantity: asked(order.quantity, quantity),
    visibleQuantity: asked(order.visibleQuantity, quantity),
    total: asked(order.total, quote),
    selfTradePreventionMode: order.selfTradeMode,
    expireTime: order.expireTime,
    status: order.status,
    endReason: order.endReason,
    executedQuantity: quantity(order.executedQuantity),
    executedTotal: quote(order.executedTotal),
    averagePrice: asked(order.averagePrice, quote),
    commission: received(order.commission),
    commissionAsset: isBuy ? symbol.baseCode : symbol.quoteCode,
    hold: (isBuy ? quote : base)(order.hold),
    holdAsset: isBuy ? symbol.quoteCode : symbol.baseCode,
    fillCount: order.fillCount,
    fills: order.fills.map((fill) => ({
      price: price(fill.price),
      quantity: quantity(fill.quantity),
      total: quote(fill.total),
      commission: received(fill.commission),
    })),
  }
  return successBody(TESTED_HEADS, language, jsonOf(TESTED_ORDER, data))
}
