/**
 * A second exchange: slow, simple, in exact fractions, and written from docs/reference (http.md, matching.md)
 * instead of from the core. It shares the core's vocabulary (commands, replies, events, records) and nothing
 * else.
 */
import { type Command, type EngineCommand, isWithdrawing } from '../../src/core/commands/command.ts'
import type { PlacePending } from '../../src/core/commands/order-lists.ts'
import type { TriggerOrder } from '../../src/core/commands/orders.ts'
import type { ExchangeEvent, LevelChanged } from '../../src/core/events/event.ts'
import type { Level } from '../../src/core/market/order-book.ts'
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { Balance, BookView, OpenOrder } from '../../src/core/questions/view.ts'
import type { AccountId, ListNumber, OrderNumber, SymbolId } from '../../src/units/ids.ts'
import { SIDES, type Side } from '../../src/units/order-enums.ts'
import { amount, lots, notional, price, type TimeMs } from '../../src/units/quantities.ts'
import type { TrailingDelta } from '../../src/units/trailing-delta.ts'
import { type AdministeredCommand, isAdministered } from '../oracle/administered.ts'
import { administer } from '../oracle/administration.ts'
import { forgetWithdrawals, type Withdrawing, withdraw } from '../oracle/asked-withdrawals.ts'
import { CLOSED_TO, enterPhase } from '../oracle/phases.ts'
import { Fraction } from './fraction.ts'
import {
  cancel,
  cancelAny,
  cancelByClientOrderId,
  cancelMany,
  expire,
  setExpiryAside,
} from './reference-cancels.ts'
import { amend } from './reference-changes.ts'
import { chargedFor, placeOf, receivedPlaces } from './reference-ends.ts'
import { cancelList, placeList, placePending, setListAside } from './reference-lists.ts'
import {
  cancelAll,
  continueCancel,
  fireBefore,
  fireCountdown,
  setCancelAside,
  setCountdown,
  timersDue,
} from './reference-mass-cancels.ts'
import { replace } from './reference-replacements.ts'
import {
  disconnectSession,
  disconnectSessions,
  dropEmptyAside,
  endSession,
  joinSession,
  openSession,
  setSessionAside,
  setSessionsAside,
} from './reference-sessions.ts'
import { type ReferenceList, type ReferenceOrder, ReferenceState, STEPS_MOST } from './reference-state.ts'
import { causeOfEnd } from './reference-timers.ts'
import { carryOut, place } from './reference-trading.ts'
import { carriesOut, setAside } from './reference-triggers.ts'

/** The commands that can change a book. */
type BookCommand = Exclude<Command, AdministeredCommand | Withdrawing>

/** After the start of an epoch, numbers of orders and trades continue 1,000,000,000 higher. */
function beginEpoch(state: ReferenceState): Reply {
  if (state.rulesVersion < 17) return refused('RULES_VERSION_TOO_LOW')
  state.orderCount += 1_000_000_000
  state.tradeCount += 1_000_000_000
  return DONE
}

function withoutEmpty<Item>(queues: Item[][]): Item[][] {
  return queues.filter((queue) => queue.length > 0)
}

export class ReferenceExchange {
  readonly state: ReferenceState
  /** Views since the last command: they are needed several times, and only a command changes them. */
  #books = new Map<SymbolId, BookView>()
  #due: OrderNumber[][] | undefined
  #dueLists: ListNumber[][] | undefined

  constructor(stepsMost = STEPS_MOST) {
    this.state = new ReferenceState(stepsMost)
  }

  /** Carries out a command. `LevelChanged` events come last, sell side first, by price. */
  apply(command: Command, time: TimeMs, emit: (event: ExchangeEvent) => void): Reply {
    const { state } = this
    const before = state.symbols.map(({ id }) => this.book(id))
    this.#advance(time)
    if (isAdministered(command)) return administer(state, command, emit)
    if (isWithdrawing(command)) return this.#withdraw(command, emit)
    const { orderCount } = state
    const reply = this.#change(command, emit)
    this.#keepPlaced(orderCount)
    joinSession(state, command, orderCount)
    state.dropDoneMassCancels()
    dropEmptyAside(state)
    for (const book of before) for (const event of changedLevels(book, this.book(book.symbolId))) emit(event)
    return reply
  }

