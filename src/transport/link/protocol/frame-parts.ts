/**
 * Frames of a gateway or a replica in parts: the engine's end takes no message above the size of a part, so that whoever has not greeted costs
 * it no more memory than that. What is larger travels as parts and is put together behind the greeting.
 */
import { BytesFault } from '../../../units/bytes.ts'
import { FRAME } from './frames.ts'

/** Most bytes of one message to an engine. */
export const PART_BYTES_MAX = 64 * 1024

/** The messages that carry a frame: itself, where it is small enough. */
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

/** Puts the parts of one end's frames together. */
export class FrameParts {
  readonly #bytesMax: number
  #parts: Uint8Array[] = []
  #bytes = 0

  /** Of a whole frame. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** The frame that is whole with this message; undefined: more parts come. Throws `BytesFault`. */
  take(message: Uint8Array): Uint8Array | undefined {
    const kind = message[0]
    const isPart = kind === FRAME.part || kind === FRAME.lastPart
    if (!isPart) {
      if (this.#parts.length > 0) throw new BytesFault('expected the next part of a frame')
      return message
    }
    this.#bytes += message.length - 1
    if (this.#bytes > this.#bytesMax) throw new BytesFault(`a frame of more than ${this.#bytesMax} bytes`)
    // What the socket gave belongs to it.
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
