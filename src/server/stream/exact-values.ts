/**
 * JSON as values that become the same JSON again: Socket.IO's encoder takes values, and a number that has
 * been one in between has lost what double precision cannot hold.
 */

declare global {
  interface JSON {
    // ECMAScript, "JSON.parse source text access": what the runtime has and the compiler's library does not.
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
