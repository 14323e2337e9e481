/**
 * Terms of one account that apply in place of the symbols' and its fee tier's, each until a given time or
 * without an end (docs/reference/admin.md#special-terms). Whether they are in force follows from the record
 * and a command's time alone: they end automatically, without a command.
 */
import { ORDER_RATE_TIMES_MAX } from '../../units/limits.ts'
import { type TimeMs, UNITS_MAX } from '../../units/quantities.ts'
import type { SpecialOpenOrders, SpecialOrderRate, SpecialRates, SpecialTerms } from './records.ts'
import { isNumberWithin, isValidRate } from './terms.ts'

/** Whether all terms are absent: the account then has none. */
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

/** Whether any term would already have ended at `time`, when it is set. */
export function endsBefore({ rates, openOrders, orderRate }: SpecialTerms, time: TimeMs): boolean {
  return [rates, openOrders, orderRate].some((one) => one !== undefined && !isInForce(one, time))
}

/** Whether a term is in force for a command at `time`; at its end it no longer is. */
export function isInForce({ until }: { readonly until: TimeMs }, time: TimeMs): boolean {
  return until === 0 || time < until
}

/**
 * The rates that an account pays at `time` in place of all others; undefined if its special terms have none
 * at that time.
 */
export function ratesInForce(terms: SpecialTerms | undefined, time: TimeMs): SpecialRates | undefined {
  const rates = terms?.rates
  return rates !== undefined && isInForce(rates, time) ? rates : undefined
}

/** The special limit of open orders in a symbol; undefined if none is in force at `time`. */
export function openOrdersInForce(
  terms: SpecialTerms | undefined,
  time: TimeMs,
): SpecialOpenOrders | undefined {
  const openOrders = terms?.openOrders
  return openOrders !== undefined && isInForce(openOrders, time) ? openOrders : undefined
}

/** The special limit of orders in a window; undefined if none is in force at `time`. */
export function orderRateInForce(
  terms: SpecialTerms | undefined,
  time: TimeMs,
): SpecialOrderRate | undefined {
  const orderRate = terms?.orderRate
  return orderRate !== undefined && isInForce(orderRate, time) ? orderRate : undefined
}
