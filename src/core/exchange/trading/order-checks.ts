/**
 * What must hold before an order may change anything (docs/reference/http.md#new-order).
 * The border checks form and gives the finer message; here stands all that could cost money if it did not.
 */

import { isClientOrderId } from '../../../units/client-order-id.ts'
import type { AccountId } from '../../../units/ids.ts'
import { TEXT_MAX } from '../../../units/limits.ts'
import { worthOf } from '../../../units/notional.ts'
import type { SymbolState } from '../../../units/order-words.ts'
import { type Amount, isAmount, UNITS_MAX } from '../../../units/quantities.ts'
import type { CoreReason } from '../../../units/reasons.ts'
import { baseUnits, paidFor, receivedFor } from '../../ledger/money.ts'
import { isFillable, wouldTake } from '../../market/look-ahead.ts'
import type { Registry } from '../../registry/registry.ts'
import {
  type LimitMakerOrder,
  type LimitOrder,
  type MarketBuyOrder,
  type MarketSellOrder,
  mayRest,
  type PlaceOrder,
} from '../commands/orders.ts'
import type { Market } from '../market.ts'
import type { ExchangeState } from '../state.ts'
import { takerOf } from './taker.ts'

/** Why `command` is refused, or undefined when it may go on to matching. Changes nothing. */
export function refusalOf(command: PlaceOrder, market: Market, state: ExchangeState): CoreReason | undefined {
  const refusal = accountRefusal(command.accountId, state.registry)
  if (refusal !== undefined) return refusal
  if (market.symbol.state !== 'TRADING') return STATE_REFUSALS[market.symbol.state]
  if (!state.isTradable(market)) return 'ASSET_NOT_TRADABLE'
  if (!isWellFormed(command, state)) return 'INVALID_COMMAND'
  if (command.quantity !== undefined && command.quantity < market.symbol.minQuantity) {
    return 'QUANTITY_TOO_SMALL'
  }
  if (!hasRoomForId(command, state)) return 'TOO_MANY_CLIENT_ORDER_IDS'
  return command.type === 'MARKET' ? marketRefusal(command, market) : limitRefusal(command, market, state)
}

function accountRefusal(accountId: AccountId, registry: Registry): CoreReason | undefined {
  if (registry.isPlainTrader(accountId)) return undefined
  const account = registry.account(accountId)
  if (account?.role !== 'trader') return 'UNKNOWN_ACCOUNT'
  if (account.isClosed) return 'ACCOUNT_CLOSED'
  return account.restrictions?.includes('TRADE') ? 'ACCOUNT_RESTRICTED' : undefined
}

/** Why a symbol in another state than TRADING takes no order. */
const STATE_REFUSALS = {
  HALTED: 'SYMBOL_HALTED',
  CANCEL_ONLY: 'SYMBOL_CANCEL_ONLY',
  DELISTED: 'SYMBOL_DELISTED',
} as const satisfies Record<Exclude<SymbolState, 'TRADING'>, CoreReason>

function limitRefusal(
  command: PlaceOrder & (LimitOrder | LimitMakerOrder),
  market: Market,
  state: ExchangeState,
): CoreReason | undefined {
  const { price, quantity, total, side, accountId } = command
  const { symbol, scale, lotScale, book } = market
  const { priceBand } = symbol
  if (priceBand !== undefined && (price < priceBand.min || price > priceBand.max)) return 'PRICE_OUT_OF_BAND'
  const worth = worthOf(price, quantity)
  const least = receivedFor(worth, scale)
  if (total !== undefined && total !== least && total !== paidFor(worth, scale)) {
    return 'TOTAL_MISMATCH'
  }
  if (least === 0 || least < symbol.minTotal) return 'TOTAL_TOO_SMALL'
  if (mayRest(command)) {
    const ordersMax = state.openOrdersMax(accountId, symbol)
    // An account with few orders in all symbols has few in this one, which takes longer to find out (`npm run bench -- core`).
    const hasMany = state.orders.count(accountId, undefined) >= ordersMax
    if (hasMany && state.orders.count(accountId, symbol.id) >= ordersMax) return 'TOO_MANY_OPEN_ORDERS'
    const isFull = book.levelCount(side) >= symbol.levelsMax
    if (isFull && book.levelQuantity(side, price) === 0n) return 'TOO_MANY_PRICE_LEVELS'
  }
  const need = side === 'BUY' ? paidFor(worth, scale) : baseUnits(quantity, lotScale)
  if (!hasFree(command, market, need)) return 'INSUFFICIENT_FUNDS'
  return bookRefusal(command, market, state)
}

/** What an order that must take all, or nothing, finds in the book. */
function bookRefusal(
  command: PlaceOrder & (LimitOrder | LimitMakerOrder),
  market: Market,
  state: ExchangeState,
): CoreReason | undefined {
  const { book } = market
  const { price, quantity, side } = command
  if (command.type === 'LIMIT_MAKER') {
    return wouldTake(book, side, price) ? 'LIMIT_MAKER_WOULD_TAKE' : undefined
  }
  if (command.timeInForce !== 'FOK') return undefined
  const taker = { ...takerOf(command, market, state), limit: price, quantity }
  return isFillable(book, taker) ? undefined : 'FOK_NOT_FILLABLE'
}

function marketRefusal(
  command: PlaceOrder & (MarketBuyOrder | MarketSellOrder),
  market: Market,
): CoreReason | undefined {
  const { total } = command
  if (total !== undefined && total < market.symbol.minTotal) return 'TOTAL_TOO_SMALL'
  const need: Amount = command.side === 'BUY' ? command.total : baseUnits(command.quantity, market.lotScale)
  return hasFree(command, market, need) ? undefined : 'INSUFFICIENT_FUNDS'
}

/** Each figure is in its range; which ones are given, the command's type says. */
export function isWellFormed(command: PlaceOrder, { recognisesRepeats }: ExchangeState): boolean {
  const { price, quantity, total, clientOrderId } = command
  if (!isUnitsOrAbsent(price) || !isUnitsOrAbsent(quantity)) return false
  if (total !== undefined && !isAmount(total, 1)) return false
  if (clientOrderId === undefined) return true
  return recognisesRepeats ? isClientOrderId(clientOrderId) : clientOrderId.length <= TEXT_MAX
}

/** Whether the client order id of a new order, where it has one, can be remembered. */
function hasRoomForId({ accountId, clientOrderId }: PlaceOrder, state: ExchangeState): boolean {
  return clientOrderId === undefined || !state.recognisesRepeats || state.clientOrderIds.hasRoom(accountId)
}

function isUnitsOrAbsent(value: number | undefined): boolean {
  return value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= UNITS_MAX)
}

function hasFree(command: PlaceOrder, market: Market, need: Amount): boolean {
  const holdings = command.side === 'BUY' ? market.quote : market.base
  return holdings.get(command.accountId, 'free') >= need
}
