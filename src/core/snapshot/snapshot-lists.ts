/**
 * Order lists as bytes: for each its kind, its stage, and the fields of its pending orders. Its orders are
 * stored elsewhere, under the numbers that follow the list's own.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readWord, writeWord } from '../../units/field-codec.ts'
import type { ListNumber, OrderNumber, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { isStopType, LIST_KINDS, ROLES_BY_KIND } from '../../units/order-enums.ts'
import { type Amount, isAmount, price } from '../../units/quantities.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { NO_SLOT } from '../market/order-book.ts'
import { isPair } from '../trading/lists/list-legs.ts'
import {
  hasPlaced,
  type ListStage,
  NOT_DATED,
  type OrderList,
  orderNumberIn,
  ordersOf,
} from '../trading/lists/order-lists.ts'
import type { Order } from '../trading/open-orders.ts'
import { isReached } from '../trading/triggers/place-stop.ts'
import { directionIn, readWaiting } from './snapshot-triggers.ts'

/**
 * In the order of their numbers in bytes. The stage `ENDING` exists only within one command, and `PARTED`
 * follows from the list's orders.
 */
const STAGES = ['WORKING', 'DUE', 'ASIDE', 'PLACED'] as const

/** Written for a missing stop price. */
const NONE = 0

/** All lists by number; then for each symbol that has due lists these lists, in the order of their turns. */
export function writeLists(w: ByteWriter, state: ExchangeState): void {
  const { lists, orders } = state
  w.uint(lists.count)
  let last = 0
  for (const list of lists.byNumber()) {
    w.uint(list.number - last)
    writeWord(w, LIST_KINDS, list.kind)
    const stage = writtenStage(list.stage)
    writeWord(w, STAGES, stage)
    if (list.received !== undefined) w.whole(list.received)
    if (stage !== 'PLACED') {
      for (const number of pendingOf(list)) w.uint(orders.get(number)?.stop?.price ?? NONE)
    }
    last = list.number
  }
  writeTurns(w, state)
  const symbols = lists.dueSymbols()
  w.uint(symbols.length)
  for (const symbolId of symbols) {
    const due = [...lists.dueIn(symbolId)]
    w.uint(symbolId)
    w.uint(due.length)
    for (const number of due) w.uint(number)
  }
}

/** Joins orders of the state in lists. Throws `BytesFault`. */
export function readLists(r: ByteReader, state: ExchangeState): void {
  let least = 1
  const due = new Map<ListNumber, OrderList>()
  let last = 0
  for (let left = r.uint(); left > 0; left--) {
    const list = readList(r, state, last)
    if (list.number < least || list.number >= state.nextOrder) throw impossible(r, list.number)
    last = list.number
    least = orderNumberIn(list.number, ROLES_BY_KIND[list.kind].length)
    if (list.stage === 'DUE') due.set(list.number, list)
    else state.lists.add(list)
  }
  readTurns(r, state)
  let before = -1
  for (let left = r.uint(); left > 0; left--) {
    const symbolId = r.uint() as SymbolId
    const count = r.uint()
    if (symbolId <= before || count === 0)
      throw new BytesFault(`the due lists of symbol ${symbolId} before byte ${r.at} are not valid`)
    before = symbolId
    for (let lists = count; lists > 0; lists--) {
      const number = r.uint() as ListNumber
      const list = due.get(number)
      if (list?.symbolId !== symbolId) throw impossible(r, number)
      due.delete(number)
      state.lists.add(list)
    }
  }
  for (const number of due.keys()) throw impossible(r, number)
}

/**
 * For each symbol the orders that began to wait for a price when their list's working order was filled, by
 * the turns that they got then.
 */
function writeTurns(w: ByteWriter, { markets, orders }: ExchangeState): void {
  for (const { triggers } of markets) {
    const turns = triggers.withTurns()
    w.uint(turns.length)
    let last = 0
    for (const { turn, number } of turns) {
      const stop = orders.get(number)?.stop
      w.uint(turn - last)
      w.uint(number)
      w.uint(stop?.price ?? NONE)
      if (stop?.total !== undefined) w.whole(stop.total)
      last = turn
    }
  }
}

function readTurns(r: ByteReader, state: ExchangeState): void {
  for (const market of state.markets) {
    let last = 0
    let left = r.uint()
    const hasTurns = left > 0
    for (; left > 0; left--) {
      const turn = (last + r.uint()) as OrderNumber
      const number = r.uint()
      const at = price(r.uint())
      if (at === NONE) throw impossibleTurn(r, number)
      const order = readWaiting(r, state, market, number, at)
      const list = state.lists.of(order.number)
      const wasPending = list !== undefined && list.kind !== 'OCO' && hasPlaced(list)
      const direction = directionIn(order)
      const isTurn = turn > last && turn > number && turn < state.nextOrder && !state.orders.has(turn)
      if (!wasPending || !isTurn || isReached(direction, at, market.lastPrice))
        throw impossibleTurn(r, number)
      market.triggers.add(direction, at, order.number, turn)
      last = turn
    }
    if (hasTurns) market.triggers.sortByTurn()
  }
}

