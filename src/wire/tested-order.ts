/** What a test of an order says (docs/reference/extensions.md#order-test): every decimal an exact string. */
import { plainDecimal } from '../units/decimal.ts'
import type { Uuid } from '../units/ids.ts'
import type { OrderStatus, OrderType, SelfTradeMode, Side, TimeInForce } from '../units/order-words.ts'
import type { Amount, Decimals, Lots, Price, TimeMs } from '../units/quantities.ts'
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'

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
  /** These five as asked. */
  readonly price: Price | undefined
  readonly stopPrice: Price | undefined
  readonly expireTime: TimeMs | undefined
  readonly quantity: Lots | undefined
  readonly total: Amount | undefined
  /** Of an order that shows one part of itself at a time: how much. */
  readonly visibleQuantity: Lots | undefined
  readonly status: OrderStatus
  readonly endReason: string | undefined
  readonly executedQuantity: Lots
  readonly executedTotal: Amount
  /** Of one base asset; undefined: nothing would be executed. */
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
  en: 'The order was placed before; it would be answered as it was then.',
  tr: 'Emir daha önce verilmiş; o zamanki gibi yanıtlanırdı.',
})

/** `status` and what was executed are those of the moment when it was placed. */
export function repeatedOrderBody(order: RepeatedFigures, symbol: TestedSymbol, language: Language): string {
  const { averagePrice } = order
  const data = {
    isRepeat: true,
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
  return successBody(REPEATED, language, JSON.stringify(data))
}

const TESTED = successHeads({
  en: 'The order has been tested; nothing was placed.',
  tr: 'Emir sınandı; hiçbir emir verilmedi.',
})

export function testedOrderBody(order: TestedFigures, symbol: TestedSymbol, language: Language): string {
  const { side } = order
  const isBuy = side === 'BUY'
  const price = (ticks: Price | undefined) =>
    ticks === undefined ? undefined : plainDecimal(ticks, symbol.quoteFraction)
  const quantity = (lots: Lots | undefined) =>
    lots === undefined ? undefined : plainDecimal(lots, symbol.baseFraction)
  const base = (units: Amount) => plainDecimal(units, symbol.basePrecision)
  const quote = (units: Amount) => plainDecimal(units, symbol.quotePrecision)
  const received = isBuy ? base : quote
  const data = {
    symbol: symbol.name,
    side,
    type: order.type,
    timeInForce: order.timeInForce,
    price: price(order.price),
    stopPrice: price(order.stopPrice),
    quantity: quantity(order.quantity),
    visibleQuantity: quantity(order.visibleQuantity),
    total: order.total === undefined ? undefined : quote(order.total),
    selfTradePreventionMode: order.selfTradeMode,
    expireTime: order.expireTime,
    status: order.status,
    endReason: order.endReason,
    executedQuantity: quantity(order.executedQuantity),
    executedTotal: quote(order.executedTotal),
    averagePrice: order.averagePrice === undefined ? undefined : quote(order.averagePrice),
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
  return successBody(TESTED, language, JSON.stringify(data))
}
