/**
 * Placing an order list: all of its orders or none. All checks that can refuse come before the first change
 * (docs/reference/order-lists.md).
 */
import type { ListNumber, OrderNumber } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import type { OrderStatus } from '../../../units/order-enums.ts'
import type { ListLeg, PlaceList } from '../../commands/order-lists.ts'
import { isStop, type PlaceOrder } from '../../commands/orders.ts'
import type { EventSink } from '../../events/event.ts'
import type { Market } from '../../exchange/market.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import { type ListAccepted, type ListRepeated, type Refused, refused } from '../../questions/reply.ts'
import { endOthers } from '../end-order.ts'
import { emitPlaced, execute } from '../execution.ts'
import { newOrder } from '../new-order.ts'
import type { Order } from '../open-orders.ts'
import { rememberList, repeatOfList } from '../repeats.ts'
import { releaseShared } from '../settlement.ts'
import { fireOverdue } from '../timers/begin-cancel.ts'
import { placeStop } from '../triggers/place-stop.ts'
import { listRefusalOf } from './list-checks.ts'
import { orderOfLeg } from './list-legs.ts'
import { NOT_DATED } from './order-lists.ts'
import { receivedBy } from './received.ts'

/**
 * Number of ids that the placement of a list forgets beyond those that each command does, since it may add
 * more ids (docs/reference/order-lists.md#repeats).
 */
const FORGETS_MORE = 2

type Placement = {
  readonly state: ExchangeState
  readonly market: Market
  readonly command: PlaceList
  readonly emit: EventSink
}

export function placeList(
  state: ExchangeState,
  command: PlaceList,
  emit: EventSink,
): ListAccepted | ListRepeated | Refused {
  for (let times = 0; times < FORGETS_MORE; times++) state.clientOrderIds.forgetDue(state.time)
  const market = state.market(command.symbolId)
  if (market === undefined) return refused('UNKNOWN_SYMBOL')
  const repeat = repeatOfList(state, command)
  if (repeat !== undefined) return repeat
  const reason = listRefusalOf(command, market, state)
  if (reason !== undefined) return refused(reason)
  const number = state.nextOrder as unknown as ListNumber
  const { accountId, symbolId, list: kind } = command
  const { time } = state
  state.nextOrder++
  const stage = kind === 'OCO' ? 'PLACED' : 'WORKING'
  state.lists.add({
    number,
    time,
    accountId,
    symbolId,
    kind,
    stage,
    received: undefined,
    dueSince: NOT_DATED,
  })
  const placement = { state, market, command, emit }
  if (kind === 'OCO') placePair(placement)
  else placeWorking(placement, number)
  const accepted = { kind: 'ListAccepted', listNumber: number, time, list: kind } as const
  rememberList(state, market, command, accepted)
  return accepted
}

/**
 * Places the two orders of an OCO list, neither of which trades now; they hold the larger of both amounts.
 */
function placePair({ state, market, command, emit }: Placement): void {
  const [first, second] = command.legs.map((leg) => askedOf(command, leg))
  invariant(first !== undefined && second !== undefined, 'an OCO list must have two orders')
  const above = newOrder(state, market, first)
  placeOne(state, market, above, first, emit)
  const below = newOrder(state, market, second)
  releaseShared(below, above, market)
  placeOne(state, market, below, second, emit)
}

/** Places the working order, which may trade at once; then the pending ones, which hold nothing. */
function placeWorking({ state, market, command, emit }: Placement, number: ListNumber): void {
  const [working, ...pending] = command.legs
  invariant(working !== undefined, 'a list must have orders')
  const asked = askedOf(command, working)
  const order = newOrder(state, market, asked)
  const status = placeOne(state, market, order, asked, emit)
  if (status !== 'CANCELED') fireOverdue(state, order.accountId, state.nextOrder as OrderNumber)
  for (const leg of pending) placePendingLeg(state, market, command, leg, emit)
  const list = state.lists.get(number)
  invariant(list !== undefined, () => `list ${number} must be open`)
  if (status === 'FILLED') state.lists.fill(list, receivedBy(order, market), state.seq)
  else if (status === 'CANCELED') endOthers(state, market, order, emit)
}

function placeOne(
  state: ExchangeState,
  market: Market,
  order: Order,
  asked: PlaceOrder,
  emit: EventSink,
): OrderStatus {
  const status = isStop(asked)
    ? placeStop(state, { market, order, command: asked, emit })
    : execute(state, { market, order, asked, isTriggered: false, emit })
  invariant(typeof status === 'string', 'matching must not refuse an order with a limit')
  return status
}

function placePendingLeg(
  state: ExchangeState,
  market: Market,
  { accountId, symbolId, selfTradeMode, sessionNumber, keyNumber }: PlaceList,
  leg: ListLeg,
  emit: EventSink,
): void {
  const asked = { accountId, symbolId, selfTradeMode, keyNumber, ...leg }
  const order = newOrder(state, market, asked)
  state.nextOrder++
  state.orders.add(order)
  if (sessionNumber !== undefined) state.sessions.join(sessionNumber, order.number)
  emitPlaced(state, order, asked, market, emit)
}

function askedOf(command: PlaceList, leg: ListLeg): PlaceOrder {
  const order = orderOfLeg(command, leg)
  invariant(order !== undefined, 'the orders of a well-formed list must have the figures of their types')
  return order
}
