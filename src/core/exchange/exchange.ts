/**
 * The exchange as one deterministic machine: a pure function of state and command. It has no clock, no
 * randomness and no I/O, so every replay of the same journal reaches the same state, to the bit.
 */
import { ByteReader, ByteWriter } from '../../units/bytes.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { CANCEL_ORDERS_MAX, MASS_CANCEL_STEPS_MAX, MATCH_STEPS_MAX } from '../../units/limits.ts'
import { type Amount, NO_AMOUNT, type Seq, seq, type TimeMs } from '../../units/quantities.ts'
import { NO_RECORD } from '../../units/record-index.ts'
import { amountSum, commissionDue } from '../ledger/money.ts'
import { HELD_WITHDRAWALS_SHOWN_MAX, type Withdrawal } from '../ledger/withdrawals.ts'
import { FastBook } from '../market/fast-book.ts'
import type { OrderBook } from '../market/order-book.ts'
import type { Asset, TradingSymbol } from '../registry/records.ts'
import { type AssetAudit, audit, auditAsset } from './audit.ts'
import type { Command, EngineCommand } from './command.ts'
import type { PlaceOrder } from './commands/orders.ts'
import type { EventSink } from './event.ts'
import { operate } from './operators/operate.ts'
import { enterPhase } from './operators/phases.ts'
import { phaseRefusal } from './phases.ts'
import { DONE, type Reply, refused } from './reply.ts'
import { RULES_VERSION, rulesNeededBy } from './rules.ts'
import { readState, writeState } from './snapshot.ts'
import { ExchangeState, type MassCancelSteps, type StateOptions } from './state.ts'
import type { TestedOrder } from './tested-order.ts'
import { amendOrder } from './trading/amend-order.ts'
import { CLIENT_ORDER_ID_LIMITS, type ClientOrderIdLimits } from './trading/client-order-ids.ts'
import { dueCommands } from './trading/due.ts'
import { placedOrder } from './trading/identified-order.ts'
import { cancelClientList, cancelList } from './trading/lists/cancel-list.ts'
import { isPendingIn, placeIn } from './trading/lists/order-lists.ts'
import { placeList } from './trading/lists/place-list.ts'
import { placePending } from './trading/lists/place-pending.ts'
import type { Order } from './trading/open-orders.ts'
import { replaceOrder } from './trading/replace-order.ts'
import { setAside } from './trading/set-aside.ts'
import { testOrder } from './trading/test-order.ts'
import {
  cancelAllOrders,
  continueCancelAll,
  fireCountdown,
  setCountdown,
} from './trading/timers/cancel-all.ts'
import { expireOrder } from './trading/timers/expire-order.ts'
import {
  disconnectSession,
  disconnectSessions,
  endSession,
  openSession,
} from './trading/timers/session-commands.ts'
import { isOverAt, SESSION_LIMITS, type SessionLimits } from './trading/timers/sessions.ts'
import { cancelOrder, placeOrder } from './trading/trading.ts'
import { triggerOrder } from './trading/triggers/trigger-order.ts'
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
  OPEN_ORDERS_LOOKED_AT_MAX,
  OPEN_ORDERS_PAGE_MAX,
  type OpenOrder,
  type OpenOrdersPage,
  type OpenOrdersQuery,
  type OrdersByNumberQuery,
} from './view.ts'
import { setOwnAddress } from './withdrawals/addresses.ts'
import { askWithdrawal, retractWithdrawal } from './withdrawals/ask.ts'

const NO_BALANCE = { free: NO_AMOUNT, locked: NO_AMOUNT, freeze: NO_AMOUNT, savings: NO_AMOUNT }

/** The journal was written under rules this code does not have: it must not go on, and must not skip. */
export class UnknownRulesFault extends Error {
  override readonly name = 'UnknownRulesFault'
}

export type ExchangeOptions = {
  /** Makes the book of each symbol; the fast one unless a test asks for another. */
  readonly createBook?: () => OrderBook
  /** Most resting orders that an arriving one meets: what the rules say, fewer where a test asks for it. */
  readonly matchStepsMax?: number
  /** How many client order ids are remembered, and how long: what the rules say, fewer where a test asks for it. */
  readonly clientOrderIdLimits?: ClientOrderIdLimits
  /** How many orders a mass cancel looks at: what the rules say, fewer where a test asks for it. */
  readonly massCancelSteps?: MassCancelSteps
  /** How many sessions there may be: what the rules say, fewer where a test asks for it. */
  readonly sessionLimits?: SessionLimits
}

function stateOptions(options: ExchangeOptions): StateOptions {
  return {
    createBook: options.createBook ?? (() => new FastBook()),
    matchStepsMax: options.matchStepsMax ?? MATCH_STEPS_MAX,
    clientOrderIdLimits: options.clientOrderIdLimits ?? CLIENT_ORDER_ID_LIMITS,
    massCancelSteps: options.massCancelSteps ?? { first: CANCEL_ORDERS_MAX, next: MASS_CANCEL_STEPS_MAX },
    sessionLimits: options.sessionLimits ?? SESSION_LIMITS,
  }
}

