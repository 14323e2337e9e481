/**
 * Order lists of the reference exchange, written from docs/reference/order-lists.md: plain lists of orders,
 * searched whenever one of them changes. The rule that a line follows is stated beside it.
 */
import type {
  CancelClientList,
  CancelList,
  ListLeg,
  PlaceList,
  PlacePending,
} from '../../src/core/commands/order-lists.ts'
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import { type ListAccepted, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { ListNumber } from '../../src/units/ids.ts'
import type { SelfTradeMode, TimeInForce } from '../../src/units/order-enums.ts'
import { amount, type Lots, lots, type Price, price, UNITS_MAX } from '../../src/units/quantities.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import type { TrailingDelta } from '../../src/units/trailing-delta.ts'
import { Fraction, smallest } from './fraction.ts'
import { isSignedTooEarly, laterRefusal } from './reference-checks.ts'
import { canceled, type Emit, endOne, endOthers, fillWorking, leaveBook, placeOf } from './reference-ends.ts'
import { listRefusal, pendingAdmission } from './reference-list-checks.ts'
import { legOrder } from './reference-list-legs.ts'
import { isReached } from './reference-reached.ts'
import { rememberList, repeatOfList } from './reference-repeats.ts'
import { inSteps, type ReferenceList, type ReferenceOrder, type ReferenceState } from './reference-state.ts'
import { causeOfEnd } from './reference-timers.ts'
import { execute, newOrder, placedEvent } from './reference-trading.ts'
import { trailsTooEarly } from './reference-trailing.ts'
import { carriesOut } from './reference-triggers.ts'

export function placeList(state: ReferenceState, command: PlaceList, emit: Emit): Reply {
  if (isSignedTooEarly(state, command) || trailsTooEarly(state, command.legs))
    return refused('RULES_VERSION_TOO_LOW')
  // The placement of a list forgets up to six ids.
  for (const _ of [1, 2]) state.ids.forget(state.time)
  const symbol = state.symbols[command.symbolId]
  if (symbol === undefined) return refused('UNKNOWN_SYMBOL')
  const repeat = repeatOfList(state, command)
  if (repeat !== undefined) return repeat
  const reason = listRefusal(state, command, symbol)
  if (reason !== undefined) return refused(reason)
  // A list takes the number before those of its orders.
  const number = ++state.orderCount as ListNumber
  const { time } = state
  const { list: kind, accountId } = command
  const list: ReferenceList = {
    number,
    time,
    accountId,
    symbol,
    kind,
    orders: [],
    stage: kind === 'OCO' ? 'PLACED' : 'WORKING',
    received: Fraction.ZERO,
  }
  state.lists.push(list)
  const isAtOnce = kind === 'OCO'
  const ended = command.legs.map((leg, place) =>
    isAtOnce || place === 0
      ? placeNow(state, list, command, leg, emit)
      : placeLater(state, list, command, leg, emit),
  )
  const working = list.orders[0] as ReferenceOrder
  if (ended[0] === 'FILLED') fillWorking(state, working)
  // If the working order ends without being filled, the list ends.
  if (ended[0] === 'CANCELED') for (const order of list.orders.slice(1)) endOne(state, order, emit)
  const answer = { kind: 'ListAccepted', listNumber: number, time, list: kind } as const
  rememberList(state, command, answer)
  return answer
}

function placeNow(
  state: ReferenceState,
  list: ReferenceList,
  command: PlaceList,
  leg: ListLeg,
  emit: Emit,
): string {
  const asked = legOrder(command, leg) as PlaceOrder
  const order = newOrder(state, asked, list.symbol)
  list.orders.push(order)
  const mode = asked.selfTradeMode ?? (state.symbols[list.symbol.id] as TradingSymbol).selfTradeMode
  const begin = () => {
    state.orderCount++
    emit({ ...placedEvent(asked, order, mode), inList: placeOf(state, order) })
  }
  if (asked.type !== 'LIMIT' && asked.type !== 'LIMIT_MAKER') {
    begin()
    state.waiting.push(order)
    return 'NEW'
  }
  const end = execute(state, order, { command: asked, mode, begin, emit })
  return 'status' in end ? end.status : end.reason
}

/** A pending order is open, has no hold, and waits only for the working order. */
function placeLater(
  state: ReferenceState,
  list: ReferenceList,
  command: PlaceList,
  leg: ListLeg,
  emit: Emit,
): string {
  const named = { ...leg, quantity: leg.quantity ?? (1 as Lots), total: spends(leg) ? amount(1n) : undefined }
  const asked = legOrder(command, named) as PlaceOrder
  const order = newOrder(state, asked, list.symbol)
  order.quantity = Fraction.decimal(leg.quantity ?? 0, list.symbol.baseFraction)
  order.remaining = order.quantity
  if (order.stop !== undefined) order.stop = { ...order.stop, total: undefined }
  list.orders.push(order)
  state.pending.push(order)
  state.orderCount++
  const mode = asked.selfTradeMode ?? (state.symbols[list.symbol.id] as TradingSymbol).selfTradeMode
  const shown = { ...placedEvent(asked, order, mode), quantity: leg.quantity, total: undefined }
  emit({ ...shown, inList: placeOf(state, order) })
  return 'PENDING'
}

/** A BUY at any price spends the received amount. */
function spends({ side, type }: Pick<ListLeg, 'side' | 'type'>): boolean {
  return side === 'BUY' && ['MARKET', 'STOP_LOSS', 'TAKE_PROFIT'].includes(type)
}

export function cancelList(state: ReferenceState, command: CancelList | CancelClientList, emit: Emit): Reply {
  const list = command.kind === 'CancelList' ? byNumber(state, command) : byId(state, command)
  const first = list?.orders.find((order) => state.all.includes(order))
  if (list === undefined || first === undefined) return refused('UNKNOWN_ORDER_LIST')
  // The cause is the order's own end reason, if it has one.
  const cause = causeOfEnd(state, first) ?? 'USER'
  endOthers(state, first, emit)
  leaveBook(state, first)
  emit(canceled(first, first.remaining, cause))
  return acceptedOf(list)
}

function byNumber(
  state: ReferenceState,
  { accountId, listNumber, listTime }: CancelList,
): ReferenceList | undefined {
  return state.lists.find(
    (list) => list.number === listNumber && list.accountId === accountId && list.time === listTime,
  )
}

function byId(
  state: ReferenceState,
  { accountId, listClientOrderId }: CancelClientList,
): ReferenceList | undefined {
  const known = state.ids.listed.get(`${accountId} ${listClientOrderId}`)
  if (known === undefined || known.orderNumber !== undefined) return undefined
  return state.lists.find(({ number }) => number === known.answer.listNumber)
}

function acceptedOf({ number, time, kind }: ReferenceList): ListAccepted {
  return { kind: 'ListAccepted', listNumber: number, time, list: kind }
}

/** The list, if it is the next one. */
function inTurn(state: ReferenceState, { listNumber }: PlacePending): ReferenceList | undefined {
  const list = state.dueLists.find(({ number }) => number === listNumber)
  const first = state.dueLists.find(({ symbol }) => symbol.id === list?.symbol.id)
  return list === first ? list : undefined
}

export function setListAside(state: ReferenceState, command: PlacePending): void {
  const list = inTurn(state, command)
  if (list === undefined) return
  state.dueLists = state.dueLists.filter((one) => one !== list)
  list.stage = 'ASIDE'
}

/** Pending orders are checked like new ones; if one of them would be refused, the list ends. */
export function placePending(state: ReferenceState, command: PlacePending, emit: Emit): Reply {
  const list = inTurn(state, command)
  if (list === undefined || !carriesOut(state, list.symbol.id)) return refused('UNKNOWN_ORDER_LIST')
  const pending = list.orders.slice(1)
  // A pending order that has ended is not placed, and its list ends with it.
  const ended = pending.find((order) => causeOfEnd(state, order) !== undefined)
  const cause = ended && causeOfEnd(state, ended)
  if (ended !== undefined && cause !== undefined) {
    endOthers(state, ended, emit)
    leaveBook(state, ended)
    emit(canceled(ended, ended.remaining, cause))
    return acceptedOf(list)
  }
  const asked = pending.map((order) => askedOf(state, order, list.received))
  for (const [place, order] of pending.entries()) {
    const reason = refusalOf(state, list, asked[place])
    if (reason === undefined) continue
    refuse(state, order, reason, emit)
    return acceptedOf(list)
  }
  state.dueLists = state.dueLists.filter((one) => one !== list)
  list.stage = 'PLACED'
  for (const [place, order] of pending.entries()) {
    // An OCO pair is placed at once: the second order is never checked against the first alone.
    activate(state, order, asked[place] as PlaceOrder, emit)
  }
  return acceptedOf(list)
}

function refusalOf(
  state: ReferenceState,
  list: ReferenceList,
  asked: PlaceOrder | undefined,
): CoreReason | undefined {
  const admission = pendingAdmission(state, list)
  if (admission !== undefined) return admission
  if (asked === undefined) return 'QUANTITY_TOO_SMALL'
  const symbol = state.symbols[list.symbol.id] as TradingSymbol
  if (asked.quantity !== undefined && asked.quantity < symbol.minQuantity) return 'QUANTITY_TOO_SMALL'
  return laterRefusal(state, asked, symbol)
}

function refuse(state: ReferenceState, order: ReferenceOrder, reason: CoreReason, emit: Emit): void {
  endOthers(state, order, emit)
  leaveBook(state, order)
  emit({ ...canceled(order, order.remaining, 'PENDING_REFUSED'), reason })
}

function activate(state: ReferenceState, order: ReferenceOrder, asked: PlaceOrder, emit: Emit): void {
  const { symbol, accountId, side, number: orderNumber } = order
  const { time } = state
  state.leave(order)
  order.quantity = Fraction.decimal(asked.quantity ?? 0, symbol.baseFraction)
  order.remaining = order.quantity
  order.updatedAt = time
  const { quantity, total } = asked
  const begin = () =>
    emit({ kind: 'OrderActivated', symbolId: symbol.id, accountId, orderNumber, time, side, quantity, total })
  const { stop } = order
  if (stop !== undefined) {
    const budget = spends({ side, type: asked.type })
      ? Fraction.decimal(total ?? 0, symbol.quotePrecision)
      : undefined
    order.stop = { ...stop, total: budget }
    // An order whose stop price is already reached is due at once.
    const last = state.lastPrice.get(symbol.id)
    if (stop.trailing !== undefined) {
      // A trailing order follows the price from the next trade on.
      const isNext = stop.trailing.isNext || (last !== undefined && isReached(stop, last))
      order.stop = { ...order.stop, trailing: { ...stop.trailing, isNext } }
      order.turn = ++state.orderCount
      state.waiting.push(order)
    } else if (last !== undefined && isReached(stop, last)) {
      state.due.push(order)
      state.becameDue(order)
    } else {
      // The order's turn is behind all orders that already wait: it takes the next number for that.
      order.turn = ++state.orderCount
      state.waiting.push(order)
    }
    begin()
    return
  }
  const command = asked as Parameters<typeof execute>[2]['command']
  const mode = asked.selfTradeMode ?? 'NONE'
  if (asked.quantity === undefined) order.remaining = Fraction.decimal(UNITS_MAX, symbol.baseFraction)
  const end = execute(state, order, { command, mode, begin, emit })
  if ('reason' in end) {
    order.remaining = order.quantity
    state.pending.push(order)
    refuse(state, order, end.reason, emit)
  } else if (!state.open.includes(order)) leaveBook(state, order)
}

/**
 * A pending order as a new order, once the received amount is known; undefined if that is less than a step.
 */
function askedOf(state: ReferenceState, order: ReferenceOrder, received: Fraction): PlaceOrder | undefined {
  const { symbol, accountId, side, price: limit, quantity, stop, kept } = order
  const { type } = kept
  const isBudget = spends({ side, type })
  // In whole steps, and at most the largest quantity of an order.
  const most = side === 'SELL' || limit === undefined ? received : received.over(limit)
  const whole = inSteps(state, symbol.id, smallest(most, Fraction.decimal(UNITS_MAX, symbol.baseFraction)))
  const wanted = quantity.isPositive || isBudget ? quantity : whole
  if (!isBudget && !wanted.isPositive) return undefined
  if (isBudget && !received.isPositive) return undefined
  const takesTime = type === 'LIMIT' || type.endsWith('_LIMIT')
  const leg: ListLeg = {
    side,
    type,
    timeInForce: takesTime ? (kept.timeInForce as TimeInForce) : undefined,
    price: limit && (price(Number(limit.wholeUnits(symbol.quoteFraction))) as Price),
    stopPrice: stop?.price && (price(Number(stop.price.wholeUnits(symbol.quoteFraction))) as Price),
    trailingDelta: stop?.trailing?.delta as TrailingDelta | undefined,
    quantity: wanted.isPositive ? lots(Number(wanted.wholeUnits(symbol.baseFraction))) : undefined,
    total: isBudget ? amount(received.wholeUnits(symbol.quotePrecision)) : undefined,
    clientOrderId: undefined,
  }
  const selfTradeMode = kept.selfTradeMode as SelfTradeMode
  return legOrder({ accountId, symbolId: symbol.id, selfTradeMode }, leg)
}
