/**
 * The nearest number that the core would accept, reported beside the reason
 * (docs/reference/refusals.md): for the one rule that refused the command, by the limits at
 * the time of the answer.
 */

import type { Nearest } from '../../contract/error-body.ts'
import type { Command } from '../../core/commands/command.ts'
import type { PlaceOrder } from '../../core/commands/orders.ts'
import { isStop } from '../../core/commands/orders.ts'
import type { AskWithdrawal } from '../../core/commands/withdrawals.ts'
import { paidFor, receivedFor } from '../../core/ledger/money.ts'
import type { OpenOrder } from '../../core/questions/view.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import { ICEBERG_PARTS_MAX } from '../../core/trading/iceberg.ts'
import { directionOf } from '../../core/trading/triggers/place-stop.ts'
import { plainDecimal } from '../../units/decimal.ts'
import { EXPIRE_TIME_AHEAD_MAX_MS } from '../../units/limits.ts'
import { worthOf } from '../../units/notional.ts'
import {
  type Amount,
  DECIMALS_MAX,
  type Lots,
  type Price,
  type TimeMs,
  UNITS_MAX,
} from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import { bigintOf } from '../../units/whole.ts'
import { leastQuantity, leastTotal, scaleOf, wholeSteps } from './least-figures.ts'
import type { LimitsView } from './limits-view.ts'
import { refusedOrder } from './refused-order.ts'

/**
 * A suggested time that must be in the future is this far ahead, so that it still is when the client sends
 * it.
 */
const RECV_WINDOW_MS = 5_000

type Find = (order: PlaceOrder, symbol: TradingSymbol, view: LimitsView) => Nearest | undefined

/** Undefined if the reason does not concern a number, or if no number would be accepted. */
export function nearestValue(reason: CoreReason, command: Command, view: LimitsView): Nearest | undefined {
  if (command.kind === 'AskWithdrawal') return nearestAmount(reason, command, view)
  const find = FINDS[reason]
  const refused = find === undefined ? undefined : refusedOrder(reason, command, view)
  if (find === undefined || refused === undefined) return undefined
  const nearest = find(refused.order, refused.symbol, view)
  return nearest && { parameter: refused.nameOf(nearest.parameter), value: nearest.value }
}

/** The asset's limit that a refused withdrawal violated. */
function nearestAmount(
  reason: CoreReason,
  { asset: code }: AskWithdrawal,
  { registry }: LimitsView,
): Nearest | undefined {
  const asset = registry.assetByCode(code)
  const limits = { WITHDRAWAL_TOO_SMALL: asset?.withdrawMin, WITHDRAWAL_TOO_LARGE: asset?.withdrawMax }
  const limit = limits[reason as keyof typeof limits]
  if (asset === undefined || limit === undefined) return undefined
  return { parameter: 'amount', value: plainDecimal(limit, asset.fraction) }
}

const FINDS: Partial<Record<CoreReason, Find>> = {
  QUANTITY_TOO_SMALL: (_order, symbol) =>
    quantity('quantity', wholeSteps(symbol.minQuantity, symbol), symbol),
  PRICE_NOT_ON_TICK: ({ price, stopPrice }, symbol) => {
    const off = (given: Price | undefined) => given !== undefined && given % tickSizeOf(symbol) !== 0
    if (stopPrice !== undefined && off(stopPrice))
      return ticks('stopPrice', onTick(stopPrice, symbol), symbol)
    return price !== undefined && off(price) ? ticks('price', onTick(price, symbol), symbol) : undefined
  },
  QUANTITY_NOT_ON_STEP: ({ quantity: lots, icebergQuantity: part, price }, symbol) => {
    const least =
      price === undefined
        ? wholeSteps(Math.max(1, symbol.minQuantity) as Lots, symbol)
        : leastQuantity(price, symbol)
    if (lots !== undefined && lots % stepSizeOf(symbol) !== 0)
      return quantity('quantity', onStep(lots, least, symbol), symbol)
    return part === undefined ? undefined : quantity('icebergQty', onStep(part, least, symbol), symbol)
  },
  TOTAL_TOO_SMALL: (order, symbol) => {
    if (order.price === undefined) return total(leastTotal(symbol), symbol)
    return quantity('quantity', leastQuantity(order.price, symbol), symbol)
  },
  TOTAL_MISMATCH: ({ total: sent, price, quantity: lots }, symbol) => {
    if (sent === undefined || price === undefined || lots === undefined) return undefined
    const worth = worthOf(price, lots)
    const [low, high] = [receivedFor(worth, scaleOf(symbol)), paidFor(worth, scaleOf(symbol))]
    const isLow = bigintOf(sent) <= bigintOf(low) && low > 0
    return total(isLow ? low : high, symbol)
  },
  PRICE_OUT_OF_BAND: ({ price, stopPrice }, symbol) => {
    const { priceBand: band } = symbol
    if (band === undefined) return undefined
    const within = (ticks: Price) => onTick(Math.min(Math.max(ticks, band.min), band.max) as Price, symbol)
    if (stopPrice !== undefined && stopPrice !== within(stopPrice)) {
      return ticks('stopPrice', within(stopPrice), symbol)
    }
    return price === undefined || price === within(price) ? undefined : ticks('price', within(price), symbol)
  },
  STOP_PRICE_REACHED: (order, symbol, { lastPrice }) => {
    const last = lastPrice?.(symbol)
    if (last === undefined || !isStop(order)) return undefined
    const tickSize = tickSizeOf(symbol)
    const isRising = directionOf(order.type, order.side) === 'RISING'
    const below = (isRising ? last : last - 1) - ((isRising ? last : last - 1) % tickSize)
    const next = isRising ? below + tickSize : below
    const { min, max } = symbol.priceBand ?? { min: 1, max: UNITS_MAX }
    return next < min || next > max ? undefined : ticks('stopPrice', next as Price, symbol)
  },
  EXPIRE_TIME_PASSED: (_order, _symbol, { time }) => moment(time, RECV_WINDOW_MS),
  EXPIRE_TIME_TOO_FAR: (_order, _symbol, { time }) => moment(time, EXPIRE_TIME_AHEAD_MAX_MS),
  ICEBERG_QUANTITY_TOO_LARGE: ({ quantity: lots }, symbol) => quantity('icebergQty', lots, symbol),
  ICEBERG_QUANTITY_TOO_SMALL: ({ quantity: lots = 0 as Lots, price }, symbol) => {
    const least = price === undefined ? undefined : leastQuantity(price, symbol)
    if (least === undefined) return undefined
    const part = Math.ceil(lots / ICEBERG_PARTS_MAX)
    return quantity('icebergQty', wholeSteps(Math.max(least, part) as Lots, symbol), symbol)
  },
}

