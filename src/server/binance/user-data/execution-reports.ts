/**
 * The events of one command for an account, with Binance's field names: for each order one NEW, one TRADE for
 * each fill in order with its own cumulative figures, then its end; then the balances, once.
 */

import { orderMembers } from '../../../contract/api/order-object.ts'
import type { ExchangeEvent } from '../../../core/events/event.ts'
import type { OpenOrder } from '../../../core/questions/view.ts'
import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { HistoryOrder } from '../../../engine/history/order-history.ts'
import type { AccountUpdate, TradeRecord } from '../../../engine/port/ports.ts'
import type { OrderNumber } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { budgetAfter, notionalSum, worthOf } from '../../../units/notional.ts'
import type { Notional, TimeMs } from '../../../units/quantities.ts'
import { add } from '../../../units/whole.ts'
import type { RegistryView } from '../../../views/registry.ts'
import { ledgerTotal, scaleOf } from '../../description/order-figures.ts'
import { askedOfOpen, endedObject, openObject } from '../../description/order-objects.ts'
import { isConditional, orderStatus, type WireOrderStatus } from '../orders/order-status.ts'
import { clientIdOf, orderHead, type ShownMembers } from '../orders/wire-order.ts'
import { padded, paddedText } from '../wire/padded.ts'

/** An event of a command that an update does not show, since updates contain only states. */
export type Note = Extract<
  ExchangeEvent,
  { kind: 'OrderTriggered' | 'OrderActivated' | 'OrderAmended' | 'OrderDecremented' | 'ExternalTransfer' }
>

export type ReportParts = {
  readonly registry: RegistryView
  /** Orders with a higher number were placed by this command. */
  readonly known: OrderNumber
  /** The notes on the account from this command, in their order. */
  readonly notes: readonly Note[]
  readonly now: TimeMs
}

/** An order of an update, in its state after the command. */
type Touched = {
  readonly number: OrderNumber
  readonly symbol: TradingSymbol
  readonly shown: ShownMembers
  readonly isEnded: boolean
  /** Quantity in lots and worth of the fills reported so far; at first those before the command. */
  quantity: number
  worth: Notional
  /** Number of fills of the command that are not reported yet. */
  left: number
}

/** Common to all reports of a command. */
type At = Pick<AccountUpdate, 'seq' | 'time'> & Pick<ReportParts, 'registry' | 'now'>

/** The part of a report that depends on its kind. */
type Kind = {
  /** The kind of change. */
  readonly x: 'NEW' | 'TRADE' | 'REPLACED' | 'CANCELED' | 'EXPIRED' | 'TRADE_PREVENTION'
  readonly X: WireOrderStatus
  readonly isWorking: boolean
  readonly fill?: TradeRecord
  readonly more?: object | undefined
}

const ZERO = '0.00000000'

/** `lists`: the events about lists, between those of orders and of balances. */
export function* eventsOf(
  update: AccountUpdate,
  { registry, known, notes, now }: ReportParts,
  lists: Iterable<object> = [],
): Generator<object, void> {
  const { seq, time, fills } = update
  const at = { registry, now, seq, time }
  const orders = touchedBy(update, registry)
  for (const order of orders.values()) if (order.number > known) yield placed(order, notes, at)
  for (const note of notes) {
    const order = note.kind === 'ExternalTransfer' ? undefined : orders.get(note.orderNumber)
    const kind = order && changed(note, order)
    if (order !== undefined && kind !== undefined) yield report(order, kind, at)
  }
  for (const fill of fills) yield traded(fill, orders, at)
  for (const order of orders.values())
    if (order.isEnded && order.shown.status === 'CANCELED') yield canceled(order, at)
  yield* lists
  yield* balanceEvents(update, notes, at)
}

