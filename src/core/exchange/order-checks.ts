/**
 * What must hold before an order may change anything (interface 4.3; decisions: "Parameters", "Money", "Orders").
 * The border checks form and gives the finer message; here stands all that could cost money if it did not.
 */
import { AMOUNT_MAX, TEXT_MAX } from '../../units/limits.ts'
import { type Amount, type Lots, UNITS_MAX } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import { baseAmount, notionalOf, paidFor, receivedFor } from '../ledger/money.ts'
import type { PlaceOrder } from './command.ts'
import type { Market } from './market.ts'
import type { ExchangeState } from './state.ts'

/** Why `command` is refused, or undefined when it may go on to matching. Changes nothing. */
export function refusalOf(command: PlaceOrder, market: Market, state: ExchangeState): CoreReason | undefined {
  if (!state.isTrader(command.accountId)) return 'UNKNOWN_ACCOUNT'
  if (market.symbol.state !== 'TRADING') return 'SYMBOL_HALTED'
  if (!state.isTradable(market)) return 'ASSET_NOT_TRADABLE'
  if (!isWellFormed(command)) return 'INVALID_COMMAND'
  if (command.quantity !== undefined && command.quantity < market.symbol.minQuantity) {
    return 'QUANTITY_TOO_SMALL'
  }
  return command.type === 'LIMIT'
    ? limitRefusal(command, market, state)
    : marketRefusal(command, market, state)
}

function limitRefusal(command: PlaceOrder, market: Market, state: ExchangeState): CoreReason | undefined {
  const { price, quantity, total, side, accountId } = command
  if (price === undefined || quantity === undefined) return 'INVALID_COMMAND'
  const { symbol, scale, lotScale, book } = market
  const worth = notionalOf(price, quantity)
  const least = receivedFor(worth, scale)
  const most = paidFor(worth, scale)
  if (total !== undefined && total !== least && total !== most) return 'TOTAL_MISMATCH'
  if (least < 1n || least < symbol.minTotal) return 'TOTAL_TOO_SMALL'
  if (command.timeInForce === 'GTC') {
    if (state.orders.count(accountId, symbol.id) >= symbol.openOrdersMax) return 'TOO_MANY_OPEN_ORDERS'
    const isNewLevel = book.levelQuantity(side, price) === 0n
    if (isNewLevel && book.levelCount(side) >= symbol.levelsMax) return 'TOO_MANY_PRICE_LEVELS'
  }
  const need = side === 'BUY' ? most : baseAmount(quantity, lotScale)
  return hasFree(command, market, need, state) ? undefined : 'INSUFFICIENT_FUNDS'
}

function marketRefusal(command: PlaceOrder, market: Market, state: ExchangeState): CoreReason | undefined {
  const { quantity, total, side } = command
  if (total !== undefined && total < market.symbol.minTotal) return 'TOTAL_TOO_SMALL'
  const need = side === 'BUY' ? total : quantity === undefined ? undefined : base(quantity, market)
  if (need === undefined) return 'INVALID_COMMAND'
  return hasFree(command, market, need, state) ? undefined : 'INSUFFICIENT_FUNDS'
}

function base(quantity: Lots, market: Market): Amount {
  return baseAmount(quantity, market.lotScale)
}

/** Fields are given exactly as type and side ask, and each is in its range. */
function isWellFormed(command: PlaceOrder): boolean {
  const { type, side, price, quantity, total, clientReference } = command
  if (!isUnitsOrAbsent(price) || !isUnitsOrAbsent(quantity)) return false
  if (total !== undefined && (total < 1n || total > AMOUNT_MAX)) return false
  if (clientReference !== undefined && clientReference.length > TEXT_MAX) return false
  if (type === 'LIMIT') return price !== undefined && quantity !== undefined
  return price === undefined && (side === 'BUY' ? total !== undefined : quantity !== undefined)
}

function isUnitsOrAbsent(value: number | undefined): boolean {
  return value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= UNITS_MAX)
}

function hasFree(command: PlaceOrder, market: Market, need: Amount, state: ExchangeState): boolean {
  const asset = command.side === 'BUY' ? market.symbol.quote : market.symbol.base
  return state.ledger.balance(command.accountId, asset, 'free') >= need
}
