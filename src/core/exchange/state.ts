/** The whole state of the exchange: commands change it, snapshots store it, and hashes cover it. */
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { type Rate, type Seq, seq, type TimeMs, timeMs } from '../../units/quantities.ts'
import { Ledger } from '../ledger/ledger.ts'
import { sharedRate } from '../ledger/money.ts'
import { References } from '../ledger/references.ts'
import type { OrderBook } from '../market/order-book.ts'
import { BackOffice } from '../operators/back-office.ts'
import type { TradingSymbol } from '../registry/records.ts'
import { Registry, type RegistryLimits } from '../registry/registry.ts'
import { openOrdersInForce, ratesInForce } from '../registry/special-terms.ts'
import { type ClientOrderIdLimits, ClientOrderIds } from '../trading/client-order-ids.ts'
import { mayOutlive, OrderLists, ordersOf } from '../trading/lists/order-lists.ts'
import { OpenOrders, type Order } from '../trading/open-orders.ts'
import { Countdowns } from '../trading/timers/countdowns.ts'
import { Expiries } from '../trading/timers/expiries.ts'
import { MassCancels } from '../trading/timers/mass-cancels.ts'
import { type SessionLimits, TradingSessions } from '../trading/timers/sessions.ts'
import { WithdrawalRequests } from '../withdrawals/withdrawal-requests.ts'
import { Market } from './market.ts'
import { Phases } from './phases.ts'
import { FIRST_RULES_VERSION, KEY_NUMBER_RULES, NUMBER_RULES } from './rules.ts'

/** The parts that are read from a snapshot; markets and open orders are rebuilt from them. */
export type StateParts = {
  readonly seq: Seq
  readonly time: TimeMs
  readonly rulesVersion: number
  readonly nextOrder: number
  readonly nextTrade: number
  readonly registry: Registry
  readonly ledger: Ledger
  readonly references: References
}

export type StateOptions = {
  /** Creates the book of each symbol. */
  readonly createBook: () => OrderBook
  /** `MATCH_STEPS_MAX`, or fewer in tests. */
  readonly matchStepsMax: number
  /** Limits of remembered client order ids; lower in tests. */
  readonly clientOrderIdLimits: ClientOrderIdLimits
  /** Number of orders that a mass cancel examines in its first step and in each later one; lower in tests. */
  readonly massCancelSteps: MassCancelSteps
  /** Limits of sessions; lower in tests. */
  readonly sessionLimits: SessionLimits
  /** Limits of the registry's lists; lower in tests. */
  readonly registryLimits: RegistryLimits
}

export type MassCancelSteps = { readonly first: number; readonly next: number }

export class ExchangeState {
  /** Position and time of the last command applied. */
  seq: Seq
  time: TimeMs
  rulesVersion: number
  /** Numbers of the next order and the next trade. */
  nextOrder: number
  nextTrade: number
  /** The last epoch of the journal for which numbers have jumped; 0 if there is none. */
  epoch = 0
  readonly registry: Registry
  readonly ledger: Ledger
  readonly references: References
  readonly backOffice = new BackOffice()
  readonly withdrawalRequests = new WithdrawalRequests(this.backOffice.withdrawals)
  readonly phases = new Phases()
  readonly orders = new OpenOrders()
  readonly lists = new OrderLists()
  readonly clientOrderIds: ClientOrderIds
  readonly expiries = new Expiries()
  readonly massCancels = new MassCancels()
  readonly countdowns = new Countdowns()
  readonly sessions: TradingSessions
  readonly massCancelSteps: MassCancelSteps
  /** Maximum number of resting orders that one arriving order is matched against. */
  readonly matchStepsMax: number
  /** By symbol id. */
  readonly #markets: Market[] = []
  readonly #marketsByAsset: Market[][] = []
  /**
   * Markets where something may be due: derived from the markets themselves, and so not part of the
   * exchange's state.
   */
  readonly marketsDue = new Set<Market>()
  readonly #createBook: () => OrderBook

  constructor(
    parts: StateParts,
    { createBook, matchStepsMax, clientOrderIdLimits, massCancelSteps, sessionLimits }: StateOptions,
  ) {
    this.seq = parts.seq
    this.time = parts.time
    this.rulesVersion = parts.rulesVersion
    this.nextOrder = parts.nextOrder
    this.nextTrade = parts.nextTrade
    this.registry = parts.registry
    this.ledger = parts.ledger
    this.references = parts.references
    this.#createBook = createBook
    this.matchStepsMax = matchStepsMax
    this.massCancelSteps = massCancelSteps
    this.sessions = new TradingSessions(sessionLimits)
    this.clientOrderIds = new ClientOrderIds(clientOrderIdLimits)
    for (const symbol of this.registry.symbols()) this.openMarket(symbol)
  }