/** The orders of an update by number, in the order in which they were placed. */
function touchedBy(
  { open, ended, fills }: AccountUpdate,
  registry: RegistryView,
): ReadonlyMap<OrderNumber, Touched> {
  const symbolOf = ({ symbolId }: Pick<OpenOrder, 'symbolId'>): TradingSymbol => {
    const symbol = registry.symbol(symbolId)
    invariant(symbol !== undefined, () => `an order has symbol ${symbolId}, which is not listed`)
    return symbol
  }
  const found = [
    ...open.map((order) => openOrder(order, symbolOf(order), registry)),
    ...ended.map((order) => endedOrder(order, symbolOf(order), registry)),
  ].toSorted((a, b) => a.number - b.number)
  const byNumber = new Map(found.map((order) => [order.number, order] as const))
  for (const { orderNumber, price, quantity } of fills) {
    const order = byNumber.get(orderNumber)
    if (order === undefined) continue
    order.quantity -= quantity
    order.worth = budgetAfter(order.worth, worthOf(price, quantity))
    order.left++
  }
  return byNumber
}

function openOrder(order: OpenOrder, symbol: TradingSymbol, registry: RegistryView): Touched {
  const asked = askedOfOpen(order)
  const shown = orderMembers(openObject({ ...order, ...asked }, symbol, registry), symbol)
  const { orderNumber: number, executedQuantity: quantity, executedNotional: worth } = order
  return { number, symbol, shown, isEnded: false, quantity, worth, left: 0 }
}

function endedOrder(order: HistoryOrder, symbol: TradingSymbol, registry: RegistryView): Touched {
  const shown = orderMembers(endedObject(order, symbol, registry), symbol)
  const { orderNumber: number, end } = order
  invariant(end !== undefined, () => `order ${number} has not ended`)
  const { executedQuantity: quantity, executedNotional: worth } = end
  return { number, symbol, shown, isEnded: true, quantity, worth, left: 0 }
}

function report(order: Touched, { x, X, isWorking, fill, more }: Kind, at: At): object {
  const { shown, symbol } = order
  const name = binanceNameOf(symbol)
  const { orderId, orderListId } = orderHead(shown, name)
  const clientId = clientIdOf(shown)
  const { baseFraction, quoteFraction, quotePrecision } = symbol
  const asset = fill && at.registry.asset(fill.commissionAssetId)
  return {
    ...{ e: 'executionReport', E: at.now, s: name, c: clientId, S: shown.side, o: shown.type },
    f: shown.timeInForce === undefined || shown.timeInForce === 'GTD' ? 'GTC' : shown.timeInForce,
    ...{ q: figure(shown.quantity), p: figure(shown.price), P: figure(shown.stopPrice) },
    ...{ F: figure(shown.visibleQuantity), g: orderListId, C: x === 'CANCELED' ? clientId : '' },
    ...{ x, X, r: 'NONE', i: orderId },
    l: fill === undefined ? ZERO : padded(fill.quantity, baseFraction),
    z: padded(order.quantity, baseFraction),
    L: fill === undefined ? ZERO : padded(fill.price, quoteFraction),
    n: fill === undefined || asset === undefined ? '0' : padded(fill.commission, asset.fraction),
    N: asset?.code ?? null,
    ...{ T: at.time, t: fill?.symbolTrade ?? -1, I: at.seq, w: isWorking, m: fill?.isMaker ?? false },
    ...{ M: fill !== undefined, O: shown.createdAt, Z: totalOf(order) },
    Y: fill === undefined ? ZERO : padded(fill.total, quotePrecision),
    Q: figure(shown.total),
    ...(isWorking ? { W: shown.createdAt } : {}),
    ...(shown.trailingDelta === undefined ? {} : { d: shown.trailingDelta, D: shown.trailingTime ?? -1 }),
    V: shown.selfTradePreventionMode ?? 'NONE',
    ...more,
  }
}

function figure(text: string | 0 | undefined): string {
  return paddedText(text || '0')
}

/** The quote amount of the fills reported so far. */
function totalOf({ worth, symbol, shown }: Touched): string {
  const side = shown.side === 'BUY' ? 'BUY' : 'SELL'
  return padded(ledgerTotal(worth, side, scaleOf(symbol)), symbol.quotePrecision)
}

