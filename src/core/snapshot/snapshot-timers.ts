/**
 * Timers, as bytes: the expire times of open orders, first of those that the engine must end, then of those
 * set aside, each by number; countdowns, and mass cancels in progress.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readWord, writeWord } from '../../units/field-codec.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { COUNTDOWN_MAX_MS, EXPIRE_TIME_AHEAD_MAX_MS, SYMBOLS_MAX } from '../../units/limits.ts'
import { type TimeMs, timeMs } from '../../units/quantities.ts'
import { readScope, writeScope } from '../commands/timers.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { MASS_CANCEL_CAUSES, type MassCancel } from '../trading/timers/mass-cancels.ts'

export function writeExpiries(w: ByteWriter, state: ExchangeState): void {
  writeTimes(w, state, [...state.expiries.queued()])
  writeTimes(w, state, state.expiries.aside())
}

/** Sets the times at which open orders of the state end. Throws `BytesFault`. */
export function readExpiries(r: ByteReader, state: ExchangeState): void {
  readTimes(r, state, () => {})
  readTimes(r, state, (number, time) => {
    if (time > state.time) throw impossible(r, number)
    state.expiries.setAside(number)
  })
}

/** Throws `BytesFault` if an order must end at a time and has none. */
export function checkExpiries({ orders, expiries }: ExchangeState): void {
  const missing = orders.timeInForceCount('GTD') - expiries.count
  if (missing !== 0) throw new BytesFault(`${missing} GTD orders have no expire time`)
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
  return new BytesFault(`the expire time of order ${number} before byte ${r.at} is not valid`)
}

/** Whether no account has a countdown or a mass cancel. */
export function hasNoCancels({ countdowns, massCancels }: ExchangeState): boolean {
  return countdowns.count === 0 && massCancels.isEmpty
}

export function writeCancels(w: ByteWriter, { countdowns, massCancels }: ExchangeState): void {
  w.uint(countdowns.count)
  for (const { accountId, symbolId, keepsStops, triggerAt } of countdowns.all()) {
    w.uint(accountId)
    writeScope(w, symbolId)
    w.bool(keepsStops)
    w.uint(triggerAt)
  }
  const running = [...massCancels.all()]
  w.uint(running.length)
  for (const { accountId, symbolId, cause, keepsStops, time, before, next, isAside } of running) {
    w.uint(accountId)
    writeScope(w, symbolId)
    writeWord(w, MASS_CANCEL_CAUSES, cause)
    w.bool(keepsStops)
    w.uint(time)
    w.uint(before)
    w.uint(next)
    w.bool(isAside)
  }
}

/** Throws `BytesFault`. */
export function readCancels(r: ByteReader, state: ExchangeState): void {
  let last = -1
  for (let left = r.uint(); left > 0; left--) {
    const accountId = r.uint() as AccountId
    const symbolId = readScope(r)
    const countdown = { accountId, symbolId, keepsStops: r.bool(), triggerAt: timeMs(r.uint()) }
    const place = accountId * (SYMBOLS_MAX + 1) + (symbolId ?? -1) + 1
    const isInRange = countdown.triggerAt > 0 && countdown.triggerAt <= state.time + COUNTDOWN_MAX_MS
    if (place <= last || !isInRange || !isScope(state, accountId, symbolId)) throw notThere(r, accountId)
    last = place
    state.countdowns.set(countdown)
  }
  const accounts = new Set<AccountId>()
  let before: AccountId | undefined
  for (let left = r.uint(); left > 0; left--) {
    const massCancel = readMassCancel(r)
    const { accountId, symbolId, next, time } = massCancel
    const order = state.orders.get(next)
    const isOwn =
      order?.accountId === accountId && next < massCancel.before && massCancel.before <= state.nextOrder
    // The mass cancels of one account are adjacent.
    const isTorn = accountId !== before && accounts.has(accountId)
    const isKnown = isScope(state, accountId, symbolId) && time <= state.time
    if (!isOwn || isTorn || !isKnown || state.massCancels.has(massCancel)) throw notThere(r, accountId)
    accounts.add(accountId)
    before = accountId
    state.massCancels.add(massCancel)
  }
}

function readMassCancel(r: ByteReader): MassCancel {
  return {
    accountId: r.uint() as AccountId,
    symbolId: readScope(r),
    cause: readWord(r, MASS_CANCEL_CAUSES),
    keepsStops: r.bool(),
    time: timeMs(r.uint()),
    before: r.uint() as OrderNumber,
    next: r.uint() as OrderNumber,
    isAside: r.bool(),
  }
}

function isScope(state: ExchangeState, accountId: AccountId, symbolId: SymbolId | undefined): boolean {
  return state.isTrader(accountId) && (symbolId === undefined || state.market(symbolId) !== undefined)
}

function notThere(r: ByteReader, accountId: AccountId): BytesFault {
  return new BytesFault(`the mass cancel of account ${accountId} before byte ${r.at} is not valid`)
}
