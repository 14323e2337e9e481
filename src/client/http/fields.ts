/** Converts parameters of callers to the texts that are sent. */
import { Decimal } from '../decimal.ts'
import { usageError } from '../errors.ts'
import type { Fields } from './attempt.ts'

/**
 * Undefined fields are omitted. A number with decimals is refused: it may differ from the intended number.
 */
export function fieldsOf(parameters: Readonly<Record<string, unknown>> | undefined): Fields {
  const given = Object.entries(parameters ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(name, value)]))
}

function textOf(name: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      if (Number.isSafeInteger(value)) return String(value)
      throw usageError(`${name}: expected a decimal as text or a Decimal, found the number ${value}`)
    default:
      if (value instanceof Decimal) return value.toString()
      throw usageError(
        `${name}: expected text, a whole number, true, false or a Decimal, found ${typeof value}`,
      )
  }
}
