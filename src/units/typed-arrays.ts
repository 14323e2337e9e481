/** Comparison of bytes, and growth of columns in typed arrays. */

/**
 * Whether the bytes and their lengths are equal. Not for secrets: the time that it takes reveals where they
 * differ.
 */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** A copy of `column` with room for `capacity` values; new ones are 0. */
export function grownInt32(column: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(capacity)
  grown.set(column)
  return grown
}

/** A copy of `column` with room for `capacity` values; new ones are 0. */
export function grownUint8(column: Uint8Array, capacity: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(capacity)
  grown.set(column)
  return grown
}

/** A copy of `column` with room for `capacity` values; new ones are 0. */
export function grownFloat64(column: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(capacity)
  grown.set(column)
  return grown
}

/** A copy of `column` with room for `capacity` values; new ones are 0. */
export function grownUint16(column: Uint16Array, capacity: number): Uint16Array<ArrayBuffer> {
  const grown = new Uint16Array(capacity)
  grown.set(column)
  return grown
}