  #withdraw(command: Withdrawing, emit: (event: ExchangeEvent) => void): Reply {
    const { state } = this
    const isClosed = state.phases.at(state.time) === 'CLOSED'
    return isClosed ? refused('EXCHANGE_CLOSED') : withdraw(state, command, emit)
  }

  #change(command: BookCommand, emit: (event: ExchangeEvent) => void): Reply {
    const isClosed = this.state.phases.at(this.state.time) === 'CLOSED'
    if (isClosed && CLOSED_TO.includes(command.kind)) return refused('EXCHANGE_CLOSED')
    switch (command.kind) {
      case 'PlaceOrder':
        return place(this.state, command, emit)
      case 'CancelOrder':
        return cancel(this.state, command, emit)
      case 'CancelClientOrder':
        return cancelByClientOrderId(this.state, command, emit)
      case 'AmendOrder':
        return amend(this.state, command, emit)
      case 'ReplaceOrder':
        return replace(this.state, command, emit)
      case 'MarkTime':
        return DONE
      case 'CancelOrders':
        return cancelMany(this.state, command, emit)
      case 'CancelAnyOrder':
        return cancelAny(this.state, command, emit)
      case 'TriggerOrder':
        return carryOut(this.state, command, emit)
      case 'ExpireOrder':
        return expire(this.state, command, emit)
      case 'CancelAllOrders':
        return cancelAll(this.state, command, emit)
      case 'ContinueCancelAll':
        return continueCancel(this.state, command, emit)
      case 'SetCountdown':
        return setCountdown(this.state, command)
      case 'FireCountdown':
        return fireCountdown(this.state, command, emit)
      case 'OpenSession':
        return openSession(this.state, command)
      case 'DisconnectSession':
        return disconnectSession(this.state, command)
      case 'EnterPhase':
        return enterPhase(this.state, emit)
      case 'BeginEpoch':
        return beginEpoch(this.state)
      case 'DisconnectSessions':
        return disconnectSessions(this.state)
      case 'EndSession':
        return endSession(this.state, command, emit)
      case 'PlaceList':
        return placeList(this.state, command, emit)
      case 'CancelList':
      case 'CancelClientList':
        return cancelList(this.state, command, emit)
      case 'PlacePending':
        return placePending(this.state, command, emit)
    }
  }

  /** An order that is placed after a countdown ended is not canceled by it. */
  #keepPlaced(before: number): void {
    const { state } = this
    for (const { number, accountId } of state.all) if (number > before) fireBefore(state, accountId, number)
  }

  /** A quarantined command; `own` is its content if it was an engine command. */
  refuse(time: TimeMs, own: EngineCommand | undefined): Reply {
    this.#advance(time)
    if (own?.kind === 'TriggerOrder') setAside(this.state, own)
    if (own?.kind === 'ExpireOrder') setExpiryAside(this.state, own)
    if (own?.kind === 'ContinueCancelAll' || own?.kind === 'FireCountdown') setCancelAside(this.state, own)
    if (own?.kind === 'PlacePending') setListAside(this.state, own)
    if (own?.kind === 'EnterPhase') this.state.phases.announce(time)
    if (own?.kind === 'BeginEpoch') beginEpoch(this.state)
    if (own?.kind === 'EndSession') setSessionAside(this.state, own)
    if (own?.kind === 'DisconnectSessions') setSessionsAside(this.state)
    return refused('INTERNAL_ERROR')
  }

  #advance(time: TimeMs): void {
    this.#books = new Map()
    this.#due = undefined
    this.#dueLists = undefined
    this.state.commands++
    this.state.timeBefore = this.state.time
    this.state.time = time
    this.state.ids.forget(time)
    forgetWithdrawals(this.state, time)
  }

  /** The commands that are due, preceded by the announcement of a phase that has begun. */
  ownDue(time: number): EngineCommand[] {
    const entry: EngineCommand[] = this.state.phases.isDue(time) ? [{ kind: 'EnterPhase' }] : []
    return [...entry, ...this.timersDue(time)]
  }

  /** Timer commands at `time`, in their order. */
  timersDue(time: number): EngineCommand[] {
    return timersDue(this.state, time)
  }

  /** Numbers of the orders that are due now, symbol by symbol, in their order. */
  due(): OrderNumber[][] {
    this.#due ??= this.#turns()
    return this.#due
  }

  /**
   * Due orders and lists by symbol: those that became due with an earlier command first, then orders before
   * lists.
   */
  dueTogether(): (TriggerOrder | PlacePending)[][] {
    const { state } = this
    const own = [
      ...state.due.map((one) => ({ one, own: { kind: 'TriggerOrder', orderNumber: one.number } as const })),
      ...state.dueLists.map((one) => ({
        one,
        own: { kind: 'PlacePending', listNumber: one.number } as const,
      })),
    ]
    const sinceOf = (one: ReferenceOrder | ReferenceList) => state.dueSince.get(one) ?? 0
    own.sort((a, b) => sinceOf(a.one) - sinceOf(b.one))
    return this.#beforeEnds(
      state.symbols
        .filter(({ id }) => carriesOut(state, id))
        .map(({ id }) => own.filter(({ one }) => one.symbol.id === id).map((each) => each.own)),
    )
  }

  #turns(): OrderNumber[][] {
    const numbersOf = (own: TriggerOrder | PlacePending) =>
      own.kind === 'TriggerOrder' ? [own.orderNumber] : []
    return withoutEmpty(this.dueTogether().map((queue) => queue.flatMap(numbersOf)))
  }

  /** An order or list that a timer ends first is not carried out, nor are those behind it. */
  #beforeEnds<Own extends TriggerOrder | PlacePending>(queues: Own[][]): Own[][] {
    if (this.timersDue(this.state.time).length === 0) return withoutEmpty(queues)
    const hasEnded = (own: Own) =>
      this.#ordersOf(own).some((order) => causeOfEnd(this.state, order) !== undefined)
    return withoutEmpty(
      queues.map((queue) => {
        const end = queue.findIndex(hasEnded)
        return end < 0 ? queue : queue.slice(0, end)
      }),
    )
  }

  #ordersOf(own: TriggerOrder | PlacePending): ReferenceOrder[] {
    const { all, lists } = this.state
    if (own.kind === 'TriggerOrder') return all.filter(({ number }) => number === own.orderNumber)
    return lists
      .filter(({ number }) => number === own.listNumber)
      .flatMap(({ orders }) => orders.filter((order) => all.includes(order)))
  }

  /** Numbers of the lists that are due now, symbol by symbol, in their order. */
  dueLists(): ListNumber[][] {
    this.#dueLists ??= this.#listTurns()
    return this.#dueLists
  }

  #listTurns(): ListNumber[][] {
    const numbersOf = (own: TriggerOrder | PlacePending) =>
      own.kind === 'PlacePending' ? [own.listNumber] : []
    return withoutEmpty(this.dueTogether().map((queue) => queue.flatMap(numbersOf)))
  }

  balances(accountId: AccountId): Balance[] {
    return this.state.assets.map(({ id, fraction }) => {
      const { free, locked, freeze, savings } = this.state.balances(accountId, id)
      const units = (figure: Fraction) => amount(figure.wholeUnits(fraction))
      return {
        assetId: id,
        free: units(free),
        locked: units(locked),
        freeze: units(freeze),
        savings: units(savings),
      }
    })
  }

  book(symbolId: SymbolId): BookView {
    const known = this.#books.get(symbolId)
    if (known !== undefined) return known
    const book = { symbolId, sell: this.#levels(symbolId, 'SELL'), buy: this.#levels(symbolId, 'BUY') }
    this.#books.set(symbolId, book)
    return book
  }

  /** The hold of an open order, in ledger units; 0n if the order is not open. */
  hold(orderNumber: OrderNumber): bigint {
    const order = this.state.all.find(({ number }) => number === orderNumber)
    if (order === undefined) return 0n
    const { side, symbol } = order
    return this.state.holdIn(order).wholeUnits(side === 'BUY' ? symbol.quotePrecision : symbol.basePrecision)
  }

  /** Newest first. */
  openOrders(accountId: AccountId): OpenOrder[] {
    return this.state.unsorted
      .filter((order) => order.accountId === accountId)
      .sort((a, b) => b.number - a.number)
      .map((order) => this.#openOrder(order))
  }

  #openOrder(order: ReferenceOrder): OpenOrder {
    const { state } = this
    const isPending = state.pending.includes(order)
    return { ...openOrder(order, state.ids.nameOf(order.number)), inList: placeOf(state, order), isPending }
  }

  #levels(symbolId: SymbolId, side: Side): Level[] {
    const orders = this.state.open.filter((order) => order.symbol.id === symbolId && order.side === side)
    const quantityByPrice = new Map<number, bigint>()
    for (const order of orders) {
      const { price: ticks } = openOrder(order)
      const shown = order.shown.wholeUnits(order.symbol.baseFraction)
      quantityByPrice.set(ticks, (quantityByPrice.get(ticks) ?? 0n) + shown)
    }
    const levels = [...quantityByPrice].map(([ticks, quantity]) => ({ price: price(ticks), quantity }))
    return levels.sort((a, b) => (side === 'SELL' ? a.price - b.price : b.price - a.price))
  }
}

