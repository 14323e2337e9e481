/**
 * An answer with updates of accounts, made by any store that has them: bounded, and with complete updates
 * only.
 */

import type { OpenOrder } from '../../core/questions/view.ts'
import { carriedOf } from '../../core/trading/carried.ts'
import type { OrderNumber, TradeNumber } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { isPendingRole } from '../../units/order-enums.ts'
import { NO_AMOUNT, NO_LOTS, NO_NOTIONAL, price as priceOf, type Seq } from '../../units/quantities.ts'
import type { AccountUpdate, TradeRecord, UpdatesAfter, UpdatesAnswer } from '../port/ports.ts'
import { UPDATE_ACCOUNTS_MAX, UPDATE_PARTS_MAX, UPDATES_KEPT_COMMANDS } from './account-updates.ts'
import type { HistoryTrade } from './history.ts'
import type { HistoryOrder } from './order-history.ts'
import { partsOf, type StoredUpdate } from './update-codec.ts'

/** Updates of an account, oldest first, up to and including command `upTo`. */
export type FoundUpdates = { readonly updates: readonly StoredUpdate[]; readonly upTo: Seq }

export type UpdateSource = {
  /** Updates of an account after a command. They may be incomplete. */
  readonly after: (asked: UpdatesAfter) => FoundUpdates
  readonly placedOf: (orderNumber: OrderNumber) => HistoryOrder | undefined
  readonly orderOf: (orderNumber: OrderNumber) => HistoryOrder | undefined
  readonly tradeOf: (tradeNumber: TradeNumber) => HistoryTrade | undefined
}

/**
 * `seq`: the position of history. An account that no longer fits into the answers gets an empty answer at its
 * previous position.
 */
export function answerUpdates(
  accounts: readonly UpdatesAfter[],
  seq: Seq,
  source: UpdateSource,
): readonly UpdatesAnswer[] {
  invariant(
    accounts.length <= UPDATE_ACCOUNTS_MAX,
    () => `expected at most ${UPDATE_ACCOUNTS_MAX} accounts, found ${accounts.length}`,
  )
  let parts = 0
  return accounts.map((asked): UpdatesAnswer => {
    const { after } = asked
    if (after < seq - UPDATES_KEPT_COMMANDS) return 'TOO_OLD'
    if (after >= seq || parts >= UPDATE_PARTS_MAX) return { updates: [], upTo: after }
    const found = source.after(asked)
    const taken: AccountUpdate[] = []
    for (const update of found.updates) {
      if (parts >= UPDATE_PARTS_MAX) break
      parts += partsOf(update)
      taken.push(lookedUp(update, source))
    }
    const isAll = taken.length === found.updates.length
    return { updates: taken, upTo: isAll ? found.upTo : (taken.at(-1)?.seq ?? after) }
  })
}

function lookedUp(update: StoredUpdate, { placedOf, orderOf, tradeOf }: UpdateSource): AccountUpdate {
  const { seq, time, accountId, placed, changed, ended, trades, balances } = update
  const known = <Number, Record>(what: string, lookUp: (number: Number) => Record | undefined) => {
    return (number: Number): Record => {
      const record = lookUp(number)
      invariant(
        record !== undefined,
        () => `command ${seq} concerned ${what} ${number}, which history does not have`,
      )
      return record
    }
  }
  const fills: TradeRecord[] = []
  for (const { maker, taker } of trades.map(known('trade', tradeOf))) {
    if (maker.accountId === accountId) fills.push(maker.record)
    if (taker.accountId === accountId) fills.push(taker.record)
  }
  const open = placed.map((number) => asPlaced(known('order', placedOf)(number)))
  open.push(...changed)
  return { seq, time, accountId, open, ended: ended.map(known('order', orderOf)), fills, balances }
}

/** An open order without any change since it was placed. */
export function asPlaced(order: HistoryOrder): OpenOrder {
  const { time, quantity = NO_LOTS } = order
  return {
    ...carriedOf(order),
    orderNumber: order.orderNumber,
    time,
    accountId: order.accountId,
    symbolId: order.symbolId,
    side: order.side,
    price: order.price ?? priceOf(0),
    quantity,
    askedQuantity: undefined,
    executedQuantity: NO_LOTS,
    executedNotional: NO_NOTIONAL,
    commission: NO_AMOUNT,
    remaining: quantity,
    type: order.type,
    timeInForce: order.timeInForce ?? 'GTC',
    selfTradeMode: order.selfTradeMode,
    updatedAt: time,
    stop: stopOf(order),
    clientOrderId: order.clientOrderId,
    icebergQuantity: order.icebergQuantity,
    expireTime: order.expireTime,
    inList: order.inList,
    isPending: order.inList !== undefined && isPendingRole(order.inList.role),
  }
}

function stopOf({ stopPrice, trailingDelta, price, total }: HistoryOrder): OpenOrder['stop'] {
  if (stopPrice === undefined && trailingDelta === undefined) return undefined
  return {
    price: stopPrice,
    trailing: trailingDelta && { delta: trailingDelta, since: undefined },
    total: price === undefined ? total : undefined,
    triggeredAt: undefined,
  }
}