export class Exchange {
  readonly #state: ExchangeState

  constructor(options: ExchangeOptions = {}, state?: ExchangeState) {
    this.#state = state ?? ExchangeState.empty(stateOptions(options))
  }

  /** Reads what `encodeSnapshot` wrote; throws `BytesFault` for anything else. */
  static decodeSnapshot(bytes: Uint8Array, options: ExchangeOptions = {}): Exchange {
    return new Exchange(options, readState(new ByteReader(bytes), stateOptions(options)))
  }

  /** The whole state. Equal states give equal bytes: their hash is the state hash. */
  encodeSnapshot(): Uint8Array<ArrayBuffer> {
    const writer = new ByteWriter(1 << 16)
    writeState(writer, this.#state)
    return writer.take()
  }

  /** Position of the last command applied; 0 before the first. */
  get seq(): Seq {
    return this.#state.seq
  }

  /** Number of the newest trade; 0: there was none. They count from 1, without gaps. */
  get tradeCount(): number {
    return this.#state.nextTrade - 1
  }

  /** The rules that commands are applied under. */
  get rulesVersion(): number {
    return this.#state.rulesVersion
  }

  /** Time of the last command applied. */
  get time(): TimeMs {
    return this.#state.time
  }

  /**
   * Applies the next command at `time`, which never runs backwards. Events go to `emit` as they happen. A
   * refusal is an answer; an exception is a bug, after which this exchange must not be used any more.
   */
  apply(command: Command, time: TimeMs, emit: EventSink): Reply {
    const before = this.#state.time
    const state = this.#advance(time)
    const hasAllRules = state.rulesVersion === RULES_VERSION
    if (!hasAllRules && rulesNeededBy(command) > state.rulesVersion) return refused('RULES_VERSION_TOO_LOW')
    const phase = phaseRefusal(command.kind, state.phases.at(time))
    if (phase !== undefined) return refused(phase)
    switch (command.kind) {
      case 'PlaceOrder':
        return placeOrder(state, command, emit)
      case 'CancelOrder':
      case 'CancelClientOrder':
        return cancelOrder(state, command, emit)
      case 'AmendOrder':
        return amendOrder(state, command, emit)
      case 'ReplaceOrder':
        return replaceOrder(state, command, emit)
      case 'MarkTime':
        return DONE
      case 'TriggerOrder':
        return triggerOrder(state, command, emit)
      case 'ExpireOrder':
        return expireOrder(state, command, emit)
      case 'CancelAllOrders':
        return cancelAllOrders(state, command, emit)
      case 'ContinueCancelAll':
        return continueCancelAll(state, command, emit)
      case 'SetCountdown':
        return setCountdown(state, command)
      case 'FireCountdown':
        return fireCountdown(state, command, emit)
      case 'PlaceList':
        return placeList(state, command, emit)
      case 'CancelList':
        return cancelList(state, command, emit)
      case 'CancelClientList':
        return cancelClientList(state, command, emit)
      case 'PlacePending':
        return placePending(state, command, emit)
      case 'OpenSession':
        return openSession(state, command)
      case 'DisconnectSession':
        return disconnectSession(state, command)
      case 'DisconnectSessions':
        return disconnectSessions(state, before)
      case 'EndSession':
        return endSession(state, command, emit)
      case 'EnterPhase':
        return enterPhase(state, emit)
      case 'AskWithdrawal':
        return askWithdrawal(state, command, emit)
      case 'RetractWithdrawal':
        return retractWithdrawal(state, command, emit)
      case 'SetOwnAddress':
        return setOwnAddress(state, command, emit)
      case 'SetRulesVersion':
        return setRulesVersion(state, command.version, emit)
      default:
        return operate(state, command, emit)
    }
  }

  /**
   * Takes the place of a quarantined command: one whose application is a known bug. Changes nothing else, but that an order which the
   * engine was to carry out is set aside: it stays open, and the engine does not try again. `command`: what it was, where it is one of
   * the engine's own.
   */
  refuse(time: TimeMs, command?: EngineCommand): Reply {
    const state = this.#advance(time)
    if (command !== undefined) setAside(state, command)
    return refused('INTERNAL_ERROR')
  }

  /** What the engine is to order by itself at `time`: at most `max` commands, to be applied in this order before any other. */
  due(max: number, time: TimeMs = this.#state.time, stepsMax = Number.POSITIVE_INFINITY): EngineCommand[] {
    return dueCommands(this.#state, max, time, stepsMax)
  }

  /** When something is due at the latest, though no command comes; undefined: nothing waits for a time. */
  get dueAt(): TimeMs | undefined {
    const { expiries, countdowns, sessions, phases } = this.#state
    const times = [expiries.firstTime, countdowns.firstTime, sessions.firstTime, phases.firstTime]
    return times.reduce((first, time) => (time === undefined || (first ?? time) < time ? first : time))
  }

  /** Whether any session waits for a connection, or has one: none has when the service returns. */
  get hasSessions(): boolean {
    return this.#state.sessions.all().some((session) => !isOverAt(session, this.#state.time))
  }

  /** What would become of an order now; changes nothing. Its time is that of the last command. */
  testOrder(command: PlaceOrder): TestedOrder {
    const state = this.#state
    if (rulesNeededBy(command) > state.rulesVersion) return refused('RULES_VERSION_TOO_LOW')
    return testOrder(state, command)
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

  /** Open orders of an account, newest first, a bounded piece of work at a time. */
  openOrdersPage(query: OpenOrdersQuery): OpenOrdersPage {
    const { orders } = this.#state
    const { orders: found, next } = orders.page(query, OPEN_ORDERS_PAGE_MAX, OPEN_ORDERS_LOOKED_AT_MAX)
    const total = orders.count(query.accountId, query.symbolId)
    return { orders: found.map((order) => this.#openOrder(order)), total, next }
  }

  /** Those of the orders named that are open and the account's, in the order in which they are named. */
  ordersByNumber({ accountId, orderNumbers }: OrdersByNumberQuery): OpenOrder[] {
    return orderNumbers.flatMap((number) => {
      const order = this.#state.orders.get(number)
      return order?.accountId === accountId ? [this.#openOrder(order)] : []
    })
  }

  /** An open order; undefined: there is none of this number. */
  openOrder(orderNumber: OrderNumber): OpenOrder | undefined {
    const order = this.#state.orders.get(orderNumber)
    return order === undefined ? undefined : this.#openOrder(order)
  }

  isOpen(orderNumber: OrderNumber): boolean {
    return this.#state.orders.has(orderNumber)
  }

  /** Every open order of which something was executed or taken off, that was amended, or that was pending and is not any more. */
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

  /** What a known account has of a listed asset; in the middle of a command, what its events so far come to. */
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

  /** What of such a balance is not set aside in savings. */
  spot(accountId: AccountId, assetId: AssetId): Amount {
    const holdings = this.#state.ledger.holdings(assetId)
    const row = holdings.find(accountId)
    if (row === NO_RECORD) return NO_AMOUNT
    const traded = amountSum(holdings.unitsAt(row, 'free'), holdings.unitsAt(row, 'locked'))
    return amountSum(traded, holdings.unitsAt(row, 'freeze'))
  }

  /** What a known account may withdraw to, the withdrawals that it has asked for and that are remembered, and what operators hold for it. */
  accountWithdrawals(accountId: AccountId): AccountWithdrawals {
    const { desk, backOffice } = this.#state
    const held = backOffice.withdrawals.heldByOperators(accountId, HELD_WITHDRAWALS_SHOWN_MAX).reverse()
    return { addresses: desk.addresses.of(accountId), withdrawals: desk.asked.of(accountId), held }
  }

  /** As far as it is remembered: one whose money has left is for ever. */
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

  /** What waits for a second person, or has lapsed and is not forgotten yet, in the order in which it was asked for. */
  approvals(): Iterable<Approval> {
    return this.#state.backOffice.approvals.values()
  }

  /** What a read model starts from. */
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

  /** How many assets are listed: their ids are 0 to this, exclusive. */
  get assetCount(): number {
    return this.#state.registry.assets().length
  }

  /** The same for one listed asset, in time that does not depend on the others. */
  auditAsset(assetId: AssetId): AssetAudit {
    const asset = this.#state.registry.asset(assetId)
    invariant(asset !== undefined, () => `asset ${assetId} must be listed`)
    return auditAsset(this.#state, asset)
  }

  #openOrder(order: Order): OpenOrder {
    const { type, timeInForce, selfTradeMode } = order.terms
    const list = this.#state.lists.of(order.number)
    return {
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
      stop: order.stop,
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
    state.desk.asked.forgetDue(time)
    return state
  }
}

/** Rules change by a command, so that what came before is replayed under the rules of its day for ever. */
function setRulesVersion(state: ExchangeState, version: number, emit: EventSink): Reply {
  if (!Number.isSafeInteger(version) || version < state.rulesVersion) {
    return refused('UNKNOWN_RULES_VERSION')
  }
  if (version > RULES_VERSION) {
    throw new UnknownRulesFault(`rules ${version} wanted, the newest known here are ${RULES_VERSION}`)
  }
  if (version !== state.rulesVersion) emit({ kind: 'RulesVersionChanged', version })
  state.rulesVersion = version
  return DONE
}