  /** The state before the first command: the house, the outside world, and nothing else. */
  static empty(options: StateOptions): ExchangeState {
    const registry = new Registry(options.registryLimits)
    const ledger = new Ledger()
    for (let i = 0; i < registry.accountCount; i++) ledger.addAccount()
    const references = new References()
    const start = {
      seq: seq(0),
      time: timeMs(0),
      rulesVersion: FIRST_RULES_VERSION,
      nextOrder: 1,
      nextTrade: 1,
    }
    return new ExchangeState({ ...start, registry, ledger, references }, options)
  }

  /** Whether numbers jump where an epoch begins, and the other changes of `NUMBER_RULES`. */
  get hasNumberRules(): boolean {
    return this.rulesVersion >= NUMBER_RULES
  }

  /** Whether an order may name the key that placed it. */
  get hasKeyNumbers(): boolean {
    return this.rulesVersion >= KEY_NUMBER_RULES
  }

  get markets(): readonly Market[] {
    return this.#markets
  }

  /** The markets in which an asset is bought or sold, in the order of their listing. */
  marketsOf(assetId: AssetId): readonly Market[] {
    return this.#marketsByAsset[assetId] ?? []
  }

  market(symbolId: SymbolId): Market | undefined {
    return this.#markets[symbolId]
  }

  /** Creates the market of a listed symbol. */
  openMarket(symbol: TradingSymbol): void {
    invariant(
      symbol.id === this.#markets.length,
      () => `symbol ${symbol.id} must be the next market, ${this.#markets.length}`,
    )
    const market = new Market(symbol, this.#createBook(), this.ledger)
    this.#markets.push(market)
    for (const asset of [symbol.base, symbol.quote]) {
      this.#marketsByAsset[asset] ??= []
      this.#marketsByAsset[asset].push(market)
    }
  }

  /** Removes an order that is no longer open. */
  closeOrder(order: Order): void {
    if (!this.massCancels.isEmpty) this.massCancels.passOver(order, this.orders.olderThan(order.number))
    this.orders.remove(order)
    if (this.expiries.count > 0) this.expiries.remove(order.number)
    if (this.sessions.orderCount > 0) this.sessions.leave(order.number)
    this.clientOrderIds.end(order.number, this.time)
    if (this.lists.count > 0) this.#leaveList(order)
  }

  /** Removes an order from its list, which is remembered as open while one of its orders is. */
  #leaveList({ number }: Order): void {
    const list = this.lists.of(number)
    if (list === undefined) return
    if (ordersOf(list).some((each) => this.orders.has(each))) {
      invariant(
        mayOutlive(list, number),
        () =>
          `order ${number} has ended, but orders of its list ${list.number} that must end with it are open`,
      )
      return
    }
    this.lists.remove(list)
    this.clientOrderIds.end(list.number, this.time)
  }

  isTrader(accountId: AccountId): boolean {
    return this.registry.account(accountId)?.role === 'trader'
  }

  /** The rate that an account pays if the symbol's rate is `rate`. */
  rateOf(accountId: AccountId, share: 'makerShare' | 'takerShare', rate: Rate): Rate {
    if (this.registry.isPlainTrader(accountId)) return rate
    const account = this.registry.account(accountId)
    const own = ratesInForce(account?.special, this.time)
    if (own !== undefined) return share === 'makerShare' ? own.makerRate : own.takerRate
    const name = account?.feeTier
    if (name === undefined) return rate
    const tier = this.backOffice.feeTiers.get(name)
    invariant(tier !== undefined, () => `fee tier ${name} of account ${accountId} must exist`)
    return sharedRate(rate, tier[share])
  }

  /** Maximum number of open orders of an account in a symbol. */
  openOrdersMax(accountId: AccountId, symbol: TradingSymbol): number {
    if (this.registry.isPlainTrader(accountId)) return symbol.openOrdersMax
    const account = this.registry.account(accountId)
    const own = openOrdersInForce(account?.special, this.time)
    return own?.max ?? account?.openOrdersMax ?? symbol.openOrdersMax
  }

  isTradable({ symbol }: Market): boolean {
    const base = this.registry.asset(symbol.base)
    const quote = this.registry.asset(symbol.quote)
    return base?.isTrade === true && quote?.isTrade === true
  }
}