function openOrder(order: ReferenceOrder, clientOrderId?: string): OpenOrder {
  const { symbol, number, time, accountId, side } = order
  const toLots = (quantity: Fraction) => lots(Number(quantity.wholeUnits(symbol.baseFraction)))
  return {
    orderNumber: number,
    time,
    accountId,
    keyNumber: order.key,
    symbolId: symbol.id,
    side,
    price: price(Number((order.price ?? Fraction.ZERO).wholeUnits(symbol.quoteFraction))),
    quantity: toLots(order.quantity),
    executedQuantity: toLots(order.executed),
    executedNotional: notional(order.exact.wholeUnits(symbol.baseFraction + symbol.quoteFraction)),
    commission: amount(chargedFor(order).wholeUnits(receivedPlaces(order))),
    remaining: toLots(order.remaining),
    ...order.kept,
    updatedAt: order.updatedAt,
    stop: stopOf(order),
    clientOrderId,
    icebergQuantity: order.part === undefined ? undefined : toLots(order.part),
    askedQuantity: order.asked === undefined ? undefined : toLots(order.asked),
    expireTime: order.expireTime,
    inList: undefined,
    isPending: false,
  }
}

function stopOf({ stop, symbol }: ReferenceOrder): OpenOrder['stop'] {
  if (stop === undefined) return undefined
  const { total, triggeredAt, trailing } = stop
  return {
    price: stop.price && price(Number(stop.price.wholeUnits(symbol.quoteFraction))),
    trailing: trailing && { delta: trailing.delta as TrailingDelta, since: trailing.since },
    total: total === undefined ? undefined : amount(total.wholeUnits(symbol.quotePrecision)),
    triggeredAt,
  }
}

/** One event for each price whose quantity differs; 0n if no order rests there any more. */
function changedLevels(before: BookView, after: BookView): LevelChanged[] {
  const events: LevelChanged[] = []
  for (const side of SIDES) {
    const word = side === 'SELL' ? 'sell' : 'buy'
    const was = new Map(before[word].map((level) => [level.price, level.quantity]))
    const is = new Map(after[word].map((level) => [level.price, level.quantity]))
    for (const at of new Set([...was.keys(), ...is.keys()])) {
      const quantity = is.get(at) ?? 0n
      if (quantity !== (was.get(at) ?? 0n))
        events.push({ kind: 'LevelChanged', symbolId: before.symbolId, side, price: at, quantity })
    }
  }
  return events
}
