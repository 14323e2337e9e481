/**
 * Splits the frames of a gateway or a replica into parts: the engine's end accepts no message larger than a
 * part, so that a peer that has not greeted costs it no more memory than that. Larger frames are sent in
 * parts and assembled after the greeting.
 */
import { BytesFault } from '../../../units/bytes.ts'
import { FRAME } from './frames.ts'

/** Maximum size of one message to an engine, in bytes. */
export const PART_BYTES_MAX = 64 * 1024

/** The messages for a frame: the frame itself if it is small enough, otherwise its parts. */
export function partsOf(
  frame: Uint8Array<ArrayBuffer>,
  partBytesMax = PART_BYTES_MAX,
): Uint8Array<ArrayBuffer>[] {
  if (frame.length <= partBytesMax) return [frame]
  const parts: Uint8Array<ArrayBuffer>[] = []
  const step = partBytesMax - 1
  for (let at = 0; at < frame.length; at += step) {
    const body = frame.subarray(at, at + step)
    const part = new Uint8Array(1 + body.length)
    part[0] = at + step < frame.length ? FRAME.part : FRAME.lastPart
    part.set(body, 1)
    parts.push(part)
  }
  return parts
}

/** Assembles the parts of frames from one end. */
export class FrameParts {
  readonly #bytesMax: number
  #parts: Uint8Array[] = []
  #bytes = 0

  /** `bytesMax`: the maximum size of a complete frame. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** The frame that this message completes; undefined if more parts follow. Throws `BytesFault`. */
  take(message: Uint8Array): Uint8Array | undefined {
    const kind = message[0]
    const isPart = kind === FRAME.part || kind === FRAME.lastPart
    if (!isPart) {
      if (this.#parts.length > 0) throw new BytesFault('expected the next part of a frame')
      return message
    }
    this.#bytes += message.length - 1
    if (this.#bytes > this.#bytesMax) throw new BytesFault(`a frame of more than ${this.#bytesMax} bytes`)
    // The buffer belongs to the socket, so a part of it is copied.
    this.#parts.push(message.slice(1))
    return kind === FRAME.part ? undefined : this.#joined()
  }

  #joined(): Uint8Array {
    const whole = new Uint8Array(this.#bytes)
    let at = 0
    for (const part of this.#parts) {
      whole.set(part, at)
      at += part.length
    }
    this.#parts = []
    this.#bytes = 0
    return whole
  }
}