/**
 * The nearest quantity to which an open order could be amended, whichever rule refused `asked`, in units of
 * 10^-18 of the base asset.
 */
export function nearestAmendment(
  asked: Amount,
  { quantity: whole, remaining, price, icebergQuantity = 1 as Lots }: OpenOrder,
  symbol: TradingSymbol,
): Nearest | undefined {
  const gone = whole - remaining
  const least = Math.max(gone + 1, leastQuantity(price, symbol) ?? whole, icebergQuantity)
  const lot = 10n ** BigInt(DECIMALS_MAX - symbol.baseFraction)
  const rounded = Number((bigintOf(asked) + lot / 2n) / lot)
  const lowered = onStep(Math.min(rounded, whole) as Lots, wholeSteps(least as Lots, symbol), symbol)
  // The order's own quantity is accepted whether or not it is on the step.
  const isNearer = lowered !== undefined && lowered < whole && 2 * rounded <= lowered + whole
  return quantity('newQty', isNearer ? lowered : whole, symbol)
}

function tickSizeOf({ increments }: TradingSymbol): number {
  return increments?.tickSize ?? 1
}

function stepSizeOf({ increments }: TradingSymbol): number {
  return increments?.stepSize ?? 1
}

/**
 * The nearest price on the tick that the symbol trades at, the lower of two equally near ones. The price band
 * contains one.
 */
function onTick(price: Price, symbol: TradingSymbol): Price {
  const tickSize = tickSizeOf(symbol)
  const { min, max } = symbol.priceBand ?? { min: 1, max: UNITS_MAX }
  const below = price - (price % tickSize)
  const nearest = 2 * (price - below) > tickSize ? below + tickSize : below
  const lowest = min % tickSize === 0 ? min : min + (tickSize - (min % tickSize))
  return Math.min(Math.max(nearest, lowest), max - (max % tickSize)) as Price
}

/** The nearest whole number of steps, `least` or more; the smaller of two equally near ones. */
function onStep(lots: Lots, least: Lots | undefined, symbol: TradingSymbol): Lots | undefined {
  const stepSize = stepSizeOf(symbol)
  const below = lots - (lots % stepSize)
  const nearest = 2 * (lots - below) > stepSize && below + stepSize <= UNITS_MAX ? below + stepSize : below
  return least === undefined ? undefined : (Math.max(nearest, least) as Lots)
}

/** The time `afterMs` after the refusal. */
function moment(time: TimeMs | undefined, afterMs: number): Nearest | undefined {
  return time === undefined ? undefined : { parameter: 'expireTime', value: String(time + afterMs) }
}

function quantity(
  parameter: string,
  lots: Lots | undefined,
  { baseFraction }: TradingSymbol,
): Nearest | undefined {
  return lots === undefined ? undefined : { parameter, value: plainDecimal(lots, baseFraction) }
}

function ticks(parameter: string, price: Price, { quoteFraction }: TradingSymbol): Nearest {
  return { parameter, value: plainDecimal(price, quoteFraction) }
}

function total(units: Amount, { quotePrecision }: TradingSymbol): Nearest {
  return { parameter: 'total', value: plainDecimal(units, quotePrecision) }
}
