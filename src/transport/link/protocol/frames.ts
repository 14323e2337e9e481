/** The frames of a link after the greeting; each begins with its kind. */
import type { JournalPosition } from '../../../engine/port/journal.ts'
import type { ClockReading } from '../../../engine/writer/journal-clock.ts'
import { ByteReader, BytesFault, ByteWriter } from '../../../units/bytes.ts'
import { type Seq, seq, timeMs } from '../../../units/quantities.ts'
import { readPosition, writePosition } from './journal-positions.ts'
import { plainBytes, plainOf } from './plain-values.ts'

export const FRAME = {
  /** Requests to the engine, or its outputs (`../../thread/messages.ts`). */
  block: 1,
  /** A query to the history, or its answer, as a plain value. */
  question: 2,
  /** The engine's last reading of its clock: sent every second, so that a missing frame is noticed. */
  clock: 3,
  /** Returned after all outputs that the engine produced before it (`barrier.ts`). */
  barrier: 4,
  /** Shared counts of gateways; the link does not interpret them. */
  count: 5,
  /** The confirmed end of the journal, sent before the events and answers of its last batch. */
  confirmed: 6,
  /** The last command that a historian's history contains: sent every second. */
  reached: 7,
  /** A piece of a frame that is too large for one message, and the last piece (`frame-parts.ts`). */
  part: 8,
  lastPart: 9,
} as const

export type FrameKind = (typeof FRAME)[keyof typeof FRAME]

/**
 * Largest frame of a gateway or a replica, assembled from its parts; commands and queries are far smaller.
 */
export const REQUEST_FRAME_BYTES_MAX = 16 * 1024 * 1024

/** Largest frame of an engine: a bootstrap with every account and order book. */
export const OUTPUT_FRAME_BYTES_MAX = 1024 * 1024 * 1024

export function writeBlockFrame(block: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(1 + block.length)
  frame[0] = FRAME.block
  frame.set(block, 1)
  return frame
}

export function writeQuestionFrame(message: unknown): Uint8Array<ArrayBuffer> {
  const body = plainBytes(message)
  const frame = new Uint8Array(1 + body.length)
  frame[0] = FRAME.question
  frame.set(body, 1)
  return frame
}

export function writeClockFrame({ isTrusted, time, wall }: ClockReading): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(32)
  writer.u8(FRAME.clock)
  writer.bool(isTrusted)
  writer.uint(time)
  writer.uint(wall)
  return writer.take()
}

export function writeCountFrame(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(1 + message.length)
  frame[0] = FRAME.count
  frame.set(message, 1)
  return frame
}

export const BARRIER_FRAME: Uint8Array<ArrayBuffer> = new Uint8Array([FRAME.barrier])

export function writeConfirmedFrame(position: JournalPosition): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(64)
  writer.u8(FRAME.confirmed)
  writePosition(writer, position)
  return writer.take()
}

export function writeReachedFrame(reached: Seq): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(16)
  writer.u8(FRAME.reached)
  writer.uint(reached)
  return writer.take()
}

export type LinkFrame =
  | { readonly kind: 'block'; readonly block: ArrayBuffer }
  | { readonly kind: 'question'; readonly message: object }
  | { readonly kind: 'clock'; readonly reading: ClockReading }
  | { readonly kind: 'barrier' }
  | { readonly kind: 'count'; readonly message: Uint8Array }
  | { readonly kind: 'confirmed'; readonly position: JournalPosition }
  | { readonly kind: 'reached'; readonly seq: Seq }

/** Throws `BytesFault`. The content of a block is not checked. */
export function readFrame(bytes: Uint8Array): LinkFrame {
  const kind = bytes[0]
  switch (kind) {
    case FRAME.block:
      return { kind: 'block', block: bytes.slice(1).buffer as ArrayBuffer }
    case FRAME.question: {
      const message = plainOf(bytes.subarray(1))
      if (typeof message === 'object' && message !== null) return { kind: 'question', message }
      throw new BytesFault('expected a record as a query')
    }
    case FRAME.clock:
      return {
        kind: 'clock',
        reading: rest(bytes, (reader) => ({
          isTrusted: reader.bool(),
          time: timeMs(reader.uint()),
          wall: timeMs(reader.uint()),
        })),
      }
    case FRAME.barrier:
      new ByteReader(bytes, 1).end()
      return { kind: 'barrier' }
    case FRAME.count:
      return { kind: 'count', message: bytes.slice(1) }
    case FRAME.confirmed:
      return { kind: 'confirmed', position: rest(bytes, readPosition) }
    case FRAME.reached:
      return { kind: 'reached', seq: rest(bytes, (reader) => seq(reader.uint())) }
    default:
      throw new BytesFault(kind === undefined ? 'an empty frame' : `unknown kind of frame ${kind}`)
  }
}

/** Reads the content after the kind of a frame. */
function rest<Value>(bytes: Uint8Array, read: (reader: ByteReader) => Value): Value {
  const reader = new ByteReader(bytes, 1)
  const value = read(reader)
  reader.end()
  return value
}
