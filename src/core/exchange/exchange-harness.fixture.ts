/** An exchange for tests, with a few markets and funded traders, driven in a trader's words. */

import type { AccountId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { OrderType, SelfTradeMode, Side, SymbolState, TimeInForce } from '../../units/order-enums.ts'
import { amount, decimals, lots, price, rate, timeMs } from '../../units/quantities.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import { bigintOf } from '../../units/whole.ts'
import type { Command } from '../commands/command.ts'
import type { PlaceOrder } from '../commands/orders.ts'
import type { ExchangeEvent } from '../events/event.ts'
import type { OrderAccepted, Reply } from '../questions/reply.ts'
import type { SymbolTerms } from '../registry/terms.ts'
import { Exchange, type ExchangeOptions } from './exchange.ts'
import { figuresOf } from './order-figures.fixture.ts'
import type { ExchangeState } from './state.ts'

export const OPERATOR = { actor: 'test', note: '' }
export const ALL_FLAGS = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: false }

export const TERMS: SymbolTerms = {
  baseFraction: decimals(8),
  quoteFraction: decimals(2),
  makerRate: rate(100_000),
  takerRate: rate(100_000),
  minTotal: amount(0n),
  minQuantity: lots(0),
  selfTradeMode: 'NONE',
  openOrdersMax: 1_000,
  levelsMax: 1_000,
}

/** The parameters of an order; numbers are ticks, lots and ledger units. */
export type OrderWords = {
  readonly who: AccountId
  readonly side: Side
  readonly symbol?: SymbolId
  readonly type?: OrderType
  readonly timeInForce?: TimeInForce
  readonly price?: number
  readonly quantity?: number
  readonly total?: bigint
  readonly stopPrice?: number | undefined
  readonly trailingDelta?: number | undefined
  readonly icebergQuantity?: number
  readonly expireTime?: number
  readonly selfTradeMode?: SelfTradeMode | undefined
  readonly clientOrderId?: string
}

export function orderOf(words: OrderWords): PlaceOrder {
  return {
    kind: 'PlaceOrder',
    accountId: words.who,
    symbolId: words.symbol ?? (0 as SymbolId),
    selfTradeMode: words.selfTradeMode,
    clientOrderId: words.clientOrderId,
    ...figuresOf({
      side: words.side,
      type: words.type ?? 'LIMIT',
      timeInForce: words.timeInForce,
      price: words.price === undefined ? undefined : price(words.price),
      quantity: words.quantity === undefined ? undefined : lots(words.quantity),
      total: words.total === undefined ? undefined : amount(words.total),
      stopPrice: words.stopPrice === undefined ? undefined : price(words.stopPrice),
      trailingDelta: words.trailingDelta as TrailingDelta | undefined,
      icebergQuantity: words.icebergQuantity === undefined ? undefined : lots(words.icebergQuantity),
      expireTime: words.expireTime === undefined ? undefined : timeMs(words.expireTime),
    }),
  }
}

/**
 * An exchange with BTC/USDT (symbol 0), funded as requested; each command comes one millisecond after the one
 * before.
 */
export class ExchangeHarness {
  readonly exchange: Exchange
  /** Events of the last command. */
  events: ExchangeEvent[] = []
  #references = 0

  /** `state` is an empty state to which the test keeps a reference. */
  constructor(
    options: ExchangeOptions & { readonly terms?: Partial<SymbolTerms>; readonly state?: ExchangeState } = {},
  ) {
    this.exchange = new Exchange(options, options.state)
    this.asset('BTC', 8)
    this.asset('USDT', 8)
    this.symbol('BTC', 'USDT', options.terms ?? {})
  }

  /** Carries out a command, `afterMs` later than the one before. */
  give(command: Command, afterMs = 1): Reply {
    this.events = []
    return this.exchange.apply(command, timeMs(this.exchange.time + afterMs), (event) =>
      this.events.push(event),
    )
  }

