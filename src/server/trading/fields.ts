/**
 * The parameters of a message, or of one operation among several: an object of names with texts or numbers,
 * like the parameters of any other request. JSON's numbers are read in double precision, which cannot hold
 * every decimal: a number that may differ from its text is refused, never rounded
 * (docs/reference/order-entry.md#numbers).
 */
import { EXACT_NUMBER, leftOut } from '../../contract/expectations.ts'
import { PARAMETERS_MAX, Parameters } from '../common/parameters.ts'
import { type Refusal, refuse } from '../common/refusal.ts'

/** Decimals of at most this number of significant digits survive double precision (IEEE 754, binary64). */
const DIGITS_MAX = 15

/**
 * Reads the fields of a parsed JSON object, except the field named `except`. For a repeated name, JSON keeps
 * the last value.
 */
export function readFields(fields: object, except?: string): Parameters | Refusal {
  const valueByName = fields as Readonly<Record<string, unknown>>
  // The runtime shares one list among objects with the same names.
  const given = Object.keys(fields)
  const names = except === undefined ? given : given.filter((name) => name !== except)
  const values: string[] = []
  for (const name of names) {
    const text = textOf(valueByName[name])
    if (text === undefined) return refuse('INVALID_PARAMETER', { name, expected: EXACT_NUMBER })
    if (values.length === PARAMETERS_MAX) return refuse('TOO_MANY_PARAMETERS', { max: PARAMETERS_MAX })
    values.push(text)
  }
  return new Parameters(names, values)
}

/** Refuses a name with a message of its own. */
export type CheckName = (name: string) => Refusal | undefined

/** Parameters of a request; if `takes` is undefined, a name that `checkName` does not refuse is ignored. */
export type Taking = { readonly takes?: ReadonlySet<string>; readonly checkName?: CheckName }

/** Refuses a name that a request does not accept. */
export function untaken(parameters: Parameters, { takes, checkName }: Taking): Refusal | undefined {
  for (const name of parameters.names()) {
    if (takes?.has(name) === true) continue
    const refusal = checkName?.(name) ?? (takes === undefined ? undefined : foreign(name, takes))
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Refuses the first name that is not among the accepted ones. */
export function foreignName(parameters: Parameters, takes: ReadonlySet<string>): Refusal | undefined {
  for (const name of parameters.names()) {
    if (!takes.has(name)) return foreign(name, takes)
  }
  return undefined
}

function foreign(name: string, takes: ReadonlySet<string>): Refusal {
  return refuse('INVALID_PARAMETER', { name, expected: leftOut([...takes]) })
}

/** Undefined if it is neither a text nor a number that is certainly the one that was written. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? numberText(value) : undefined
}

function numberText(value: number): string | undefined {
  const text = String(value)
  if (Number.isSafeInteger(value)) return text
  const digits = text.replace(/^-?0*\.?0*/, '').replace('.', '')
  return /^\d+$/.test(digits) && digits.length <= DIGITS_MAX ? text : undefined
}
