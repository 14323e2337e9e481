/**
 * The exchange once more: slow, obvious, in exact fractions, and written from docs/reference/http.md instead
 * of from the core. It shares the core's vocabulary (commands, replies, events, records) and nothing else.
 */
import { type Command, type EngineCommand, isWithdrawing } from '../../src/core/exchange/command.ts'
import type { ExchangeEvent, LevelChanged } from '../../src/core/exchange/event.ts'
import { DONE, type Reply, refused } from '../../src/core/exchange/reply.ts'
import type { Balance, BookView, OpenOrder } from '../../src/core/exchange/view.ts'
import type { Level } from '../../src/core/market/order-book.ts'
import type { AccountId, ListNumber, OrderNumber, SymbolId } from '../../src/units/ids.ts'
import { SIDES, type Side } from '../../src/units/order-words.ts'
import { amount, lots, notional, price, type TimeMs } from '../../src/units/quantities.ts'
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
import { cancelList, listTurns, placeList, placePending, setListAside } from './reference-lists.ts'
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
import { type ReferenceOrder, ReferenceState } from './reference-state.ts'
import { causeOfEnd } from './reference-timers.ts'
import { carryOut, place } from './reference-trading.ts'
import { setAside, turns } from './reference-triggers.ts'

/** The commands that can change a book. */
type BookCommand = Exclude<Command, AdministeredCommand | Withdrawing>

export class ReferenceExchange {
  readonly state = new ReferenceState()
  /** What was worked out since the last command: it is asked for several times, and only a command changes it. */
  #books = new Map<SymbolId, BookView>()
  #due: OrderNumber[][] | undefined
  #dueLists: ListNumber[][] | undefined

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
        return this.state.rulesVersion < 5 ? refused('RULES_VERSION_TOO_LOW') : DONE
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

  /** "What is placed after a countdown has ended stays." */
  #keepPlaced(before: number): void {
    const { state } = this
    for (const { number, accountId } of state.all) if (number > before) fireBefore(state, accountId, number)
  }

  /** A quarantined command; `own`: it was one of the engine's own. */
  refuse(time: TimeMs, own: EngineCommand | undefined): Reply {
    this.#advance(time)
    if (own?.kind === 'TriggerOrder') setAside(this.state, own)
    if (own?.kind === 'ExpireOrder') setExpiryAside(this.state, own)
    if (own?.kind === 'ContinueCancelAll' || own?.kind === 'FireCountdown') setCancelAside(this.state, own)
    if (own?.kind === 'PlacePending') setListAside(this.state, own)
    if (own?.kind === 'EnterPhase') this.state.phases.announce(time)
    if (own?.kind === 'EndSession') setSessionAside(this.state, own)
    if (own?.kind === 'DisconnectSessions') setSessionsAside(this.state)
    return refused('INTERNAL_ERROR')
  }

  #advance(time: TimeMs): void {
    this.#books = new Map()
    this.#due = undefined
    this.#dueLists = undefined
    this.state.timeBefore = this.state.time
    this.state.time = time
    this.state.ids.forget(time)
    forgetWithdrawals(this.state, time)
  }

  /** The same with the phase that has begun, which comes first. */
  ownDue(time: number): EngineCommand[] {
    const entry: EngineCommand[] = this.state.phases.isDue(time) ? [{ kind: 'EnterPhase' }] : []
    return [...entry, ...this.timersDue(time)]
  }

  /** What timers are to do at `time`, in their order. */
  timersDue(time: number): EngineCommand[] {
    return timersDue(this.state, time)
  }

  /** Numbers of the orders that are due now, symbol by symbol, in their order. */
  due(): OrderNumber[][] {
    this.#due ??= this.#turns()
    return this.#due
  }

  #turns(): OrderNumber[][] {
    if (this.timersDue(this.state.time).length === 0) return turns(this.state)
    // "Of those that a timer ends first, none; nor what stands behind them."
    const { all } = this.state
    const hasEnded = (number: OrderNumber) => {
      const order = all.find((one) => one.number === number)
      return order !== undefined && causeOfEnd(this.state, order) !== undefined
    }
    return turns(this.state)
      .map((numbers) => {
        const end = numbers.findIndex(hasEnded)
        return end < 0 ? numbers : numbers.slice(0, end)
      })
      .filter((numbers) => numbers.length > 0)
  }

  /** Numbers of the lists that are due now, symbol by symbol, in their order. */
  dueLists(): ListNumber[][] {
    this.#dueLists ??= this.#listTurns()
    return this.#dueLists
  }

  #listTurns(): ListNumber[][] {
    const { lists } = this.state
    if (this.timersDue(this.state.time).length === 0) return listTurns(this.state)
    const hasEnded = (listNumber: ListNumber) =>
      lists
        .filter(({ number }) => number === listNumber)
        .flatMap(({ orders }) => orders.filter((order) => this.state.all.includes(order)))
        .some((order) => causeOfEnd(this.state, order) !== undefined)
    return listTurns(this.state)
      .map((numbers) => {
        const end = numbers.findIndex(hasEnded)
        return end < 0 ? numbers : numbers.slice(0, end)
      })
      .filter((numbers) => numbers.length > 0)
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

  /** What an open order holds, in ledger units; 0n for one that is not open. */
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
    symbolId: symbol.id,
    side,
    price: price(Number((order.price ?? Fraction.ZERO).wholeUnits(symbol.quoteFraction))),
    quantity: toLots(order.quantity),
    executedQuantity: toLots(order.executed),
    executedNotional: notional(order.exact.wholeUnits(symbol.baseFraction + symbol.quoteFraction)),
    commission: amount(chargedFor(order).wholeUnits(receivedPlaces(order))),
    remaining: toLots(order.remaining),
    ...(order.kept ?? { type: 'LIMIT', timeInForce: 'GTC', selfTradeMode: undefined }),
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
  const { total, triggeredAt } = stop
  return {
    price: price(Number(stop.price.wholeUnits(symbol.quoteFraction))),
    total: total === undefined ? undefined : amount(total.wholeUnits(symbol.quotePrecision)),
    triggeredAt,
  }
}

/** One event for each price whose quantity differs; 0n where nothing rests any more. */
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
