/**
 * Plain values as bytes: history queries and their answers have many forms and are rare, so none of them has
 * its own encoding. A field is found by its name, so a later version may add one. Absent fields differ from
 * undefined ones, and numbers from bigints. Each value has exactly one encoding: fields are ordered by name.
 */
import { ByteReader, BytesFault, ByteWriter } from '../../../units/bytes.ts'
import { invariant } from '../../../units/invariant.ts'
import { sameBytes } from '../../../units/typed-arrays.ts'

/** Deepest nesting of values. */
export const DEPTH_MAX = 32

const KIND = {
  undefined: 0,
  false: 1,
  true: 2,
  /** An integer from 0 to 2^53-1. */
  uint: 3,
  /** Any other number, as IEEE 754 in 8 bytes. */
  float: 4,
  bigint: 5,
  text: 6,
  bytes: 7,
  list: 8,
  record: 9,
} as const

/**
 * Appends a value. A value that cannot be encoded, such as a map or a lone surrogate, is a bug of the sender
 * (`InvariantError`).
 */
export function writePlain(writer: ByteWriter, value: unknown, depth = 0): void {
  invariant(depth <= DEPTH_MAX, () => `a value is nested more than ${DEPTH_MAX} levels deep`)
  if (typeof value === 'number') writeNumber(writer, value)
  else if (typeof value === 'object') writeObject(writer, value, depth)
  else if (value === undefined) writer.u8(KIND.undefined)
  else if (typeof value === 'boolean') writer.u8(value ? KIND.true : KIND.false)
  else if (typeof value === 'bigint') {
    writer.u8(KIND.bigint)
    writer.bigint(value)
  } else {
    invariant(typeof value === 'string', () => `expected a plain value, found ${String(value)}`)
    writer.u8(KIND.text)
    writer.text(value)
  }
}

function writeNumber(writer: ByteWriter, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) {
    writer.u8(KIND.uint)
    writer.uint(value)
    return
  }
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value, true)
  writer.u8(KIND.float)
  writer.raw(bytes)
}

function writeObject(writer: ByteWriter, value: object | null, depth: number): void {
  if (value instanceof Uint8Array) {
    writer.u8(KIND.bytes)
    writer.bytes(value)
  } else if (Array.isArray(value)) {
    writer.u8(KIND.list)
    writer.uint(value.length)
    for (const item of value) writePlain(writer, item, depth + 1)
  } else {
    invariant(value !== null && isPlain(value), () => `expected a plain value, found ${String(value)}`)
    const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    writer.u8(KIND.record)
    writer.uint(fields.length)
    for (const [name, field] of fields) {
      writer.text(name)
      writePlain(writer, field, depth + 1)
    }
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Reads a value. Throws `BytesFault`. */
export function readPlain(reader: ByteReader, depth = 0): unknown {
  if (depth > DEPTH_MAX)
    throw new BytesFault(`a value is nested more than ${DEPTH_MAX} levels deep at byte ${reader.at}`)
  const kind = reader.u8()
  switch (kind) {
    case KIND.undefined:
      return undefined
    case KIND.false:
      return false
    case KIND.true:
      return true
    case KIND.uint:
      return reader.uint()
    case KIND.float:
      return readFloat(reader)
    case KIND.bigint:
      return reader.bigint()
    case KIND.text:
      return reader.text()
    case KIND.bytes:
      return reader.bytes().slice()
    case KIND.list:
      return readList(reader, depth)
    case KIND.record:
      return readRecord(reader, depth)
    default:
      throw new BytesFault(`unknown kind of value ${kind} before byte ${reader.at}`)
  }
}

function readFloat(reader: ByteReader): number {
  const form = reader.raw(8)
  const value = new DataView(form.buffer, form.byteOffset).getFloat64(0, true)
  const writer = new ByteWriter(16)
  writeNumber(writer, value)
  const isItsForm = sameBytes(writer.peek().subarray(1), form)
  if (!isItsForm) throw new BytesFault(`a second encoding of the number ${value} before byte ${reader.at}`)
  return value
}

function readList(reader: ByteReader, depth: number): unknown[] {
  const items: unknown[] = []
  for (let left = reader.uint(); left > 0; left--) items.push(readPlain(reader, depth + 1))
  return items
}

function readRecord(reader: ByteReader, depth: number): object {
  const record: Record<string, unknown> = {}
  let before: string | undefined
  for (let left = reader.uint(); left > 0; left--) {
    const name = reader.text()
    const isNext = before === undefined || before < name
    if (!isNext || name === '__proto__') {
      throw new BytesFault(`field ${name} is not allowed before byte ${reader.at}`)
    }
    record[name] = readPlain(reader, depth + 1)
    before = name
  }
  return record
}

/** The bytes of one value. */
export function plainBytes(value: unknown): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(256)
  writePlain(writer, value)
  return writer.take()
}

/** Throws `BytesFault` unless `bytes` are exactly one value. */
export function plainOf(bytes: Uint8Array): unknown {
  const reader = new ByteReader(bytes)
  const value = readPlain(reader)
  reader.end()
  return value
}
