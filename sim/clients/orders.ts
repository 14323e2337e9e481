/**
 * Random orders, their cancels and replacements: mostly accepted, around a price at which they match. An
 * order with an id is sometimes sent again.
 */
import type { Command } from '../../src/core/commands/command.ts'
import {
  isStop,
  type MarketBuyOrder,
  type MarketSellOrder,
  type OrderFigures,
  type PlaceOrder,
} from '../../src/core/commands/orders.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../src/units/ids.ts'
import {
  CANCEL_REPLACE_MODES,
  CANCEL_RESTRICTIONS,
  SELF_TRADE_MODES,
  SIDES,
  type Side,
  type TimeInForce,
} from '../../src/units/order-enums.ts'
import { amount, type Lots, type Price, type TimeMs } from '../../src/units/quantities.ts'
import { QUANTITY_RULES } from '../checkers/shadow-refusals.ts'
import type { ShadowOrder, ShadowState } from '../checkers/shadow-state.ts'
import { AHEAD_MOST_MS } from '../checkers/shadow-timers.ts'
import type { Random } from '../world/random.ts'
import { onIncrements } from './increments.ts'
import { drawTarget } from './order-changes.ts'
import type { Picks } from './picks.ts'
import { drawKeyNumber, inSession } from './sessions.ts'
import { drawTrigger } from './trailing.ts'

/** In ticks; prices of every market move around it. */
export const PRICE_MIDDLE = 1_000
/** Largest number of orders that may be sent again. */
const SENT_MOST = 30

export class OrderWorkload {
  readonly #random: Random
  readonly #picks: Picks
  readonly #read: () => ShadowState
  /** The last orders with an id. */
  readonly #sent: PlaceOrder[] = []
  /** The last replacement whose new order has an id. */
  #replaced: Command | undefined

  constructor(random: Random, picks: Picks, state: () => ShadowState) {
    this.#random = random
    this.#picks = picks
    this.#read = state
  }

