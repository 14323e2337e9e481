/**
 * A number typed by a person: digits and at most one point. An ambiguous text is refused, and both readings
 * are shown.
 */
import { Decimal } from '../../../../client/decimal.ts'

export type TypedNumber =
  | { readonly kind: 'empty' }
  | { readonly kind: 'number'; readonly value: Decimal }
  /** `readings`: the possible meanings, for the user to choose from; may be empty. */
  | { readonly kind: 'refused'; readonly readings: readonly string[] }

const FORM = /^(?:\d+\.?\d*|\.\d+)$/
/** The exchange accepts no numbers longer than this. */
const LENGTH_MAX = 40
const SEPARATORS = /[,\s'’_]/g

export function typedNumber(text: string): TypedNumber {
  const typed = text.trim()
  if (typed === '') return { kind: 'empty' }
  const value = typed.length <= LENGTH_MAX ? decimalOf(typed) : undefined
  if (value !== undefined) return { kind: 'number', value }
  return { kind: 'refused', readings: readingsOf(typed) }
}

/**
 * Reads the text in both ways: with commas as grouping and a point before the fraction, and the other way
 * around.
 */
function readingsOf(typed: string): readonly string[] {
  if (typed.length > LENGTH_MAX) return []
  const english = typed.replace(SEPARATORS, '')
  const turkish = typed.replace(/[.\s'’_]/g, '').replace(',', '.')
  const readings = [english, turkish].flatMap((text) => {
    const value = decimalOf(text)
    return value === undefined ? [] : [value.toString()]
  })
  return [...new Set(readings)]
}

function decimalOf(text: string): Decimal | undefined {
  if (!FORM.test(text)) return undefined
  const [whole, fraction] = text.split('.')
  return Decimal.from(`${whole || '0'}${fraction ? `.${fraction}` : ''}`)
}
