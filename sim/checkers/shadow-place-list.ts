/**
 * Placing and canceling order lists, as the second bookkeeper expects it (docs/reference/order-lists.md).
 */
import type { CancelClientList, CancelList, ListLeg, PlaceList } from '../../src/core/commands/order-lists.ts'
import { isStop, type PlaceImmediate, type PlaceOrder } from '../../src/core/commands/orders.ts'
import type { ExchangeEvent } from '../../src/core/events/event.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { OrderStatus } from '../../src/units/order-enums.ts'
import { Arrival } from './shadow-arrival.ts'
import { hold } from './shadow-book.ts'
import { Caused, checkEnd, endAlone } from './shadow-ends.ts'
import type { IdOfList } from './shadow-ids.ts'
import { idsOf, isWellFormed, listRefusals, orderOf } from './shadow-list-refusals.ts'
import { fillWorking } from './shadow-lists.ts'
import { newOrder } from './shadow-new-order.ts'
import { checkOpened } from './shadow-orders.ts'
import { isOfNewerRules } from './shadow-refusals.ts'
import { type Applied, demand, type ShadowList, type ShadowOrder, type ShadowState } from './shadow-state.ts'
import { causeOfEnd } from './shadow-timers.ts'

/** Factor by which the placement of a list forgets more ids than other commands do. */
const FORGETS_MORE = 2

export function checkPlaceList(state: ShadowState, applied: Applied, command: PlaceList): void {
  const { reply, events } = applied
  if (isOfNewerRules(state, command)) {
    const { reply } = applied
    demand(reply.kind === 'Refused' && reply.reason === 'RULES_VERSION_TOO_LOW', 'newer rules are needed')
    return
  }
  for (let times = 0; times < FORGETS_MORE; times++) state.ids.forget(state.time)
  const symbol = state.symbols[command.symbolId]
  if (symbol === undefined) {
    demand(reply.kind === 'Refused' && reply.reason === 'UNKNOWN_SYMBOL', 'only in a symbol that is listed')
    return
  }
  if (checkRepeat(state, applied, command)) return
  const reasons = listRefusals(state, command, symbol)
  if (reply.kind === 'Refused') {
    demand(reasons.has(reply.reason), () => `PlaceList is not to be refused with ${reply.reason}`)
    return
  }
  demand(reasons.size === 0, () => `PlaceList is to be refused: ${[...reasons].join(', ')}`)
  const list = newList(state, command, symbol)
  const groups = groupsOf(events, 'OrderPlaced')
  demand(
    groups.length === command.legs.length,
    () => `${command.legs.length} orders are placed: ${groups.length}`,
  )
  if (list.kind === 'OCO') {
    for (const [place, leg] of command.legs.entries())
      placeNow(state, list, command, leg, groups[place] ?? [])
  } else placeWorking(state, list, command, groups)
  const answer = { kind: 'ListAccepted', listNumber: list.number, time: list.time, list: list.kind }
  demand(Bun.deepEquals(reply, answer), () => `list ${list.number} is placed, found ${JSON.stringify(reply)}`)
  if (reply.kind === 'ListAccepted') remember(state, list, command, reply)
}

function newList(
  state: ShadowState,
  { accountId, list: kind }: PlaceList,
  symbol: TradingSymbol,
): ShadowList {
  const number = ++state.lastOrder
  const stage = kind === 'OCO' ? 'PLACED' : 'WORKING'
  const list: ShadowList = {
    number,
    time: state.time,
    account: accountId,
    symbol,
    kind,
    legs: [],
    stage,
    received: 0n,
  }
  state.lists.set(number, list)
  return list
}

/**
 * The working order, then the pending ones; if nothing of the working order rests, it is filled or the list
 * ends.
 */
function placeWorking(
  state: ShadowState,
  list: ShadowList,
  command: PlaceList,
  groups: readonly ExchangeEvent[][],
): void {
  const [first, ...later] = command.legs
  demand(first !== undefined, 'a list has orders')
  const status = placeNow(state, list, command, first, groups[0] ?? [])
  for (const [place, leg] of later.entries()) {
    const order = newLeg(state, list, orderOf(command, leg))
    if (leg.quantity === undefined) {
      order.quantity = 0
      order.remaining = 0
    }
    if (order.stop !== undefined) order.stop = { ...order.stop, total: undefined }
    const count = place === later.length - 1 ? 1 : undefined
    checkOpened(state, order, orderOf(command, leg), (groups[place + 1] ?? []).slice(0, count))
  }
  const [working, ...pending] = list.legs as [ShadowOrder, ...ShadowOrder[]]
  const caused = new Caused((groups.at(-1) ?? []).slice(1))
  if (status === 'FILLED') fillWorking(state, working)
  if (status === 'CANCELED') for (const order of pending) endAlone(state, order, 'LIST', caused.next())
  caused.demandNoMore()
  demand(caused.levels.length === 0, 'a pending order is on no level')
}

