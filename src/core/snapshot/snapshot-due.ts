/**
 * The commands that made orders and lists due, as bytes: for each symbol those of its due orders in order,
 * then those of its lists. The orders and lists themselves have sections of their own.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { type Seq, seq } from '../../units/quantities.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import type { OrderList } from '../trading/lists/order-lists.ts'

/** Whether no due order or list has the number of the command that made it due. */
export function hasNoneDated(state: ExchangeState): boolean {
  return state.markets.every((market) => {
    const { triggers, lists } = datesOf(state, market)
    return [...triggers, ...lists].every((since) => since === 0)
  })
}

export function writeDue(w: ByteWriter, state: ExchangeState): void {
  for (const market of state.markets) {
    const { triggers, lists } = datesOf(state, market)
    for (const dates of [triggers, lists]) {
      let last = 0
      for (const since of dates) {
        w.uint(since - last)
        last = since
      }
    }
  }
}

/** Triggers and lists must be read before. Throws `BytesFault`. */
export function readDue(r: ByteReader, state: ExchangeState): void {
  for (const market of state.markets) {
    market.triggers.dateDue(readDates(r, state, [...market.triggers.dueOrders()].length))
    const lists = dueListsOf(state, market)
    for (const [at, since] of readDates(r, state, lists.length).entries()) {
      state.lists.date(lists[at] as OrderList, since)
    }
  }
}

function readDates(r: ByteReader, state: ExchangeState, count: number): Seq[] {
  const dates: Seq[] = []
  for (let last = 0; dates.length < count; ) {
    last += r.uint()
    if (last > state.seq)
      throw new BytesFault(`expected a command up to ${state.seq} before byte ${r.at}, found ${last}`)
    dates.push(seq(last))
  }
  return dates
}

function datesOf(state: ExchangeState, market: Market) {
  const triggers = [...market.triggers.dueTurns()].map(({ since }) => since)
  return { triggers, lists: dueListsOf(state, market).map(({ dueSince }) => dueSince) }
}

function dueListsOf({ lists }: ExchangeState, { symbol }: Market): OrderList[] {
  return [...lists.dueIn(symbol.id)].flatMap((number) => lists.get(number) ?? [])
}
