/**
 * The exchange as one deterministic machine: a pure function of state and command. It has no clock, no
 * randomness and no I/O, so every replay of the same journal reaches the same state, to the bit.
 */
import { ByteReader, ByteWriter } from '../../units/bytes.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { CANCEL_ORDERS_MAX, MASS_CANCEL_STEPS_MAX, MATCH_STEPS_MAX } from '../../units/limits.ts'
import { type Amount, NO_AMOUNT, type Seq, seq, type TimeMs, timeMs } from '../../units/quantities.ts'
import { NO_RECORD } from '../../units/record-index.ts'
import type { Command, EngineCommand } from '../commands/command.ts'
import { RulesFloorFault, requireChoice, rulesNeededBy } from '../commands/command-rules.ts'
import type { PlaceOrder } from '../commands/orders.ts'
import type { EventSink } from '../events/event.ts'
import { amountSum, commissionDue } from '../ledger/money.ts'
import { HELD_WITHDRAWALS_SHOWN_MAX, type Withdrawal } from '../ledger/withdrawals.ts'
import { FastBook } from '../market/fast-book.ts'
import type { OrderBook } from '../market/order-book.ts'
import { type Reply, refused } from '../questions/reply.ts'
import {
  type AccountWithdrawals,
  type Approval,
  type Balance,
  type BookView,
  type Bootstrap,
  type ClientList,
  type ClientListQuery,
  type ClientOrderAnswer,
  type ClientOrderQuery,
  OPEN_ORDERS_PAGE_MAX,
  OPEN_ORDERS_READ_MAX,
  type OpenOrder,
  type OpenOrdersPage,
  type OpenOrdersQuery,
  type OrdersByNumberQuery,
} from '../questions/view.ts'
import type { Asset, TradingSymbol } from '../registry/records.ts'
import { REGISTRY_LIMITS, type RegistryLimits } from '../registry/registry.ts'
import { readState, writeState } from '../snapshot/snapshot.ts'
import { carriedOf } from '../trading/carried.ts'
import { CLIENT_ORDER_ID_LIMITS, type ClientOrderIdLimits } from '../trading/client-order-ids.ts'
import { dueCommands } from '../trading/due.ts'
import { placedOrder } from '../trading/identified-order.ts'
import { isPendingIn, placeIn } from '../trading/lists/order-lists.ts'
import type { Order, OrderStop } from '../trading/open-orders.ts'
import { setAside } from '../trading/set-aside.ts'
import { testOrder } from '../trading/test-order.ts'
import { disconnectSessions } from '../trading/timers/session-commands.ts'
import { isOverAt, SESSION_LIMITS, type SessionLimits } from '../trading/timers/sessions.ts'
import { cancelOrder, placeOrder } from '../trading/trading.ts'
import { type AssetAudit, audit, auditAsset } from './audit.ts'
import { operate } from './operate.ts'
import { phaseRefusal } from './phases.ts'
import { belowFloor, FIRST_RULES_VERSION, RULES_VERSION } from './rules.ts'
import { ExchangeState, type MassCancelSteps, type StateOptions } from './state.ts'
import type { TestedOrder } from './tested-order.ts'

const NO_BALANCE = { free: NO_AMOUNT, locked: NO_AMOUNT, freeze: NO_AMOUNT, savings: NO_AMOUNT }

export type ExchangeOptions = {
  /** Creates the book of each symbol; the fast one unless a test requests another. */
  readonly createBook?: () => OrderBook
  /**
   * Maximum number of resting orders that one arriving order is matched against: the rules' value, or fewer
   * in a test.
   */
  readonly matchStepsMax?: number
  /**
   * Limits of the number of remembered client order ids and of the time they are remembered: the rules'
   * values, or lower ones in a test.
   */
  readonly clientOrderIdLimits?: ClientOrderIdLimits
  /** Number of orders that a mass cancel checks: the rules' value, or fewer in a test. */
  readonly massCancelSteps?: MassCancelSteps
  /** Maximum number of sessions: the rules' value, or fewer in a test. */
  readonly sessionLimits?: SessionLimits
  /** Limits of the registry's lists: the rules' values, or lower in a test. */
  readonly registryLimits?: RegistryLimits
  /** The oldest rules that the first command may choose; absent if it need not choose any. */
  readonly rulesMin?: number
}

function stateOptions(options: ExchangeOptions): StateOptions {
  return {
    createBook: options.createBook ?? (() => new FastBook()),
    matchStepsMax: options.matchStepsMax ?? MATCH_STEPS_MAX,
    clientOrderIdLimits: options.clientOrderIdLimits ?? CLIENT_ORDER_ID_LIMITS,
    massCancelSteps: options.massCancelSteps ?? { first: CANCEL_ORDERS_MAX, next: MASS_CANCEL_STEPS_MAX },
    sessionLimits: options.sessionLimits ?? SESSION_LIMITS,
    registryLimits: options.registryLimits ?? REGISTRY_LIMITS,
  }
}

