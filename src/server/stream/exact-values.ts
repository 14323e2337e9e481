/**
 * Converts JSON to values that are encoded as the same JSON again: Socket.IO's encoder takes values, and a
 * JSON number parsed to a number loses the digits that double precision cannot hold.
 */

declare global {
  interface JSON {
    // ECMAScript, "JSON.parse source text access": supported by the runtime, but missing from the compiler's
    // library.
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
    rawJSON(text: string): unknown
  }
}

/** The elements of a JSON array; each number keeps its original text. */
export function exactValues(arrayJson: string): readonly unknown[] {
  const values: unknown = JSON.parse(arrayJson, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  )
  return Array.isArray(values) ? values : []
}
