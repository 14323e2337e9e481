/** Damage to stored bytes that a decoder must detect. */
import { expect } from 'bun:test'
import { BytesFault } from './bytes.ts'

/**
 * Flips bits of one byte, at `at` modulo the length. `again` reads the bytes and writes what it read; it must
 * throw a `BytesFault` or return exactly the damaged bytes.
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