export class Exchange {
  readonly #state: ExchangeState
  readonly rulesMin: number

  constructor(options: ExchangeOptions = {}, state?: ExchangeState) {
    this.rulesMin = options.rulesMin ?? FIRST_RULES_VERSION
    this.#state = state ?? ExchangeState.empty(stateOptions(options))
  }

  /**
   * Reads the output of `encodeSnapshot`; throws `BytesFault` for anything else, and `RulesFloorFault` if the
   * state has applied a command and its rules are below `rulesMin`.
   */
  static decodeSnapshot(bytes: Uint8Array, options: ExchangeOptions = {}): Exchange {
    const state = readState(new ByteReader(bytes), stateOptions(options))
    const { rulesVersion, registry } = state
    const isUsed = rulesVersion !== FIRST_RULES_VERSION || registry.assets().length > 0
    if (isUsed && rulesVersion < (options.rulesMin ?? FIRST_RULES_VERSION))
      throw new RulesFloorFault(`the snapshot is ${belowFloor(rulesVersion)}`)
    return new Exchange(options, state)
  }

  /** The whole state as bytes. Equal states give equal bytes: their hash is the state hash. */
  encodeSnapshot(): Uint8Array<ArrayBuffer> {
    const writer = new ByteWriter(1 << 16)
    writeState(writer, this.#state)
    return writer.take()
  }

  /** Sequence number of the last command applied; 0 before the first. */
  get seq(): Seq {
    return this.#state.seq
  }

  /** Number of the newest trade; 0 if there was none. Numbers rise, mostly by 1. */
  get tradeCount(): number {
    return this.#state.nextTrade - 1
  }

  /** The last epoch of the journal for which numbers have jumped; 0 if there is none. */
  get epoch(): number {
    return this.#state.epoch
  }

  /** The rules under which commands are applied. */
  get rulesVersion(): number {
    return this.#state.rulesVersion
  }

  /** Time of the last command applied. */
  get time(): TimeMs {
    return this.#state.time
  }

  /**
   * Applies the next command at `time`, which never runs backwards. Events go to `emit` as they happen. A
   * refusal is an answer; an exception is a bug, after which this exchange must not be used.
   */
  apply(command: Command, time: TimeMs, emit: EventSink): Reply {
    const before = this.#state.time
    const state = this.#advance(time)
    if (state.rulesVersion !== RULES_VERSION) {
      if (state.rulesVersion < this.rulesMin) requireChoice(command, this.rulesMin)
      if (rulesNeededBy(command) > state.rulesVersion) return refused('RULES_VERSION_TOO_LOW')
    }
    const phase = phaseRefusal(command.kind, state.phases.at(time))
    if (phase !== undefined) return refused(phase)
    switch (command.kind) {
      // Most commands of every journal, applied without the table (`npm run bench -- core`).
      case 'PlaceOrder':
        return placeOrder(state, command, emit)
      case 'CancelOrder':
        return cancelOrder(state, command, emit)
      case 'DisconnectSessions':
        return disconnectSessions(state, before)
      default:
        return operate(state, command, emit)
    }
  }

  /**
   * Takes the place of a quarantined command, whose application is a known bug. Its only effect is that an
   * order which the engine was to carry out is set aside: it stays open, and the engine does not try again.
   * `command`: the skipped command, if it is one of the engine's own.
   */
  refuse(time: TimeMs, command?: EngineCommand): Reply {
    const state = this.#advance(time)
    if (command !== undefined) setAside(state, command)
    return refused('INTERNAL_ERROR')
  }

  /**
   * The commands that the engine must issue itself at `time`: at most `max`, to be applied in this order
   * before any other.
   */
  due(max: number, time: TimeMs = this.#state.time, stepsMax = Number.POSITIVE_INFINITY): EngineCommand[] {
    return dueCommands(this.#state, max, time, stepsMax)
  }

  /**
   * The earliest time at which something becomes due without another command; undefined if nothing waits for
   * a time.
   */
  get dueAt(): TimeMs | undefined {
    const { expiries, countdowns, sessions, phases } = this.#state
    const times = [expiries.firstTime, countdowns.firstTime, sessions.firstTime, phases.firstTime]
    return times.reduce((first, time) => (time === undefined || (first ?? time) < time ? first : time))
  }

  /**
   * Whether any session has a connection or waits for one. After a restart of the engine no session has one.
   */
  get hasSessions(): boolean {
    return this.#state.sessions.all().some((session) => !isOverAt(session, this.#state.time))
  }

  /** The outcome of an order at `time`, which is not before the last command's time; changes nothing. */
  testOrder(command: PlaceOrder, time: TimeMs = this.#state.time): TestedOrder {
    const state = this.#state
    if (rulesNeededBy(command) > state.rulesVersion) return refused('RULES_VERSION_TOO_LOW')
    const { time: last } = state
    state.time = timeMs(Math.max(last, time))
    try {
      return testOrder(state, command)
    } finally {
      state.time = last
    }
  }

  /** The order that is remembered under a client order id of an account. */
  clientOrder({ accountId, clientOrderId }: ClientOrderQuery): ClientOrderAnswer {
    const { clientOrderIds, orders, time } = this.#state
    const known = clientOrderIds.find(accountId, clientOrderId)
    if (known === undefined || known.kind === 'LIST') return { order: undefined, time }
    const { orderNumber, time: placedAt, symbolId } = placedOrder(known)
    const isOpen = orders.has(orderNumber)
    return { order: { orderNumber, time: placedAt, symbolId, isOpen }, time }
  }

  /** The list that is remembered under a client order id of an account. */
  clientList({ accountId, listClientOrderId }: ClientListQuery): ClientList | undefined {
    const known = this.#state.clientOrderIds.find(accountId, listClientOrderId)
    if (known?.kind !== 'LIST') return undefined
    const { listNumber, time, list: kind } = known.answer
    return { listNumber, time, kind }
  }

  /** Open orders of an account, newest first. */
  openOrders(accountId: AccountId, symbolId: SymbolId | undefined): OpenOrder[] {
    return this.#state.orders.ofAccount(accountId, symbolId).map((order) => this.#openOrder(order))
  }

  /** Open orders of an account, newest first, in steps of bounded work. */
  openOrdersPage(query: OpenOrdersQuery): OpenOrdersPage {
    const { orders } = this.#state
    const { orders: found, next } = orders.page(query, OPEN_ORDERS_PAGE_MAX, OPEN_ORDERS_READ_MAX)
    const total = orders.count(query.accountId, query.symbolId)
    return { orders: found.map((order) => this.#openOrder(order)), total, next }
  }

  /** The orders with these numbers that are open and belong to the account, in the order of the numbers. */
  ordersByNumber({ accountId, orderNumbers }: OrdersByNumberQuery): OpenOrder[] {
    return orderNumbers.flatMap((number) => {
      const order = this.#state.orders.get(number)
      return order?.accountId === accountId ? [this.#openOrder(order)] : []
    })
  }

  /** An open order; undefined if there is none with this number. */
  openOrder(orderNumber: OrderNumber): OpenOrder | undefined {
    const order = this.#state.orders.get(orderNumber)
    return order === undefined ? undefined : this.#openOrder(order)
  }

  isOpen(orderNumber: OrderNumber): boolean {
    return this.#state.orders.has(orderNumber)
  }

  /** Every open order that was partly executed, reduced or amended, or that is no longer pending. */
  begunOrders(): OpenOrder[] {
    const { orders, lists } = this.#state
    const begun = orders.begun()
    const activated = lists.activated().flatMap((number) => orders.get(number) ?? [])
    const known = new Set(begun.map(({ number }) => number))
    return [...begun, ...activated.filter(({ number }) => !known.has(number))].map((order) =>
      this.#openOrder(order),
    )
  }

  /** One balance per listed asset, in the order of listing; all zero for an unknown account. */
  balances(accountId: AccountId): Balance[] {
    const { registry } = this.#state
    const isKnown = registry.account(accountId) !== undefined
    return registry
      .assets()
      .map(({ id }) => (isKnown ? this.balance(accountId, id) : { assetId: id, ...NO_BALANCE }))
  }

  /**
   * The balance of a known account in a listed asset; in the middle of a command, as of its events so far.
   */
  balance(accountId: AccountId, assetId: AssetId): Balance {
    const holdings = this.#state.ledger.holdings(assetId)
    const row = holdings.find(accountId)
    if (row === NO_RECORD) return { assetId, ...NO_BALANCE }
    return {
      assetId,
      free: holdings.unitsAt(row, 'free'),
      locked: holdings.unitsAt(row, 'locked'),
      freeze: holdings.unitsAt(row, 'freeze'),
      savings: holdings.unitsAt(row, 'savings'),
    }
  }

  /** The part of an account's balance that is not in savings. */
  spot(accountId: AccountId, assetId: AssetId): Amount {
    const holdings = this.#state.ledger.holdings(assetId)
    const row = holdings.find(accountId)
    if (row === NO_RECORD) return NO_AMOUNT
    const traded = amountSum(holdings.unitsAt(row, 'free'), holdings.unitsAt(row, 'locked'))
    return amountSum(traded, holdings.unitsAt(row, 'freeze'))
  }

  /**
   * The withdrawal addresses of a known account, its stored withdrawal requests, and withdrawals held for it
   * by operators.
   */
  accountWithdrawals(accountId: AccountId): AccountWithdrawals {
    const { withdrawalRequests, backOffice } = this.#state
    const held = backOffice.withdrawals.heldByOperators(accountId, HELD_WITHDRAWALS_SHOWN_MAX).reverse()
    return {
      addresses: withdrawalRequests.addresses.of(accountId),
      withdrawals: withdrawalRequests.asked.of(accountId),
      held,
    }
  }

  /**
   * Undefined unless the withdrawal is remembered. A withdrawal whose money has left is remembered forever.
   */
  withdrawal(reference: string): Withdrawal | undefined {
    return this.#state.backOffice.withdrawals.get(reference)
  }

  /** A symbol's whole book, best prices first. */
  book(symbolId: SymbolId): BookView {
    const { book } = this.#market(symbolId)
    const levels = (side: 'BUY' | 'SELL') => book.levels(side, book.levelCount(side))
    return { symbolId, sell: levels('SELL'), buy: levels('BUY') }
  }

  /** All symbols, in the order of listing. */
  symbols(): readonly TradingSymbol[] {
    return this.#state.registry.symbols()
  }

  /** All assets, in the order of listing. */
  assets(): readonly Asset[] {
    return this.#state.registry.assets()
  }

  /** Requests that wait for a second person, or have expired and are not yet removed, oldest first. */
  approvals(): Iterable<Approval> {
    return this.#state.backOffice.approvals.values()
  }

  /** The initial state of a read model. */
  bootstrap(): Bootstrap {
    const { registry, seq, time, rulesVersion, markets, backOffice, phases } = this.#state
    return {
      seq,
      time,
      rulesVersion,
      assets: registry.assets(),
      symbols: registry.symbols(),
      accounts: registry.accounts(),
      apiKeys: registry.apiKeys(),
      books: markets.map(({ symbol }) => this.book(symbol.id)),
      ...(backOffice.isEmpty ? {} : { backOffice: backOffice.records() }),
      ...(phases.isUnused ? {} : { phases: phases.records }),
    }
  }

  /** Adds up every asset over all accounts, and every hold over all open orders. */
  audit(): AssetAudit[] {
    return audit(this.#state)
  }

  /** Number of listed assets: their ids are 0 up to this, exclusive. */
  get assetCount(): number {
    return this.#state.registry.assets().length
  }

  /** Adds up one listed asset, in time that does not depend on the others. */
  auditAsset(assetId: AssetId): AssetAudit {
    const asset = this.#state.registry.asset(assetId)
    invariant(asset !== undefined, () => `asset ${assetId} must be listed`)
    return auditAsset(this.#state, asset)
  }

  #openOrder(order: Order): OpenOrder {
    const { type, timeInForce, selfTradeMode } = order.terms
    const list = this.#state.lists.of(order.number)
    return {
      ...carriedOf(order),
      orderNumber: order.number,
      time: order.time,
      accountId: order.accountId,
      symbolId: order.symbolId,
      side: order.side,
      type,
      timeInForce,
      price: order.price,
      quantity: order.quantity,
      askedQuantity: order.askedQuantity,
      selfTradeMode,
      executedQuantity: order.executedQuantity,
      executedNotional: order.executedNotional,
      commission: commissionDue(order.commission),
      remaining: order.remaining,
      updatedAt: order.updatedAt,
      stop: order.stop && shownStop(order.stop),
      clientOrderId: this.#state.clientOrderIds.idOfOpen(order.number),
      icebergQuantity: order.icebergQuantity,
      inList: list && placeIn(list, order.number),
      isPending: list !== undefined && isPendingIn(list, order.number),
      expireTime: this.#state.expiries.timeOf(order.number),
    }
  }

  #market(symbolId: SymbolId) {
    const market = this.#state.market(symbolId)
    invariant(market !== undefined, () => `symbol ${symbolId} must exist`)
    return market
  }

  #advance(time: TimeMs): ExchangeState {
    const state = this.#state
    invariant(time >= state.time, () => `time must not run backwards: ${time} after ${state.time}`)
    state.seq = seq(state.seq + 1)
    state.time = time
    state.clientOrderIds.forgetDue(time)
    state.withdrawalRequests.asked.forgetDue(time)
    return state
  }
}

function shownStop({ trailing, ...stop }: OrderStop): OpenOrder['stop'] {
  return { ...stop, trailing: trailing && { delta: trailing.delta, since: trailing.following.since } }
}
