/** The checksums of history's rows: computed when a row is written, verified when it is read. */
import { ByteReader, type ByteWriter } from '../../../units/bytes.ts'

/** A row in the order of the statement's columns. With `safeIntegers` every INTEGER is read as a bigint. */
export type Row = readonly (bigint | string | Uint8Array)[]

/** A row differs from the row that was written: the file is damaged. */
export class DamagedRowFault extends Error {
  override readonly name = 'DamagedRowFault'
}

const CHECK_BYTES = 4

/** The values followed by their checksum. */
export function checked<Value>(values: readonly Value[]): (Value | number)[] {
  return [...values, checkOf(values)]
}

/** Throws `DamagedRowFault` unless the last column of `row` is the checksum of the others. */
export function verify(row: Row): void {
  const [expected, found] = [row.at(-1), checkOf(row.slice(0, -1))]
  if (expected !== BigInt(found))
    throw new DamagedRowFault(`a row has checksum ${found}, expected ${expected}`)
}

/** Appends the checksum to the bytes of a complete row in `writer`. */
export function seal(writer: ByteWriter): Uint8Array {
  writer.u32(Bun.hash.crc32(writer.peek()))
  return writer.peek()
}

/**
 * The bytes of a sealed row without their checksum. Throws `DamagedRowFault` if they are not what was
 * written.
 */
export function unsealed(data: unknown): Uint8Array {
  if (!(data instanceof Uint8Array))
    throw new DamagedRowFault('a row has a value of another type, expected bytes')
  const end = data.length - CHECK_BYTES
  if (end < 0) throw new DamagedRowFault(`a row has ${data.length} bytes, too few for a checksum`)
  const bytes = data.subarray(0, end)
  const [expected, found] = [new ByteReader(data, end).u32(), Bun.hash.crc32(bytes)]
  if (expected !== found) throw new DamagedRowFault(`a row has checksum ${found}, expected ${expected}`)
  return bytes
}

/**
 * A number and a bigint have the same text, so a row has the same checksum when it is read as when it was
 * written.
 */
function checkOf(values: readonly unknown[]): number {
  return Bun.hash.crc32(values.join())
}
