/** When open orders end by themselves, as bytes: those that the engine is to end, then those that are set aside, each by number. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { OrderNumber } from '../../units/ids.ts'
import { EXPIRE_TIME_AHEAD_MAX_MS } from '../../units/limits.ts'
import { type TimeMs, timeMs } from '../../units/quantities.ts'
import type { ExchangeState } from './state.ts'

export function writeExpiries(w: ByteWriter, state: ExchangeState): void {
  writeTimes(w, state, [...state.expiries.queued()])
  writeTimes(w, state, state.expiries.aside())
}

/** Gives the open orders that the state has the times at which they end. Throws `BytesFault`. */
export function readExpiries(r: ByteReader, state: ExchangeState): void {
  if (!state.hasAdvancedOrders)
    throw new BytesFault(`orders that end at a time under rules ${state.rulesVersion}`)
  readTimes(r, state, () => {})
  readTimes(r, state, (number, time) => {
    if (time > state.time) throw impossible(r, number)
    state.expiries.setAside(number)
  })
}

/** Throws `BytesFault` when an order is to end at a time and does not say at which. */
export function checkExpiries({ orders, expiries }: ExchangeState): void {
  const missing = orders.timeInForceCount('GTD') - expiries.count
  if (missing !== 0) throw new BytesFault(`${missing} orders do not say when they end`)
}

type Ending = { readonly number: OrderNumber; readonly time: TimeMs }

function writeTimes(w: ByteWriter, { orders }: ExchangeState, endings: readonly Ending[]): void {
  w.uint(endings.length)
  let last = 0
  for (const { number, time } of endings) {
    w.uint(number - last)
    w.uint(time - (orders.get(number)?.time ?? 0))
    last = number
  }
}

function readTimes(
  r: ByteReader,
  state: ExchangeState,
  put: (number: OrderNumber, time: TimeMs) => void,
): void {
  let last = 0
  for (let left = r.uint(); left > 0; left--) {
    const number = (last + r.uint()) as OrderNumber
    const after = r.uint()
    const order = state.orders.get(number)
    const isInRange = number > last && after > 0 && after <= EXPIRE_TIME_AHEAD_MAX_MS
    const isNew = state.expiries.timeOf(number) === undefined
    if (order?.terms.timeInForce !== 'GTD' || !isInRange || !isNew) throw impossible(r, number)
    const time = timeMs(order.time + after)
    state.expiries.add(number, time)
    put(number, time)
    last = number
  }
}

function impossible(r: ByteReader, number: number): BytesFault {
  return new BytesFault(`the time at which order ${number} ends before byte ${r.at} cannot be`)
}