  get #state(): ShadowState {
    return this.#read()
  }

  place(isHostile: boolean): Command {
    return isHostile ? this.#hostileOrder() : this.#order()
  }

  /** An order that crashes the machine that applies it. */
  poison(): Command {
    return { ...this.#newOrder(), clientOrderId: `poison-${this.#random.bits()}` }
  }

  cancel(isHostile: boolean): Command {
    const random = this.#random
    const open = [...this.#state.orders.values()]
    const order = open.length === 0 ? undefined : random.pick(open)
    const isOther = isHostile && random.chance(0.5)
    const number = isOther || order === undefined ? random.below(this.#state.lastOrder + 2) : order.number
    const symbolId = random.chance(0.2) ? this.#anySymbol(order) : undefined
    return {
      kind: 'CancelOrder',
      ...(symbolId === undefined ? {} : { symbolId }),
      accountId: (isHostile ? this.#picks.trader() : (order?.account ?? 0)) as AccountId,
      orderNumber: number as OrderNumber,
      orderTime: ((order?.time ?? 0) + (isHostile ? random.below(2) : 0)) as TimeMs,
    }
  }

  /** Mostly the order's own symbol; otherwise the first symbol, which may be different. */
  #anySymbol(order: ShadowOrder | undefined): SymbolId {
    return (this.#random.chance(0.7) ? (order?.symbol.id ?? 0) : 0) as SymbolId
  }

  cancelById(isHostile: boolean): Command {
    const { accountId, clientOrderId = 'none' } =
      this.#sent.length === 0 ? this.#newOrder() : this.#random.pick(this.#sent)
    return {
      kind: 'CancelClientOrder',
      accountId: isHostile ? this.#picks.trader() : accountId,
      clientOrderId,
    }
  }

  /** A replacement of another order, mostly in its symbol; or one that was sent before. */
  replace(isHostile: boolean): Command {
    const random = this.#random
    if (this.#replaced !== undefined && random.chance(0.1)) return this.#replaced
    const [{ target, accountId }, old] = drawTarget(random, this.#state, isHostile)
    const drawn = this.#newOrder()
    const symbolId = old === undefined || isHostile ? drawn.symbolId : (old.symbol.id as SymbolId)
    const restriction = random.chance(0.6) ? undefined : random.pick(CANCEL_RESTRICTIONS)
    const mode = random.pick(CANCEL_REPLACE_MODES)
    const command: Command = {
      kind: 'ReplaceOrder',
      target,
      mode,
      restriction,
      order: { ...drawn, symbolId, accountId },
    }
    if (drawn.clientOrderId !== undefined) this.#replaced = command
    return command
  }

  /** A new order, or one that was sent before: the identical order, or a different one under the same id. */
  #order(): PlaceOrder {
    const random = this.#random
    if (this.#sent.length > 0 && random.chance(0.1)) {
      const order = random.pick(this.#sent)
      // With another key it is still the same order.
      const again = { ...order, keyNumber: drawKeyNumber(random, this.#state) }
      return random.chance(0.6) ? again : { ...this.#newOrder(), clientOrderId: order.clientOrderId }
    }
    const order = this.#newOrder()
    if (order.clientOrderId !== undefined) this.#sent.push(order)
    if (this.#sent.length > SENT_MOST) this.#sent.shift()
    return order
  }

  #newOrder(): PlaceOrder {
    const random = this.#random
    const symbol = this.#picks.symbol()
    const side = random.pick(SIDES)
    const base = {
      kind: 'PlaceOrder' as const,
      accountId: this.#picks.trader(),
      symbolId: (symbol?.id ?? 0) as SymbolId,
      selfTradeMode: random.chance(0.5) ? undefined : random.pick(SELF_TRADE_MODES),
      clientOrderId: this.#picks.clientOrderId(),
      keyNumber: drawKeyNumber(random, this.#state),
    }
    const of = (figures: OrderFigures) => onIncrements(random, symbol, { ...base, ...figures })
    if (random.chance(0.12)) return inSession(random, this.#state, of(this.#stop(symbol, side)))
    const figures = random.chance(0.8) ? this.#limit(symbol, side) : this.#immediate(symbol, side)
    return inSession(random, this.#state, of(figures))
  }

  /** A stop price near the middle: some are reached at once, most soon. */
  #stop(symbol: TradingSymbol | undefined, side: Side): OrderFigures {
    const random = this.#random
    const last = this.#state.lastPrices[symbol?.id ?? -1] ?? PRICE_MIDDLE
    const stopPrice = (last + random.between(-6, 6)) as Price
    const trigger = drawTrigger(random, this.#state, stopPrice)
    const isStopLoss = random.chance(0.5)
    if (random.chance(0.6)) {
      const { price, quantity, total } = this.#limit(symbol, side)
      const timeInForce = random.pick(['GTC', 'GTC', 'IOC', 'FOK', 'GTD'] as const)
      const type = isStopLoss ? 'STOP_LOSS_LIMIT' : 'TAKE_PROFIT_LIMIT'
      const figures = { price: price ?? stopPrice, quantity: quantity ?? (1 as Lots), total }
      return { type, side, timeInForce, ...trigger, ...figures, ...this.#ending(timeInForce) }
    }
    const type = isStopLoss ? 'STOP_LOSS' : 'TAKE_PROFIT'
    const figures = this.#market(symbol, side)
    if (figures.side === 'BUY') {
      return { type, side: 'BUY', total: figures.total, quantity: figures.quantity, ...trigger }
    }
    return { type, side: 'SELL', quantity: figures.quantity, ...trigger }
  }

  #limit(symbol: TradingSymbol | undefined, side: Side): OrderFigures {
    const random = this.#random
    const away = random.between(-4, 12) * (side === 'BUY' ? -1 : 1)
    const price = (PRICE_MIDDLE + away + random.between(-3, 3)) as Price
    const quantity = random.between(1, 60) as Lots
    const worth = BigInt(price) * BigInt(quantity)
    const quoteFraction = this.#state.assets[symbol?.quote ?? -1]?.fraction ?? 0
    const over = 10n ** BigInt(quoteFraction)
    const under = 10n ** BigInt((symbol?.baseFraction ?? 0) + (symbol?.quoteFraction ?? 0))
    const total = random.chance(0.1)
      ? amount((worth * over) / under + BigInt(random.pick([0, 0, 1, 2])))
      : undefined
    if (random.chance(0.1)) {
      return { type: 'LIMIT_MAKER', side, price, quantity, total, icebergQuantity: this.#part(quantity) }
    }
    const timeInForce = random.chance(0.7) ? 'GTC' : random.pick(['IOC', 'FOK', 'GTD', 'GTD'] as const)
    const icebergQuantity = timeInForce === 'GTC' ? this.#part(quantity) : undefined
    const figures = { price, quantity, total, icebergQuantity }
    return { type: 'LIMIT', side, timeInForce, ...figures, ...this.#ending(timeInForce) }
  }

  /** Mostly soon after the last command; sometimes in the past, or beyond the limit. */
  #ending(timeInForce: TimeInForce): { readonly expireTime?: TimeMs } {
    if (timeInForce !== 'GTD') return {}
    const random = this.#random
    const afterMs = random.chance(0.02) ? AHEAD_MOST_MS + 100_000 : random.between(-20, 1_500)
    return { expireTime: Math.max(0, this.#state.time + afterMs) as TimeMs }
  }

  /** The shown part of an iceberg order; undefined for others. Sometimes too large or too small. */
  #part(quantity: number): Lots | undefined {
    const random = this.#random
    if (!random.chance(0.15)) return undefined
    return (random.chance(0.1) ? quantity + 1 : Math.ceil(quantity / random.between(1, 6))) as Lots
  }

  #immediate(symbol: TradingSymbol | undefined, side: Side): OrderFigures {
    const random = this.#random
    const byQuantity = this.#state.rulesVersion >= QUANTITY_RULES || random.chance(0.05)
    if (side === 'SELL' || !byQuantity || random.chance(0.5)) return this.#market(symbol, side)
    return { type: 'MARKET', side, quantity: random.between(1, random.chance(0.2) ? 100_000 : 60) as Lots }
  }

  #market(symbol: TradingSymbol | undefined, side: Side): MarketBuyOrder | MarketSellOrder {
    const random = this.#random
    const quoteFraction = this.#state.assets[symbol?.quote ?? -1]?.fraction ?? 0
    const scale = 10n ** BigInt(quoteFraction)
    const under = 10n ** BigInt((symbol?.baseFraction ?? 0) + (symbol?.quoteFraction ?? 0))
    const worth = BigInt(random.between(1, 60) * PRICE_MIDDLE + random.below(999))
    const total = amount(random.chance(0.1) ? 1n : (worth * scale) / under)
    const quantity = random.between(1, 60) as Lots
    const hasBoth = random.chance(0.3)
    return side === 'BUY'
      ? { type: 'MARKET', side, total, quantity: hasBoth ? quantity : undefined }
      : { type: 'MARKET', side, quantity, total: hasBoth ? total : undefined }
  }

  #hostileOrder(): Command {
    const order = this.#order()
    switch (this.#random.below(8)) {
      case 0:
        return order.price !== undefined ? { ...order, price: Number.MAX_SAFE_INTEGER as Price } : order
      case 1:
        return { ...order, quantity: Number.MAX_SAFE_INTEGER as Lots }
      case 2:
        return order.price !== undefined ? { ...order, price: 0 as Price } : order
      case 3:
        return { ...order, quantity: 0 as Lots }
      case 4:
        if (isStop(order)) return { ...order, stopPrice: 0 as Price }
        return { ...order, total: amount(this.#random.chance(0.5) ? -1n : 2n ** 130n) } as PlaceOrder
      case 5:
        return { ...order, symbolId: (this.#random.bits() + 100) as SymbolId }
      case 6:
        return { ...order, accountId: this.#random.pick([0, 1, 2, 10 ** 9]) as AccountId }
      default:
        return { ...order, quantity: this.#random.chance(0.5) ? (1 as Lots) : ((2 ** 52) as Lots) }
    }
  }
}
