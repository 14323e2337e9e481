/**
 * A value as one line of JSON and back: fields sorted by name, absent if undefined, and only printable ASCII,
 * so that two values are equal exactly when their lines are. `{"$int":"-7"}` is a bigint, `{"$hex":"00ff"}`
 * bytes.
 */

/** Represents a field that exists and is undefined, where that differs from an absent field. */
export const ABSENT = { $undefined: true } as const

/** Whether a value represents an absent one. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && '$undefined' in value)
}

/** Throws for values without a form: a function, a symbol, a number that is not finite. */
export function canonical(value: unknown): string {
  return JSON.stringify(tagged(value)).replace(/[^\x20-\x7e]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

function tagged(value: unknown): unknown {
  if (typeof value === 'bigint') return { $int: `${value}` }
  if (value instanceof Uint8Array) return { $hex: Buffer.from(value).toString('hex') }
  if (Array.isArray(value)) return value.map(tagged)
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    fields.sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(fields.map(([name, field]) => [name, tagged(field)]))
  }
  const isPlain = typeof value === 'string' || typeof value === 'boolean' || value === null
  if (isPlain || (typeof value === 'number' && Number.isFinite(value))) return value
  throw new Error(`expected a value that JSON has, found ${String(value)}`)
}

/** The value of a line that `canonical` wrote. */
export function parsed(line: string): unknown {
  return JSON.parse(line, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if ('$int' in value) return BigInt(String(value.$int))
    if ('$hex' in value) return new Uint8Array(Buffer.from(String(value.$hex), 'hex'))
    return value
  })
}
