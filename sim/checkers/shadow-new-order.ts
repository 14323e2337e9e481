/** The second bookkeeper's record of a new order. */
import { isStop, type PlaceOrder } from '../../src/core/commands/orders.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { ShadowOrder, ShadowState } from './shadow-state.ts'
import { stopOf } from './shadow-triggers.ts'

/** The order of a command, before it has any effect. */
export function newOrder(state: ShadowState, time: number, command: PlaceOrder): ShadowOrder {
  const symbol = state.symbols[command.symbolId] as TradingSymbol
  const mode = command.selfTradeMode ?? symbol.selfTradeMode
  const waits = isStop(command)
  // The quantity of a waiting order without one is zero until the order is triggered.
  const quantity = command.quantity ?? (waits ? 0 : Number.MAX_SAFE_INTEGER)
  return {
    number: state.lastOrder + 1,
    time,
    account: command.accountId,
    symbol,
    side: command.side,
    price: command.price ?? 0,
    quantity,
    words: `${command.type} ${command.timeInForce ?? 'GTC'} ${mode}`,
    updatedAt: time,
    remaining: quantity,
    executed: 0,
    decremented: 0,
    notional: 0n,
    commission: 0n,
    hold: 0n,
    stop: waits ? stopOf(command) : undefined,
    clientOrderId: command.clientOrderId,
    part: command.icebergQuantity,
    shown: 0,
    expireTime: command.expireTime,
    key: command.keyNumber,
    session: command.sessionNumber,
    turn: state.lastOrder + 1,
    list: undefined,
    waitedUntil: undefined,
  }
}