/** An order of a list that waits or is matched at once. */
function placeNow(
  state: ShadowState,
  list: ShadowList,
  command: PlaceList,
  leg: ListLeg,
  events: readonly ExchangeEvent[],
): OrderStatus {
  const asked = orderOf(command, leg)
  const order = newLeg(state, list, asked)
  if (isStop(asked)) {
    checkOpened(state, order, asked, events)
    state.waiting.push(order)
    hold(state, order)
    return 'NEW'
  }
  const arrival = new Arrival(state, { time: state.time }, asked as PlaceImmediate, order, 'OrderPlaced')
  for (const event of events) arrival.take(event)
  return arrival.finish()
}

function newLeg(state: ShadowState, list: ShadowList, asked: PlaceOrder): ShadowOrder {
  const order = newOrder(state, state.time, asked)
  order.list = list
  list.legs.push(order)
  return order
}

/** Groups of events, each starting with an event of this kind. */
export function groupsOf(events: readonly ExchangeEvent[], kind: ExchangeEvent['kind']): ExchangeEvent[][] {
  const groups: ExchangeEvent[][] = []
  for (const event of events) {
    if (event.kind === kind || groups.length === 0) groups.push([event])
    else groups.at(-1)?.push(event)
  }
  return groups
}

function remember(
  state: ShadowState,
  list: ShadowList,
  command: PlaceList,
  answer: IdOfList['answer'],
): void {
  const { accountId, listClientOrderId } = command
  const { number, time } = list
  if (listClientOrderId !== undefined) {
    const named = { kind: 'LIST', accountId, clientOrderId: listClientOrderId, number, time } as const
    const id = { ...named, command, symbolMode: list.symbol.selfTradeMode, answer }
    state.ids.add(
      id,
      list.legs.some((order) => state.orders.has(order.number)),
    )
  }
  for (const [place, { clientOrderId }] of command.legs.entries()) {
    const order = list.legs[place]
    if (clientOrderId === undefined || order === undefined) continue
    state.ids.add(
      { kind: 'LEG', accountId, clientOrderId, number: order.number, time },
      state.orders.has(order.number),
    )
  }
}

/**
 * Returns true if one of the ids is remembered: then nothing is done, and only an identical list gets its
 * earlier answer.
 */
function checkRepeat(state: ShadowState, { reply, events }: Applied, command: PlaceList): boolean {
  const { accountId, listClientOrderId } = command
  const known = isWellFormed(command)
    ? idsOf(command).flatMap((clientOrderId) => state.ids.find({ accountId, clientOrderId }) ?? [])[0]
    : undefined
  if (known === undefined) {
    demand(reply.kind !== 'ListRepeated', () => `no list is known by ${listClientOrderId}, to be repeated`)
    return false
  }
  demand(events.length === 0, () => `a list that is known by ${known.clientOrderId} causes nothing`)
  const isSame =
    known.kind === 'LIST' &&
    known.clientOrderId === listClientOrderId &&
    wordsOf(known.command, known.symbolMode) === wordsOf(command, known.symbolMode)
  if (isSame) {
    const wanted = { ...known.answer, kind: 'ListRepeated' }
    demand(Bun.deepEquals(reply, wanted), () => `list ${known.number} is answered as it was`)
  } else {
    const isDuplicate = reply.kind === 'Refused' && reply.reason === 'DUPLICATE_CLIENT_ORDER_ID'
    demand(isDuplicate, () => `${known.clientOrderId} stands for something else, found ${reply.kind}`)
  }
  return true
}

/** All parameters of a list, as text. */
function wordsOf({ symbolId, list, selfTradeMode, legs }: PlaceList, symbolMode: string): string {
  const ofLegs = legs.map((leg) =>
    [
      leg.type,
      leg.side,
      leg.timeInForce,
      leg.price,
      leg.stopPrice,
      leg.trailingDelta,
      leg.quantity,
      leg.total,
      leg.clientOrderId,
    ].join(),
  )
  return [symbolId, list, selfTradeMode ?? symbolMode, ...ofLegs].join(' ')
}

/** Ends every open order of the list: the first one at the account's request, the others with it. */
export function checkCancelList(
  state: ShadowState,
  applied: Applied,
  command: CancelList | CancelClientList,
): void {
  const { reply, events } = applied
  const list = listMeant(state, command)
  const first = list?.legs.find((order) => state.orders.has(order.number))
  if (list === undefined || first === undefined) {
    demand(
      reply.kind === 'Refused' && reply.reason === 'UNKNOWN_ORDER_LIST',
      () => `no order of such a list is open, found ${reply.kind}`,
    )
    return
  }
  const answer = { kind: 'ListAccepted', listNumber: list.number, time: list.time, list: list.kind }
  demand(Bun.deepEquals(reply, answer), () => `list ${list.number} is open, found ${JSON.stringify(reply)}`)
  checkEnd(state, first, events, causeOfEnd(state, first) ?? 'USER')
  const isOpen = list.legs.some((order) => state.orders.has(order.number))
  demand(!isOpen, () => `an order of list ${list.number} is open after its cancel`)
}

function listMeant(state: ShadowState, command: CancelList | CancelClientList): ShadowList | undefined {
  const { accountId } = command
  if (command.kind === 'CancelClientList') {
    const known = state.ids.find({ accountId, clientOrderId: command.listClientOrderId })
    return known?.kind === 'LIST' ? state.lists.get(known.number) : undefined
  }
  const list = state.lists.get(command.listNumber)
  return list?.account === accountId && list.time === command.listTime ? list : undefined
}
