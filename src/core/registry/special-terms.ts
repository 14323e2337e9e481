/**
 * Terms of one account in place of the symbols' and of its fee tier, each until a moment or without an end
 * (docs/reference/admin.md#special-terms). Whether they are in force follows from the record and the time of a command alone: they
 * end by themselves, without a command.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { ORDER_RATE_TIMES_MAX } from '../../units/limits.ts'
import { type Rate, type TimeMs, UNITS_MAX } from '../../units/quantities.ts'
import type { SpecialOpenOrders, SpecialOrderRate, SpecialRates, SpecialTerms } from './records.ts'
import { isNumberWithin, isValidRate } from './terms.ts'

/** Whether nothing of it is there: then the account has none. */
export function isWithoutTerms({ rates, openOrders, orderRate }: SpecialTerms): boolean {
  return rates === undefined && openOrders === undefined && orderRate === undefined
}

export function areValidTerms({ rates, openOrders, orderRate }: SpecialTerms): boolean {
  const areRatesValid =
    rates === undefined ||
    (isValidRate(rates.makerRate) && isValidRate(rates.takerRate) && isEnd(rates.until))
  const isLimitValid =
    openOrders === undefined || (isNumberWithin(openOrders.max, 1, UNITS_MAX) && isEnd(openOrders.until))
  const isOrderRateValid =
    orderRate === undefined ||
    (isNumberWithin(orderRate.times, 1, ORDER_RATE_TIMES_MAX) && isEnd(orderRate.until))
  return areRatesValid && isLimitValid && isOrderRateValid
}

function isEnd(until: TimeMs): boolean {
  return isNumberWithin(until, 0, UNITS_MAX)
}

/** Whether some of it would have ended before it begins at `time`. */
export function endsBefore({ rates, openOrders, orderRate }: SpecialTerms, time: TimeMs): boolean {
  return [rates, openOrders, orderRate].some((one) => one !== undefined && !isInForce(one, time))
}

/** Whether it is so for a command of `time`; at its end it is not any more. */
export function isInForce({ until }: { readonly until: TimeMs }, time: TimeMs): boolean {
  return until === 0 || time < until
}

/** The rates that an account pays at `time` in place of all others; undefined: it has none of its own then. */
export function ratesInForce(terms: SpecialTerms | undefined, time: TimeMs): SpecialRates | undefined {
  const rates = terms?.rates
  return rates !== undefined && isInForce(rates, time) ? rates : undefined
}

/** The same of open orders in a symbol. */
export function openOrdersInForce(
  terms: SpecialTerms | undefined,
  time: TimeMs,
): SpecialOpenOrders | undefined {
  const openOrders = terms?.openOrders
  return openOrders !== undefined && isInForce(openOrders, time) ? openOrders : undefined
}

/** The same of orders in a window. */
export function orderRateInForce(
  terms: SpecialTerms | undefined,
  time: TimeMs,
): SpecialOrderRate | undefined {
  const orderRate = terms?.orderRate
  return orderRate !== undefined && isInForce(orderRate, time) ? orderRate : undefined
}

/** The second number says what follows: it was a yes or no of open orders alone before there were others. */
const OPEN_ORDERS = 1
const ORDER_RATE = 2

export function writeTerms(w: ByteWriter, { rates, openOrders, orderRate }: SpecialTerms): void {
  w.bool(rates !== undefined)
  if (rates !== undefined) {
    w.uint(rates.makerRate)
    w.uint(rates.takerRate)
    w.uint(rates.until)
  }
  w.uint((openOrders === undefined ? 0 : OPEN_ORDERS) + (orderRate === undefined ? 0 : ORDER_RATE))
  if (openOrders !== undefined) {
    w.uint(openOrders.max)
    w.uint(openOrders.until)
  }
  if (orderRate === undefined) return
  w.uint(orderRate.times)
  w.uint(orderRate.until)
}

export function readTerms(r: ByteReader): SpecialTerms {
  const rates = r.bool()
    ? { makerRate: r.uint() as Rate, takerRate: r.uint() as Rate, until: r.uint() as TimeMs }
    : undefined
  const more = r.uint()
  if (more > OPEN_ORDERS + ORDER_RATE)
    throw new BytesFault(`no special terms are ${more} before byte ${r.at}`)
  const openOrders = more & OPEN_ORDERS ? { max: r.uint(), until: r.uint() as TimeMs } : undefined
  const orderRate = more & ORDER_RATE ? { times: r.uint(), until: r.uint() as TimeMs } : undefined
  return {
    ...(rates === undefined ? {} : { rates }),
    ...(openOrders === undefined ? {} : { openOrders }),
    ...(orderRate === undefined ? {} : { orderRate }),
  }
}

/** Those of a record. Throws `BytesFault` for what no record has. */
export function readStoredTerms(r: ByteReader): SpecialTerms {
  const terms = readTerms(r)
  if (areValidTerms(terms) && !isWithoutTerms(terms)) return terms
  throw new BytesFault(`the special terms of an account before byte ${r.at} cannot be`)
}