  asset(code: string, fraction: number): void {
    const supplyCap = amount(0n)
    this.#done({
      kind: 'ListAsset',
      operator: OPERATOR,
      code,
      name: code,
      fraction: decimals(fraction),
      flags: ALL_FLAGS,
      supplyCap,
    })
  }

  symbol(base: string, quote: string, terms: Partial<SymbolTerms>): SymbolId {
    const reply = this.#done({
      kind: 'ListSymbol',
      operator: OPERATOR,
      base,
      quote,
      terms: { ...TERMS, ...terms },
    })
    invariant(reply.kind === 'SymbolListed', 'a symbol was listed')
    return reply.symbolId
  }

  state(symbol: string, state: SymbolState): void {
    this.#done({ kind: 'SetSymbolState', operator: OPERATOR, symbol, state })
  }

  /** A new trader with this much money, by asset code, in ledger units. */
  trader(name: string, money: Readonly<Record<string, bigint>>): AccountId {
    const reply = this.#done({ kind: 'CreateAccount', operator: OPERATOR, name })
    invariant(reply.kind === 'AccountOpened', 'an account was opened')
    for (const [asset, units] of Object.entries(money)) this.credit(reply.accountId, asset, units)
    return reply.accountId
  }

  /** Creates a named token of an operator. */
  token(name: string): void {
    const digest = new Uint8Array(32)
    new TextEncoder().encodeInto(name, digest)
    this.#done({ kind: 'AddAdminToken', operator: OPERATOR, name, role: 'OPERATOR', digest })
  }

  credit(accountId: AccountId, asset: string, units: bigint): void {
    const reference = `credit-${this.#references++}`
    this.#done({ kind: 'Credit', operator: OPERATOR, accountId, asset, amount: amount(units), reference })
  }

  order(words: OrderWords): Reply {
    return this.give(orderOf(words))
  }

  /** Places an order that must be accepted. */
  accepted(words: OrderWords): OrderAccepted {
    const reply = this.order(words)
    invariant(
      reply.kind === 'OrderAccepted',
      () => `expected an accepted order, found ${JSON.stringify(reply)}`,
    )
    return reply
  }

  /** Triggered and expired orders, at most `max`, in their order. */
  dueOrders(max: number, time = this.exchange.time): OrderNumber[] {
    return this.exchange
      .due(max, time)
      .flatMap((own) => (own.kind === 'TriggerOrder' || own.kind === 'ExpireOrder' ? [own.orderNumber] : []))
  }

  /**
   * Carries out everything due, and everything that becomes due as a result; returns the answers about
   * orders, in order.
   */
  carryOut(): OrderAccepted[] {
    const replies: OrderAccepted[] = []
    for (let [command] = this.exchange.due(1); command !== undefined; [command] = this.exchange.due(1)) {
      const reply = this.give(command)
      invariant(reply.kind !== 'Refused', () => `what is due is done, found ${JSON.stringify(reply)}`)
      if (reply.kind === 'OrderAccepted') replies.push(reply)
    }
    return replies
  }

  cancel(accountId: AccountId, order: OrderAccepted): Reply {
    const { orderNumber, time } = order
    return this.give({ kind: 'CancelOrder', accountId, orderNumber, orderTime: time })
  }

  /** `free` and `locked` of one asset. */
  money(accountId: AccountId, assetId: number): { free: bigint; locked: bigint } {
    const balance = this.exchange.balances(accountId)[assetId]
    invariant(balance !== undefined, () => `asset ${assetId} must be listed`)
    return { free: bigintOf(balance.free), locked: bigintOf(balance.locked) }
  }

  /** Throws unless the books are right: sums, negative amounts, holds. */
  mustAddUp(): void {
    for (const { asset, sum, negatives, wrongHolds } of this.exchange.audit()) {
      const isSound = sum === 0 && negatives === 0 && wrongHolds === 0
      invariant(isSound, () => `${asset.code}: sum ${sum}, ${negatives} negative, ${wrongHolds} wrong holds`)
    }
  }

  #done(command: Command): Reply {
    const reply = this.give(command)
    invariant(reply.kind !== 'Refused', () => `${command.kind} must be done, found ${JSON.stringify(reply)}`)
    return reply
  }
}
