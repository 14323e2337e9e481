/** Damage to stored bytes, as a decoder must meet it. */
import { expect } from 'bun:test'
import { BytesFault } from './bytes.ts'

/**
 * Flips bits of one byte, the one at `at` counted round; what `again` reads and writes must be a `BytesFault`, or something
 * else that has exactly these bytes.
 */
export function expectDamageNoticed(
  bytes: Uint8Array,
  { at, flip }: { readonly at: number; readonly flip: number },
  again: (bytes: Uint8Array) => Uint8Array,
): void {
  const position = at % bytes.length
  bytes[position] = (bytes[position] as number) ^ flip
  try {
    expect(again(bytes)).toEqual(bytes)
  } catch (fault) {
    expect(fault).toBeInstanceOf(BytesFault)
  }
}