/** The order as it was placed: the command may have filled, changed or ended it already. */
function placed({ number, ...order }: Touched, notes: readonly Note[], at: At): object {
  const isOf = (note: Note): boolean => 'orderNumber' in note && note.orderNumber === number
  const waits = order.shown.isWorking === false && !isConditional(order.shown)
  const isPending = waits || notes.some((note) => note.kind === 'OrderActivated' && isOf(note))
  const X = isPending ? 'PENDING_NEW' : 'NEW'
  return report(
    { number, ...order },
    { x: 'NEW', X, isWorking: !isPending && !isConditional(order.shown) },
    at,
  )
}

/** Undefined if the event causes no report of its own. */
function changed(note: Note, order: Touched): Kind | undefined {
  const X = order.quantity > 0 ? 'PARTIALLY_FILLED' : 'NEW'
  switch (note.kind) {
    case 'OrderTriggered':
      return { x: 'NEW', X, isWorking: true }
    case 'OrderActivated':
      return { x: 'NEW', X, isWorking: !isConditional(order.shown) }
    case 'OrderAmended':
      return { x: 'REPLACED', X, isWorking: true }
    case 'OrderDecremented':
      return order.isEnded
        ? undefined
        : { x: 'TRADE_PREVENTION', X, isWorking: true, more: prevented(order.shown) }
    case 'ExternalTransfer':
      return undefined
  }
}

function prevented({ preventedQuantity }: ShownMembers): object {
  return { A: figure(preventedQuantity) }
}

function traded(fill: TradeRecord, orders: ReadonlyMap<OrderNumber, Touched>, at: At): object {
  const order = orders.get(fill.orderNumber)
  invariant(order !== undefined, () => `an update has a fill of order ${fill.orderNumber} but not the order`)
  order.quantity += fill.quantity
  order.worth = notionalSum(order.worth, worthOf(fill.price, fill.quantity))
  order.left--
  const isFilled = order.left === 0 && order.shown.status === 'FILLED'
  return report(
    order,
    { x: 'TRADE', X: isFilled ? 'FILLED' : 'PARTIALLY_FILLED', isWorking: !isFilled, fill },
    at,
  )
}

/** The reason why an order expired, if Binance has a word for it. */
const EXPIRY: Readonly<Record<string, string>> = {
  IOC: 'UNFILLED_IOC_QUANTITY_EXPIRED',
  MARKET_REMAINDER: 'INSUFFICIENT_LIQUIDITY',
  OPERATOR: 'EXCHANGE_CANCELED',
  TRIGGER_REFUSED: 'REJECTED',
  PENDING_REFUSED: 'REJECTED',
}

function canceled(order: Touched, at: At): object {
  const X = orderStatus(order.shown)
  const isWorking = false
  if (X === 'EXPIRED_IN_MATCH')
    return report(order, { x: 'TRADE_PREVENTION', X, isWorking, more: prevented(order.shown) }, at)
  if (X !== 'EXPIRED') return report(order, { x: 'CANCELED', X, isWorking }, at)
  const eR = EXPIRY[order.shown.endReason ?? '']
  return report(order, { x: 'EXPIRED', X, isWorking, more: eR === undefined ? undefined : { eR } }, at)
}

function* balanceEvents(
  { balances }: AccountUpdate,
  notes: readonly Note[],
  { registry, now, time }: At,
): Generator<object, void> {
  if (balances.length === 0) return
  const B = balances.flatMap(({ assetId, free, locked, freeze }) => {
    const asset = registry.asset(assetId)
    if (asset === undefined) return []
    const { code, fraction } = asset
    return [{ a: code, f: padded(free, fraction), l: padded(add(locked, freeze), fraction) }]
  })
  yield { e: 'outboundAccountPosition', E: now, u: time, B }
  for (const note of notes) {
    const asset = note.kind === 'ExternalTransfer' ? registry.asset(note.assetId) : undefined
    if (note.kind !== 'ExternalTransfer' || asset === undefined) continue
    yield { e: 'balanceUpdate', E: now, a: asset.code, d: padded(note.amount, asset.fraction), T: time }
  }
}
