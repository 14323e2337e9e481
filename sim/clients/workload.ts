/**
 * Random commands of every kind, most of them sensible, some wrong on purpose. It looks at the second bookkeeper to
 * know what exists; whether the exchange takes a command is not its business.
 */

import type { Command, CommandOf, TraderCommand } from '../../src/core/exchange/command.ts'
import type {
  MarketBuyOrder,
  MarketSellOrder,
  OrderFigures,
  PlaceOrder,
} from '../../src/core/exchange/commands/orders.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../src/units/ids.ts'
import {
  CANCEL_REPLACE_MODES,
  CANCEL_RESTRICTIONS,
  SELF_TRADE_MODES,
  SIDES,
  type Side,
  SYMBOL_STATES,
  type TimeInForce,
} from '../../src/units/order-words.ts'
import {
  amount,
  type Decimals,
  type Lots,
  type Price,
  type Rate,
  type TimeMs,
} from '../../src/units/quantities.ts'
import { isStrict, NEWEST_RULES } from '../../test/oracle/administered.ts'
import type { ShadowState } from '../checkers/shadow-state.ts'
import { AHEAD_MOST_MS } from '../checkers/shadow-timers.ts'
import type { ClientKind } from '../profile.ts'
import type { Random } from '../world/random.ts'
import { type Administration, drawAdministration, newest } from './administration.ts'
import { onIncrements } from './increments.ts'
import { drawAmendment, drawTarget } from './order-changes.ts'
import { ListWorkload } from './order-lists.ts'
import { drawDisconnect, drawOpenSession, inSession } from './sessions.ts'
import { drawWithdrawing } from './withdrawals.ts'

export type WorkloadOptions = {
  readonly random: Random
  readonly weights: Readonly<Record<ClientKind, number>>
  readonly hostility: number
  readonly state: () => ShadowState
}

/** Prices of every market move around this many ticks. */
const PRICE_MIDDLE = 1_000
/** Most orders that may be sent again. */
const SENT_MOST = 30
const PLENTY = 10n ** 9n

export class Workload {
  readonly #options: WorkloadOptions
  readonly #random: Random
  #tag = 0
  /** The last orders with an id. */
  readonly #sent: PlaceOrder[] = []
  /** The last replacement whose new order has an id. */
  #replaced: Command | undefined

  readonly #lists: ListWorkload