function impossibleTurn(r: ByteReader, number: number): BytesFault {
  return new BytesFault(`the turn of order ${number} before byte ${r.at} is not valid`)
}

function readList(r: ByteReader, state: ExchangeState, last: number): OrderList {
  const number = (last + r.uint()) as ListNumber
  const kind = readWord(r, LIST_KINDS)
  const stage = readWord(r, STAGES)
  const received = stage === 'DUE' || stage === 'ASIDE' ? (r.whole() as Amount) : undefined
  const open = ordersOf({ number, kind }).map((order) => state.orders.get(order))
  const one = open.find((order) => order !== undefined)
  if (one === undefined) throw impossible(r, number)
  const { time, accountId, symbolId } = one
  const list: OrderList = {
    number,
    time,
    accountId,
    symbolId,
    kind,
    stage: partedStage(kind, stage, open),
    received,
    dueSince: NOT_DATED,
  }
  const isTogether = open.every(
    (order) =>
      order === undefined ||
      (order.time === time && order.accountId === accountId && order.symbolId === symbolId),
  )
  const isAmountOrAbsent = received === undefined || isAmount(received, 0)
  if (!isTogether || !isAmountOrAbsent || number <= last) throw impossible(r, number)
  if (stage !== 'PLACED') for (const order of open.slice(1)) readPending(r, state, number, order)
  if (!isPossible(list, open)) throw impossible(r, number)
  return list
}

/** Reads a pending order, which must be open, in no book, and without a price to wait for. */
function readPending(r: ByteReader, state: ExchangeState, list: ListNumber, order: Order | undefined): void {
  const at = price(r.uint())
  const isPossible =
    order !== undefined &&
    order.slot === NO_SLOT &&
    order.stop === undefined &&
    order.executedQuantity === 0 &&
    order.remaining === order.quantity &&
    order.updatedAt === order.time &&
    (at === NONE || isStopType(order.terms.type))
  if (!isPossible) throw impossible(r, list)
  if (!isStopType(order.terms.type)) return
  // Only a trailing order may have no price of its own; `checkTriggers` checks this.
  const stop = at === NONE ? undefined : at
  order.stop = { price: stop, total: undefined, triggeredAt: undefined, trailing: undefined }
  state.orders.keep(order)
}

/** Whether the open orders of a list match its stage, and are possible for its kind. */
function isPossible({ kind, stage }: OrderList, open: readonly (Order | undefined)[]): boolean {
  const [first] = open
  const pair = kind === 'OTO' ? [] : open.slice(-2).filter((order) => order !== undefined)
  if (stage === 'WORKING') return first !== undefined && isWorking(first) && isPossiblePair(pair)
  const isWorkingGone = kind === 'OCO' || first === undefined
  return isWorkingGone && isPossiblePair(pair)
}

function isWorking({ slot, terms: { type, timeInForce } }: Order): boolean {
  return slot !== NO_SLOT && (type === 'LIMIT' || type === 'LIMIT_MAKER') && timeInForce === 'GTC'
}

/** Whether two orders can be an OCO pair: both are open only as long as nothing has happened to either. */
function isPossiblePair([above, below]: readonly Order[]): boolean {
  if (above === undefined || below === undefined) return true
  const areUntouched = [above, below].every(
    ({ executedQuantity, remaining, quantity }) => executedQuantity === 0 && remaining === quantity,
  )
  return areUntouched && isPair(wordsOf(above), wordsOf(below))
}

function wordsOf({ side, terms: { type } }: Order) {
  return { side, type }
}

function pendingOf(list: OrderList): OrderNumber[] {
  return ordersOf(list).slice(1)
}

function writtenStage(stage: ListStage): (typeof STAGES)[number] {
  invariant(stage !== 'ENDING', 'no list may be ending between two commands')
  return stage === 'PARTED' ? 'PLACED' : stage
}

/** The list's stage: a `PLACED` list is `PARTED` if an order of its OCO pair has ended. */
function partedStage(
  kind: OrderList['kind'],
  stage: ListStage,
  open: readonly (Order | undefined)[],
): ListStage {
  const isParted = kind !== 'OTO' && open.slice(-2).includes(undefined)
  return stage === 'PLACED' && isParted ? 'PARTED' : stage
}

function impossible(r: ByteReader, number: ListNumber): BytesFault {
  return new BytesFault(`order list ${number} before byte ${r.at} is not valid`)
}
