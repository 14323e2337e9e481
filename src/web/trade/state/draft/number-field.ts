/** What a person types as a number: digits and at most one point. What could be read in two ways is refused, with both. */
import { Decimal } from '../../../../client/decimal.ts'

export type TypedNumber =
  | { readonly kind: 'empty' }
  | { readonly kind: 'number'; readonly value: Decimal }
  /** `readings`: what may have been meant, to be chosen from; perhaps none. */
  | { readonly kind: 'refused'; readonly readings: readonly string[] }

const FORM = /^(?:\d+\.?\d*|\.\d+)$/
/** The exchange reads no longer numbers. */
const LENGTH_MAX = 40
const SEPARATORS = /[,\s'’_]/g

export function typedNumber(text: string): TypedNumber {
  const typed = text.trim()
  if (typed === '') return { kind: 'empty' }
  const value = typed.length <= LENGTH_MAX ? decimalOf(typed) : undefined
  if (value !== undefined) return { kind: 'number', value }
  return { kind: 'refused', readings: readingsOf(typed) }
}

/** As grouping with a point before the fraction; and as a comma before the fraction with points as grouping. */
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