  constructor(options: WorkloadOptions) {
    this.#options = options
    this.#random = options.random
    this.#lists = new ListWorkload(options.random, {
      trader: () => this.#trader(),
      symbol: () => this.#symbol(),
      id: () => this.#clientOrderId(),
      middle: PRICE_MIDDLE,
    })
  }

  /** What has become of a command is not known to its client. */
  lost(command: Command): void {
    if (command.kind === 'PlaceList') this.#lists.lost(command)
  }

  /** Whether it was so before, and the command was sent again. */
  wasLost(command: Command): boolean {
    return this.#lists.wasLost(command)
  }

  get #state(): ShadowState {
    return this.#options.state()
  }

  next(): Command {
    return this.of(this.#random.weighted(this.#options.weights))
  }

  of(kind: ClientKind): Command {
    const isHostile = this.#random.chance(this.#options.hostility)
    switch (kind) {
      case 'PlaceOrder':
        return isHostile ? this.#hostileOrder() : this.#order()
      case 'CancelOrder':
        return this.#cancel(isHostile)
      case 'CancelClientOrder': {
        const { accountId, clientOrderId = 'none' } =
          this.#sent.length === 0 ? this.#newOrder() : this.#random.pick(this.#sent)
        return { kind, accountId: isHostile ? this.#trader() : accountId, clientOrderId }
      }
      case 'AmendOrder':
        return { kind, ...drawAmendment(this.#random, this.#state, isHostile) }
      case 'ReplaceOrder':
        return this.#replace(isHostile)
      case 'CancelAllOrders':
        return { kind, ...this.#scope(isHostile) }
      case 'SetCountdown': {
        const countdownMs = isHostile ? 86_400_001 : this.#random.pick([0, this.#random.between(1, 900)])
        return { kind, ...this.#scope(false), countdownMs, keepsStops: this.#random.chance(0.5) }
      }
      case 'OpenSession':
        return drawOpenSession(this.#random, this.#state, isHostile)
      case 'DisconnectSession':
        return drawDisconnect(this.#random, this.#state, isHostile)
      case 'PlaceList':
        return this.#lists.place(this.#state, isHostile)
      case 'CancelList':
        return this.#lists.cancel(this.#state, isHostile)
      case 'CancelClientList':
        return this.#lists.cancelById(isHostile)
      case 'AskWithdrawal':
      case 'RetractWithdrawal':
      case 'SetOwnAddress':
        return drawWithdrawing(kind, this.#random, this.#state, this.#transfer(isHostile), isHostile)
      case 'MarkTime':
        return { kind }
      case 'Credit':
      case 'Debit':
        return { kind, ...this.#transfer(isHostile) }
      case 'MoveBetweenBuckets':
        return { kind, ...this.#transfer(isHostile), from: this.#bucket(), to: this.#bucket() }
      case 'ListAsset':
      case 'SetAssetFlags':
      case 'ListSymbol':
      case 'SetSymbolState':
      case 'SetSymbolRates':
      case 'CreateAccount':
      case 'CreateApiKey':
      case 'SetApiKeyEnabled':
      case 'SetRulesVersion':
        return this.#operatorCommand(kind, isHostile)
      default:
        return drawAdministration(kind, this.#random, this.#state, {
          isHostile,
          operator: () => this.#operator(),
          transfer: () => this.#transfer(isHostile),
          symbol: () => this.#symbolName(isHostile && this.#random.chance(0.5)),
        })
    }
  }

  /** An order that breaks the machine that applies it. */
  poison(): Command {
    return { ...this.#newOrder(), clientOrderId: `poison-${this.#random.bits()}` }
  }

  #operatorCommand(
    kind: Exclude<
      ClientKind,
      TraderCommand['kind'] | 'MarkTime' | 'Credit' | 'Debit' | 'MoveBetweenBuckets' | Administration['kind']
    >,
    isHostile: boolean,
  ): Command {
    const random = this.#random
    const operator = this.#operator()
    switch (kind) {
      case 'ListAsset': {
        const supplyCap = amount(random.chance(0.5) ? 0n : 10n ** 13n)
        const code = isHostile ? random.pick(['', 'bad code', 'A'.repeat(17)]) : `ASSET${random.below(12)}`
        return {
          kind,
          operator,
          code,
          name: 'an asset',
          fraction: random.between(2, 8) as Decimals,
          flags: { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true },
          supplyCap,
        }
      }
      case 'SetAssetFlags':
        return { kind, operator, code: this.#code(isHostile), flags: this.#flags() }
      case 'ListSymbol':
        return this.#listSymbol(isHostile)
      case 'SetSymbolState': {
        const state = random.chance(0.85) ? 'TRADING' : random.pick(SYMBOL_STATES)
        const over = this.#state.symbols.find((symbol) => symbol.state === 'DELISTED')?.name
        const symbol = over !== undefined && random.chance(0.1) ? over : this.#symbolName(isHostile)
        // Where a delisted symbol stays so, few are delisted: else trading would soon end.
        const isKept = state === 'DELISTED' && isStrict(this.#state) && random.chance(0.5)
        return { kind, operator, symbol, state: isKept ? 'HALTED' : state }
      }
      case 'SetSymbolRates': {
        const rates = { makerRate: this.#rate(isHostile), takerRate: this.#rate(isHostile) }
        return { kind, operator, symbol: this.#symbolName(isHostile && random.chance(0.5)), ...rates }
      }
      case 'CreateAccount': {
        const name = isHostile
          ? random.pick(['', 'rounding:A/B', 'outside', 'x'.repeat(201)])
          : `trader ${random.below(60)}`
        return { kind, operator, name }
      }
      case 'CreateApiKey':
        return this.#apiKey(isHostile)
      case 'SetApiKeyEnabled':
        return {
          kind,
          operator,
          apiKey: `key ${random.below(isHostile ? 1e9 : 40)}`,
          enabled: random.chance(0.7),
        }
      case 'SetRulesVersion':
        return { kind, operator, version: random.pick([0, 1, 2, NEWEST_RULES, NEWEST_RULES + 1, 2 ** 32]) }
    }
  }

  /** A new order, or one that was sent before: the very same, or another one under its id. */
  #order(): PlaceOrder {
    const random = this.#random
    if (this.#sent.length > 0 && random.chance(0.1)) {
      const order = random.pick(this.#sent)
      return random.chance(0.6) ? order : { ...this.#newOrder(), clientOrderId: order.clientOrderId }
    }
    const order = this.#newOrder()
    if (order.clientOrderId !== undefined) this.#sent.push(order)
    if (this.#sent.length > SENT_MOST) this.#sent.shift()
    return order
  }

  /** An order for another one, mostly in its symbol; or one that was sent before. */
  #replace(isHostile: boolean): Command {
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

  #newOrder(): PlaceOrder {
    const random = this.#random
    const symbol = this.#symbol()
    const side = random.pick(SIDES)
    const base = {
      kind: 'PlaceOrder' as const,
      accountId: this.#trader(),
      symbolId: (symbol?.id ?? 0) as SymbolId,
      selfTradeMode: random.chance(0.5) ? undefined : random.pick(SELF_TRADE_MODES),
      clientOrderId: this.#clientOrderId(),
    }
    const of = (figures: OrderFigures) => onIncrements(random, symbol, { ...base, ...figures })
    if (random.chance(0.12)) return inSession(random, this.#state, of(this.#stop(symbol, side)))
    const figures = random.chance(0.8) ? this.#limit(symbol, side) : this.#market(symbol, side)
    return inSession(random, this.#state, of(figures))
  }

  /** Waits for a price near the middle: some are reached at once, most soon. */
  #stop(symbol: TradingSymbol | undefined, side: Side): OrderFigures {
    const random = this.#random
    const last = this.#state.lastPrices[symbol?.id ?? -1] ?? PRICE_MIDDLE
    const stopPrice = (last + random.between(-6, 6)) as Price
    const isStopLoss = random.chance(0.5)
    if (random.chance(0.6)) {
      const { price, quantity, total } = this.#limit(symbol, side)
      const timeInForce = random.pick(['GTC', 'GTC', 'IOC', 'FOK', 'GTD'] as const)
      const type = isStopLoss ? 'STOP_LOSS_LIMIT' : 'TAKE_PROFIT_LIMIT'
      const figures = { price: price ?? stopPrice, quantity: quantity ?? (1 as Lots), total }
      return { type, side, timeInForce, stopPrice, ...figures, ...this.#ending(timeInForce) }
    }
    const type = isStopLoss ? 'STOP_LOSS' : 'TAKE_PROFIT'
    const figures = this.#market(symbol, side)
    if (figures.side === 'BUY') {
      return { type, side: 'BUY', total: figures.total, quantity: figures.quantity, stopPrice }
    }
    return { type, side: 'SELL', quantity: figures.quantity, stopPrice }
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

  /** Mostly soon after the last command; sometimes over, or beyond what is allowed. */
  #ending(timeInForce: TimeInForce): { readonly expireTime?: TimeMs } {
    if (timeInForce !== 'GTD') return {}
    const random = this.#random
    const afterMs = random.chance(0.02) ? AHEAD_MOST_MS + 100_000 : random.between(-20, 1_500)
    return { expireTime: Math.max(0, this.#state.time + afterMs) as TimeMs }
  }

  /** What an order shows at a time, where it hides anything: now and then too much, or too little. */
  #part(quantity: number): Lots | undefined {
    const random = this.#random
    if (this.#state.rulesVersion < NEWEST_RULES || !random.chance(0.15)) return undefined
    return (random.chance(0.1) ? quantity + 1 : Math.ceil(quantity / random.between(1, 6))) as Lots
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
        if (order.stopPrice !== undefined) return { ...order, stopPrice: 0 as Price }
        return { ...order, total: amount(this.#random.chance(0.5) ? -1n : 2n ** 130n) }
      case 5:
        return { ...order, symbolId: (this.#random.bits() + 100) as SymbolId }
      case 6:
        return { ...order, accountId: this.#random.pick([0, 1, 2, 10 ** 9]) as AccountId }
      default:
        return { ...order, quantity: this.#random.chance(0.5) ? (1 as Lots) : ((2 ** 52) as Lots) }
    }
  }

  /** An account, and one of the symbols or all of them. */
  #scope(isHostile: boolean): { readonly accountId: AccountId; readonly symbolId: SymbolId | undefined } {
    const random = this.#random
    const isOther = isHostile && random.chance(0.5)
    const accountId = (isOther ? random.pick([0, 10 ** 9]) : this.#trader()) as AccountId
    if (random.chance(0.5)) return { accountId, symbolId: undefined }
    const symbolId = isHostile ? random.bits() + 100 : (this.#symbol()?.id ?? 0)
    return { accountId, symbolId: symbolId as SymbolId }
  }

  #cancel(isHostile: boolean): Command {
    const random = this.#random
    const open = [...this.#state.orders.values()]
    const order = open.length === 0 ? undefined : random.pick(open)
    const isOther = isHostile && random.chance(0.5)
    const number = isOther || order === undefined ? random.below(this.#state.lastOrder + 2) : order.number
    return {
      kind: 'CancelOrder',
      accountId: (isHostile ? this.#trader() : (order?.account ?? 0)) as AccountId,
      orderNumber: number as OrderNumber,
      orderTime: ((order?.time ?? 0) + (isHostile ? random.below(2) : 0)) as TimeMs,
    }
  }

  #transfer(isHostile: boolean): Omit<CommandOf<'Credit'>, 'kind'> {
    const random = this.#random
    const amounts = isHostile ? [0n, -5n, 2n ** 127n, 2n ** 127n - 1n] : [1n, PLENTY, 10n * PLENTY, 7_777n]
    return {
      operator: this.#operator(),
      accountId: (isHostile && random.chance(0.5)
        ? random.pick([0, 1, 10 ** 9])
        : this.#trader()) as AccountId,
      asset: this.#code(isHostile && random.chance(0.3)),
      amount: amount(random.pick(amounts)),
      reference: random.chance(0.2) ? `reference ${random.below(20)}` : `reference ${random.bits()}`,
    }
  }

  #listSymbol(isHostile: boolean): Command {
    const random = this.#random
    const [base, quote] = [this.#code(isHostile && random.chance(0.3)), this.#code(false)]
    const fractionOf = (code: string): number => {
      return this.#state.assets.find((asset) => asset.code === code)?.fraction ?? 0
    }
    return {
      kind: 'ListSymbol',
      operator: this.#operator(),
      base,
      quote,
      terms: {
        baseFraction: random.between(0, Math.min(4, fractionOf(base)) + (isHostile ? 9 : 0)) as Decimals,
        quoteFraction: random.between(0, Math.min(3, fractionOf(quote))) as Decimals,
        makerRate: this.#rate(isHostile),
        takerRate: this.#rate(false),
        minTotal: amount(random.pick([0n, 0n, 50n])),
        minQuantity: random.pick([0, 0, 3]) as Lots,
        selfTradeMode: random.pick(SELF_TRADE_MODES),
        openOrdersMax: random.pick([4, 30, 200]),
        levelsMax: random.pick([5, 12, 200]),
      },
    }
  }

  #apiKey(isHostile: boolean): Command {
    const random = this.#random
    const trader = random.chance(0.2) ? newest(this.#state) : this.#trader()
    return {
      kind: 'CreateApiKey',
      operator: this.#operator(),
      accountId: (isHostile ? random.pick([0, 1, 10 ** 9]) : trader) as AccountId,
      apiKey: `key ${random.below(200)}`,
      sealedSecret: new Uint8Array(isHostile && random.chance(0.5) ? 0 : 40),
      permissions: ['TRADE', 'WALLET'],
      addresses: [],
      label: '',
    }
  }

  /** One of two people, so that approvals are now and then somebody else's. */
  #operator() {
    const actor = this.#random.pick(['operator', 'token-0', 'token-1', 'token-2', 'token-3'])
    return { actor, note: this.#tagged() }
  }

  /** Nearly always one that no other order has; none where the rules have no meaning for it. */
  #clientOrderId(): string | undefined {
    if (this.#state.rulesVersion < NEWEST_RULES || this.#random.chance(0.1)) return undefined
    return `${++this.#tag}-${this.#random.bits()}`
  }

  /** A text that no other command of the run has: it distinguishes the command in the journal. */
  #tagged(): string {
    return `${++this.#tag} ${this.#random.bits()}`
  }

  #trader(): AccountId {
    const traders = this.#state.accounts.flatMap(({ id, role }) => (role === 'trader' ? [id] : []))
    // Few trade much: they meet one another, and themselves.
    return (traders.length === 0 ? 0 : this.#random.pick(traders.slice(0, 6))) as AccountId
  }

  #symbol(): TradingSymbol | undefined {
    const { symbols } = this.#state
    return symbols.length === 0 ? undefined : this.#random.pick(symbols.slice(0, 3))
  }

  #symbolName(isUnknown: boolean): string {
    return isUnknown ? 'NO/SUCH' : (this.#symbol()?.name ?? 'A/B')
  }

  #code(isUnknown: boolean): string {
    const { assets } = this.#state
    return isUnknown || assets.length === 0 ? 'NOSUCH' : this.#random.pick(assets.slice(0, 5)).code
  }

  #flags() {
    const random = this.#random
    return {
      isDeposit: random.chance(0.9),
      isWithdraw: random.chance(0.9),
      isTrade: random.chance(0.95),
      isSaving: random.chance(0.9),
    }
  }

  #bucket() {
    return this.#random.pick(['free', 'free', 'freeze', 'savings'] as const)
  }

  #rate(isHostile: boolean): Rate {
    return this.#random.pick(isHostile ? [10 ** 8, 2 ** 40] : [0, 100_000, 123_457, 5_000_000]) as Rate
  }
}
