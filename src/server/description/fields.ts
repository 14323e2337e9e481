/** Fields of a line for people or an object for programs, and the figures in them. */

import { isoTime } from '../../contract/time.ts'
import { plainDecimal } from '../../units/decimal.ts'
import { printable } from '../../units/printable.ts'
import { type Decimals, decimals, RATE_DECIMALS, type Rate, type TimeMs } from '../../units/quantities.ts'

/** In the order in which they are shown; undefined fields are left out. */
export type Fields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** `account=alice side=BUY`; text with anything but plain characters is quoted as in JSON. */
export function lineOf(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(' ')
}

function valueText(value: Fields[string]): string {
  const text = Array.isArray(value) ? value.join(',') : String(value)
  return /^[\w.,:/@+-]+$/.test(text) ? text : printable(JSON.stringify(text))
}

export function rateText(rate: Rate): string {
  return plainDecimal(rate, decimals(RATE_DECIMALS))
}

/** A decimal if its places are known; a refused command can name things that do not exist. */
export function unitsText(units: bigint | number, places: Decimals | undefined): string {
  return places === undefined ? `${units} units` : plainDecimal(units, places)
}

/** Planned phases of the exchange as an operator types them: `CLOSED@2026-12-01T02:00:00.000Z`. */
export function stepsText(steps: readonly { readonly phase: string; readonly at: TimeMs }[]): string[] {
  return steps.map(({ phase, at }) => `${phase}@${isoTime(at)}`)
}
