/**
 * Short byte strings, each under a handle, in a few large buffers: a million of them need no objects. A
 * string is in a slot of its length rounded up to 8 bytes; the slot of a removed string is reused for the
 * next one of that size.
 */
import { invariant } from './invariant.ts'

const STEP_BYTES = 8
/** Number of slot sizes; a handle is the slot's number x `SIZES` + its size. */
const SIZES = 64
/** Longest string, in bytes. */
export const POOLED_BYTES_MAX = STEP_BYTES * SIZES
const SLOTS_PER_PIECE = 512

export class BytePool {
  readonly #slotsBySize: (Slots | undefined)[] = []

  /**
   * Stores a copy of the first `length` bytes, 1 to `POOLED_BYTES_MAX`, and returns their handle, a number
   * below 2^31.
   */
  add(bytes: Uint8Array, length = bytes.length): number {
    invariant(
      length >= 1 && length <= POOLED_BYTES_MAX,
      () => `a byte string of ${length} bytes does not fit in a pool`,
    )
    const size = Math.ceil(length / STEP_BYTES) - 1
    const slots = this.#slotsBySize[size] ?? new Slots((size + 1) * STEP_BYTES)
    this.#slotsBySize[size] = slots
    const slot = slots.take()
    const { piece, start } = slots.placeOf(slot)
    for (let i = 0; i < length; i++) piece[start + i] = bytes[i] as number
    return slot * SIZES + size
  }

  /**
   * The bytes of a handle, followed by the rest of their slot: a view that is valid until they are removed.
   */
  at(handle: number): Uint8Array {
    const slots = this.#slotsOf(handle)
    const { piece, start } = slots.placeOf(Math.floor(handle / SIZES))
    return piece.subarray(start, start + slots.bytes)
  }

  /** Removes the bytes; their handle is invalid from then on. */
  remove(handle: number): void {
    this.#slotsOf(handle).leave(Math.floor(handle / SIZES))
  }

  #slotsOf(handle: number): Slots {
    const slots = this.#slotsBySize[handle % SIZES]
    invariant(slots !== undefined, () => `handle ${handle} has no bytes`)
    return slots
  }
}

/** The slots of one size. */
class Slots {
  readonly bytes: number
  readonly #pieces: Uint8Array[] = []
  readonly #vacant: number[] = []
  #used = 0
  /** The object returned by `placeOf`, reused for each result. */
  readonly #place: { piece: Uint8Array; start: number } = { piece: new Uint8Array(0), start: 0 }

  constructor(bytes: number) {
    this.bytes = bytes
  }

  take(): number {
    const vacant = this.#vacant.pop()
    if (vacant !== undefined) return vacant
    if (this.#used % SLOTS_PER_PIECE === 0) this.#pieces.push(new Uint8Array(SLOTS_PER_PIECE * this.bytes))
    return this.#used++
  }

  leave(slot: number): void {
    this.#vacant.push(slot)
  }

  placeOf(slot: number): { readonly piece: Uint8Array; readonly start: number } {
    const place = this.#place
    place.piece = this.#pieces[Math.floor(slot / SLOTS_PER_PIECE)] as Uint8Array
    place.start = (slot % SLOTS_PER_PIECE) * this.bytes
    return place
  }
}
