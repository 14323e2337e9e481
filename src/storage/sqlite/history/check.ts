/** The checks of history's rows: made where a row is written, met where it is read. */
import { ByteReader, type ByteWriter } from '../../../units/bytes.ts'

/** A row in the order of the statement's columns. With `safeIntegers` every INTEGER comes back as a bigint. */
export type Row = readonly (bigint | string | Uint8Array)[]

/** A row is not what was written: the file is damaged. */
export class DamagedRowFault extends Error {
  override readonly name = 'DamagedRowFault'
}

const CHECK_BYTES = 4

/** The values and, last, their check. */
export function checked<Value>(values: readonly Value[]): (Value | number)[] {
  return [...values, checkOf(values)]
}

/** Throws `DamagedRowFault` unless the last column of `row` is the check of the others. */
export function verify(row: Row): void {
  const [expected, found] = [row.at(-1), checkOf(row.slice(0, -1))]
  if (expected !== BigInt(found)) throw new DamagedRowFault(`a row has check ${found}, expected ${expected}`)
}

/** Ends what `writer` holds, the whole of a row's bytes, with their check. */
export function seal(writer: ByteWriter): Uint8Array {
  writer.u32(Bun.hash.crc32(writer.peek()))
  return writer.peek()
}

/** The bytes of a sealed row without their check. Throws `DamagedRowFault` when they are not what was written. */
export function unsealed(data: unknown): Uint8Array {
  if (!(data instanceof Uint8Array))
    throw new DamagedRowFault('a row has a value of another type, expected bytes')
  const end = data.length - CHECK_BYTES
  if (end < 0) throw new DamagedRowFault(`a row has ${data.length} bytes, too few for a check`)
  const bytes = data.subarray(0, end)
  const [expected, found] = [new ByteReader(data, end).u32(), Bun.hash.crc32(bytes)]
  if (expected !== found) throw new DamagedRowFault(`a row has check ${found}, expected ${expected}`)
  return bytes
}

/** A number and a bigint have the same text, so the check of what is read is that of what was written. */
function checkOf(values: readonly unknown[]): number {
  return Bun.hash.crc32(values.join())
}
