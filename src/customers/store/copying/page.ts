/** A page of changes of the store, as bytes from a node to its standby. */
import { ByteReader, BytesFault, ByteWriter } from '../../../units/bytes.ts'
import type { LogPlace } from './change-log.ts'

export type StoredValue = null | number | string | Uint8Array

/** The present state of a row, or the fact that it was deleted. */
export type ChangedRow = {
  readonly table: string
  /** One value or two, as the columns of the table's key. */
  readonly key: readonly StoredValue[]
  /** In the order of the columns; undefined if the row was deleted. */
  readonly values: readonly StoredValue[] | undefined
}

export type ChangePage = {
  /** The version of the store's tables. */
  readonly form: number
  /** The rows are those of a whole store: a copy that also has earlier rows is not a copy of it. */
  readonly isAnew: boolean
  /** With this page the copy equals the node's store at `atMs`. */
  readonly isEnd: boolean
  readonly generation: string
  readonly number: number
  /** In the node's log; deleted rows up to this number may have been forgotten. */
  readonly floor: number
  readonly atMs: number
  /** Keys of the owners of these rows, sealed; empty if they were not requested. */
  readonly keys: Uint8Array
  readonly rows: readonly ChangedRow[]
}

/** The place of a standby's copy. */
export type AskedPage = {
  /** The version of the tables of its copy. */
  readonly form: number
  /** Undefined if the standby has no copy. */
  readonly place: LogPlace | undefined
  /** Whether the standby can unseal keys. */
  readonly hasKeys: boolean
}

const VERSION = 1
const GENERATION_LENGTH_MAX = 64
const KIND = { null: 0, integer: 1, text: 2, bytes: 3 } as const
/** Maximum number of columns of a table. */
const COLUMNS_MAX = 64

export function writeAsked({ form, place, hasKeys }: AskedPage): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(64)
  writer.u8(VERSION)
  writer.uint(form)
  writer.bool(hasKeys)
  writer.bool(place !== undefined)
  if (place !== undefined) {
    writer.text(place.generation)
    writer.uint(place.number)
    writer.uint(place.floor)
  }
  return writer.take()
}

/** Throws `BytesFault`. */
export function readAsked(bytes: Uint8Array): AskedPage {
  const reader = new ByteReader(bytes)
  requireVersion(reader)
  const form = reader.uint()
  const hasKeys = reader.bool()
  const place = reader.bool() ? readPlace(reader) : undefined
  reader.end()
  if ((place?.generation.length ?? 0) > GENERATION_LENGTH_MAX)
    throw new BytesFault(`expected a generation of at most ${GENERATION_LENGTH_MAX} characters`)
  return { form, place, hasKeys }
}

function readPlace(reader: ByteReader): LogPlace {
  return { generation: reader.text(), number: reader.uint(), floor: reader.uint() }
}

export function writePage(page: ChangePage): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(4_096)
  writer.u8(VERSION)
  writer.uint(page.form)
  writer.bool(page.isAnew)
  writer.bool(page.isEnd)
  writer.text(page.generation)
  writer.uint(page.number)
  writer.uint(page.floor)
  writer.uint(page.atMs)
  writer.bytes(page.keys)
  writer.uint(page.rows.length)
  for (const { table, key, values } of page.rows) {
    writer.text(table)
    writeValues(writer, key)
    writer.bool(values !== undefined)
    if (values !== undefined) writeValues(writer, values)
  }
  return writer.take()
}

/** Throws `BytesFault`. */
export function readPage(bytes: Uint8Array): ChangePage {
  const reader = new ByteReader(bytes)
  requireVersion(reader)
  const head = {
    form: reader.uint(),
    isAnew: reader.bool(),
    isEnd: reader.bool(),
    generation: reader.text(),
    number: reader.uint(),
    floor: reader.uint(),
    atMs: reader.uint(),
    keys: reader.bytes().slice(),
  }
  const rows: ChangedRow[] = []
  for (let left = reader.uint(); left > 0; left--) {
    const [table, key] = [reader.text(), readValues(reader)]
    rows.push({ table, key, values: reader.bool() ? readValues(reader) : undefined })
  }
  reader.end()
  return { ...head, rows }
}

function requireVersion(reader: ByteReader): void {
  const version = reader.u8()
  if (version !== VERSION)
    throw new BytesFault(`expected version ${VERSION} of a page of the customer store, found ${version}`)
}

function writeValues(writer: ByteWriter, values: readonly StoredValue[]): void {
  writer.u8(values.length)
  for (const value of values) {
    if (value === null) writer.u8(KIND.null)
    else if (typeof value === 'number') {
      writer.u8(KIND.integer)
      writer.whole(value)
    } else if (typeof value === 'string') {
      writer.u8(KIND.text)
      writer.text(value)
    } else {
      writer.u8(KIND.bytes)
      writer.bytes(value)
    }
  }
}

function readValues(reader: ByteReader): StoredValue[] {
  const count = reader.u8()
  if (count > COLUMNS_MAX) throw new BytesFault(`expected at most ${COLUMNS_MAX} columns, found ${count}`)
  return Array.from({ length: count }, () => readValue(reader))
}

function readValue(reader: ByteReader): StoredValue {
  const kind = reader.u8()
  switch (kind) {
    case KIND.null:
      return null
    case KIND.integer:
      return Number(reader.bigint())
    case KIND.text:
      return reader.text()
    case KIND.bytes:
      return reader.bytes().slice()
    default:
      throw new BytesFault(`unknown kind of value ${kind}`)
  }
}
