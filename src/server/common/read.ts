/**
 * Reading single parameters: each function answers with the value or with the refusal that names the
 * parameter.
 */

import type { Nearest } from '../../contract/error-body.ts'
import {
  decimalNoLongerThan,
  MILLISECONDS,
  oneOf,
  POSITIVE_DECIMAL,
  wholeNumber,
} from '../../contract/expectations.ts'
import { DECIMAL_TEXT_MAX, type DecimalFault, parseDecimal, plainDecimal } from '../../units/decimal.ts'
import { type Decimals, type TimeMs, UNITS_MAX } from '../../units/quantities.ts'
import { nearestDecimal, nearestWhole } from './nearest.ts'
import type { Parameters } from './parameters.ts'
import { Refusal, refuse } from './refusal.ts'

/** The value of a parameter that may be absent. */
export function readOptional(parameters: Parameters, name: string): string | undefined | Refusal {
  return parameters.isRepeated(name) ? refuse('DUPLICATE_PARAMETER', { name }) : parameters.get(name)
}

/** The value of a required parameter. */
export function readRequired(parameters: Parameters, name: string): string | Refusal {
  return readOptional(parameters, name) ?? refuse('MISSING_PARAMETER', { name })
}

/** A whole number from `min` to `max`, or `fallback` when the parameter is absent. */
export function readWholeNumber(
  parameters: Parameters,
  name: string,
  bounds: { readonly min: number; readonly max: number; readonly fallback: number },
): number | Refusal {
  const text = readOptional(parameters, name)
  if (text instanceof Refusal) return text
  if (text === undefined) return bounds.fallback
  const { min, max } = bounds
  return parseWholeNumber(text, min, max) ?? wholeNumberRefusal(text, name, min, max)
}

/** The refusal of a text that is not a whole number from `min` to `max`. */
export function wholeNumberRefusal(text: string, name: string, min: number, max: number): Refusal {
  const refusal = refuse('INVALID_PARAMETER', { name, expected: wholeNumber(min, max) })
  return refusal.near(nearestTo(name, nearestWhole(text, min, max)))
}

function nearestTo(parameter: string, value: string | undefined): Nearest | undefined {
  return value === undefined ? undefined : { parameter, value }
}

/** Both inclusive; undefined means unbounded. */
export type TimeRange = { readonly from: TimeMs | undefined; readonly to: TimeMs | undefined }

/** Two times in milliseconds since 1970, both optional; the second must not be before the first. */
export function readTimeRange(parameters: Parameters, fromName: string, toName: string): TimeRange | Refusal {
  const from = readTime(parameters, fromName)
  if (from instanceof Refusal) return from
  const to = readTime(parameters, toName)
  if (to instanceof Refusal) return to
  if (from === undefined || to === undefined || from <= to) return { from, to }
  return wholeNumberRefusal(String(to), toName, from, UNITS_MAX)
}

/** A time that may be absent, in milliseconds since 1970. */
export function readTime(parameters: Parameters, name: string): TimeMs | undefined | Refusal {
  const text = readOptional(parameters, name)
  if (text === undefined || text instanceof Refusal) return text
  const time = parseWholeNumber(text, 0, UNITS_MAX)
  if (time !== undefined) return time as TimeMs
  const refusal = refuse('INVALID_PARAMETER', { name, expected: MILLISECONDS })
  return refusal.near(nearestTo(name, nearestWhole(text, 0, UNITS_MAX)))
}

/** One of `words`, letter case included; undefined when the parameter is absent. */
export function readWord<Word extends string>(
  parameters: Parameters,
  name: string,
  words: readonly Word[],
): Word | undefined | Refusal {
  const text = readOptional(parameters, name)
  if (text === undefined || text instanceof Refusal) return text
  const place = words.indexOf(text as Word)
  return words[place] ?? refuse('INVALID_PARAMETER', { name, expected: oneOf(words) })
}

/**
 * A decimal above zero with at most `places` decimals, in units of 10^-`places`, at most `max` units;
 * undefined when the parameter is absent (docs/reference/http.md#decimals).
 */
export function readDecimal(
  parameters: Parameters,
  name: string,
  places: Decimals,
  max: bigint,
): bigint | undefined | Refusal {
  const text = readOptional(parameters, name)
  if (text === undefined || text instanceof Refusal) return text
  const units = parseDecimal(text, places)
  if (typeof units === 'bigint' && units > 0n && units <= max) return units
  const nearest = nearestTo(name, nearestDecimal(text, places, 1n, max))
  if (typeof units !== 'bigint') return decimalRefusal(units, name, places).near(nearest)
  if (units === 0n) return refuse('INVALID_PARAMETER', { name, expected: POSITIVE_DECIMAL }).near(nearest)
  return refuse('VALUE_TOO_LARGE', { name, max: plainDecimal(max, places) }).near(nearest)
}

function decimalRefusal(fault: DecimalFault, name: string, places: Decimals): Refusal {
  switch (fault) {
    case 'TOO_MANY_DECIMALS':
      return refuse('TOO_MANY_DECIMALS', { name, max: places })
    case 'TOO_LONG':
      return refuse('INVALID_PARAMETER', { name, expected: decimalNoLongerThan(DECIMAL_TEXT_MAX) })
    case 'MALFORMED':
      return refuse('INVALID_PARAMETER', { name, expected: POSITIVE_DECIMAL })
  }
}

/** Only digits, from `min` to `max`; undefined for any other text. `max` at most 2^53-1. */
export function parseWholeNumber(text: string, min: number, max: number): number | undefined {
  if (text.length > 16 || text === '') return undefined
  let value = 0
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value >= min && value <= max ? value : undefined
}
