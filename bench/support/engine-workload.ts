/**
 * Workload files of the public matching-engine benchmark (github.com/flash1-dev/matching-engine-benchmark,
 * "On-disk format" in its methodology): little-endian, a header of `[u64 magic][u32 version][u32 count]`,
 * then `count` records of 40 bytes, `[u8 type][u8 side][u8 ioc][u8 pad][u32 quantity][u64 sequence
 * number][u64 order id][i64 price in ticks][i64 reserved]`.
 */
import { UNITS_MAX } from '../../src/units/quantities.ts'

export const NEW = 0
export const CANCEL = 1
export const MODIFY = 2

export const BUY = 0
export const SELL = 1

/** One message; a cancel has only an order id. */
export type EngineMessage =
  | {
      readonly kind: typeof NEW
      readonly id: number
      readonly side: number
      readonly price: number
      readonly quantity: number
      readonly isIoc: boolean
    }
  | { readonly kind: typeof CANCEL; readonly id: number }
  | {
      readonly kind: typeof MODIFY
      readonly id: number
      readonly side: number
      readonly price: number
      readonly quantity: number
    }

/** A workload by columns, in the order of arrival; a message's number is its index. */
export type EngineWorkload = {
  readonly length: number
  readonly kinds: Uint8Array
  readonly sides: Uint8Array
  readonly iocs: Uint8Array
  readonly ids: Int32Array
  readonly prices: Float64Array
  readonly quantities: Float64Array
}

/** "MEBW_001". */
const MAGIC = 0x4d4542575f303031n
const VERSION = 1
const HEAD_BYTES = 16
const RECORD_BYTES = 40
/** Maximum number of messages in a file, and the highest order id: the limits of the benchmark's harness. */
const MESSAGES_MAX = 50_000_000

/** The file's bytes are not a workload, or are a workload that the exchange cannot process. */
export class WorkloadError extends Error {
  override name = 'WorkloadError'
}

/** Reads a file's bytes. Throws a `WorkloadError` that states the record and what was expected. */
export function readWorkload(bytes: Uint8Array): EngineWorkload {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = lengthOf(view)
  const workload = emptyWorkload(length)
  for (let i = 0; i < length; i++) {
    const at = HEAD_BYTES + i * RECORD_BYTES
    const read = (field: string, value: number | bigint, min: number, max: number): number => {
      if (value >= min && value <= max) return Number(value)
      throw new WorkloadError(`record ${i}: expected ${field} of ${min} to ${max}, found ${value}`)
    }
    const kind = read('a type', view.getUint8(at), NEW, MODIFY)
    workload.kinds[i] = kind
    read('a sequence number', view.getBigUint64(at + 8, true), i, i)
    workload.ids[i] = read('an order id', view.getBigUint64(at + 16, true), 0, MESSAGES_MAX)
    if (kind === CANCEL) continue
    workload.sides[i] = read('a side', view.getUint8(at + 1), BUY, SELL)
    workload.iocs[i] = read('an IOC flag', view.getUint8(at + 2), 0, 1)
    workload.quantities[i] = read('a quantity', view.getUint32(at + 4, true), 1, 2 ** 32 - 1)
    workload.prices[i] = read('a price', view.getBigInt64(at + 24, true), 1, UNITS_MAX)
  }
  return workload
}

/** The bytes of a file with these messages. */
export function workloadBytes(messages: readonly EngineMessage[]): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES + messages.length * RECORD_BYTES)
  const view = new DataView(bytes.buffer)
  view.setBigUint64(0, MAGIC, true)
  view.setUint32(8, VERSION, true)
  view.setUint32(12, messages.length, true)
  for (const [i, message] of messages.entries()) {
    const at = HEAD_BYTES + i * RECORD_BYTES
    view.setUint8(at, message.kind)
    view.setBigUint64(at + 8, BigInt(i), true)
    view.setBigUint64(at + 16, BigInt(message.id), true)
    if (message.kind === CANCEL) continue
    view.setUint8(at + 1, message.side)
    view.setUint8(at + 2, message.kind === NEW && message.isIoc ? 1 : 0)
    view.setUint32(at + 4, message.quantity, true)
    view.setBigInt64(at + 24, BigInt(message.price), true)
  }
  return bytes
}

function emptyWorkload(length: number): EngineWorkload {
  return {
    length,
    kinds: new Uint8Array(length),
    sides: new Uint8Array(length),
    iocs: new Uint8Array(length),
    ids: new Int32Array(length),
    prices: new Float64Array(length),
    quantities: new Float64Array(length),
  }
}

function lengthOf(view: DataView): number {
  if (view.byteLength < HEAD_BYTES || view.getBigUint64(0, true) !== MAGIC) {
    throw new WorkloadError('expected a workload of the matching-engine benchmark (magic MEBW_001)')
  }
  const version = view.getUint32(8, true)
  if (version !== VERSION)
    throw new WorkloadError(`expected version ${VERSION} of workloads, found ${version}`)
  const length = view.getUint32(12, true)
  if (length < 1 || length > MESSAGES_MAX) {
    throw new WorkloadError(`expected 1 to ${MESSAGES_MAX} messages, found ${length}`)
  }
  const expected = HEAD_BYTES + length * RECORD_BYTES
  if (view.byteLength !== expected) {
    throw new WorkloadError(`expected ${expected} bytes for ${length} messages, found ${view.byteLength}`)
  }
  return length
}
