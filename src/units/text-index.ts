/**
 * Unique texts, numbered from 0 in the order of their insertion, and found by their content. They are stored
 * as UTF-8 in a few large buffers, plus 28 bytes each in typed arrays, so that a million of them need no
 * objects: a `Map` takes four times as long to fill (`npm run bench -- recovery`) and several times the
 * memory (`npm run bench -- memory`). Open addressing with linear probing; texts are never removed.
 */
import { invariant } from './invariant.ts'
import { NO_RECORD } from './record-index.ts'
import { grownFloat64, grownInt32 } from './typed-arrays.ts'

const FIRST_ROWS = 16
const FIRST_PIECE_BYTES = 1024
/** Size of a buffer and of its range of addresses: a text is never in two buffers. */
const PIECE_BYTES = 2 ** 20
/** Longest text, in bytes. */
export const INDEXED_BYTES_MAX = 2 ** 16

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
/** 2^32 over the golden ratio: a multiplication by it spreads neighboring hashes. */
const SPREAD = 0x9e3779b1

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/**
 * The buffer in which a text is encoded for a lookup: a view of its own for each text would take a fifth of a
 * recovery (`npm run bench -- recovery`).
 */
let scratch = new Uint8Array(256)
/** The result of `encode` for a text without a UTF-8 form. */
const ILL_FORMED = -1

export class TextIndex {
  readonly #pieces: Uint8Array[] = []
  /** Bytes used in the last buffer. */
  #taken = 0
  /** By number: the index of the text's buffer x `PIECE_BYTES` + its start in the buffer. */
  #starts = new Float64Array(FIRST_ROWS)
  #lengths = new Int32Array(FIRST_ROWS)
  #hashes = new Int32Array(FIRST_ROWS)
  /**
   * The number of a text in each place, or `NO_RECORD`. The number of places is a power of two, and at most
   * half of them are used.
   */
  #places = new Int32Array(FIRST_ROWS * 2).fill(NO_RECORD)
  #count = 0

  get count(): number {
    return this.#count
  }

  /** The number of `text`, or `NO_RECORD`. */
  find(text: string): number {
    const length = encode(text)
    if (length === ILL_FORMED) return NO_RECORD
    return this.#places[this.#placeOf(scratch, length, hashOf(scratch, length))] as number
  }

  /** Adds a well-formed text that must be absent, and returns its number. */
  add(text: string): number {
    const length = encode(text)
    invariant(length !== ILL_FORMED, 'text must be well-formed Unicode, found a lone surrogate')
    const number = this.#addFirst(scratch, length)
    invariant(number !== NO_RECORD, () => `text ${text} must be new`)
    return number
  }

  /** Like `add`, for the UTF-8 of a text, which is copied; returns `NO_RECORD` if the text is present. */
  addBytes(bytes: Uint8Array): number {
    return this.#addFirst(bytes, bytes.length)
  }

  #addFirst(bytes: Uint8Array, length: number): number {
    const hash = hashOf(bytes, length)
    const place = this.#placeOf(bytes, length, hash)
    if (this.#places[place] !== NO_RECORD) return NO_RECORD
    const number = this.#count
    if (number === this.#starts.length) this.#growRows()
    this.#starts[number] = this.#keep(bytes, length)
    this.#lengths[number] = length
    this.#hashes[number] = hash
    this.#places[place] = number
    this.#count++
    if (this.#count * 2 > this.#places.length) this.#growPlaces()
    return number
  }

  /** The UTF-8 of text `number`, 0 to `count` - 1: a view that never changes. */
  bytesAt(number: number): Uint8Array {
    const start = this.#starts[number] as number
    const piece = this.#pieces[Math.floor(start / PIECE_BYTES)] as Uint8Array
    const at = start % PIECE_BYTES
    return piece.subarray(at, at + (this.#lengths[number] as number))
  }

  /** Text `number`, 0 to `count` - 1. */
  textAt(number: number): string {
    return decoder.decode(this.bytesAt(number))
  }

  /**
   * Copies the first `length` bytes to the end of the last buffer, or of a new one, and returns their start.
   */
  #keep(bytes: Uint8Array, length: number): number {
    invariant(length <= INDEXED_BYTES_MAX, () => `text of ${length} bytes is too long`)
    let piece = this.#pieces[this.#pieces.length - 1]
    if (piece === undefined || this.#taken + length > piece.length) {
      const usual = Math.min(PIECE_BYTES, FIRST_PIECE_BYTES * 2 ** Math.min(this.#pieces.length, 10))
      piece = new Uint8Array(Math.max(usual, length))
      this.#pieces.push(piece)
      this.#taken = 0
    }
    const at = this.#taken
    for (let i = 0; i < length; i++) piece[at + i] = bytes[i] as number
    this.#taken = at + length
    return (this.#pieces.length - 1) * PIECE_BYTES + at
  }

  /** The place of the text, or the vacant place where it would be put. */
  #placeOf(bytes: Uint8Array, length: number, hash: number): number {
    const places = this.#places
    const mask = places.length - 1
    for (let at = homeOf(hash) & mask; ; at = (at + 1) & mask) {
      const number = places[at] as number
      if (number === NO_RECORD) return at
      if (this.#hashes[number] === hash && this.#says(number, bytes, length)) return at
    }
  }

  #says(number: number, bytes: Uint8Array, length: number): boolean {
    if (this.#lengths[number] !== length) return false
    const start = this.#starts[number] as number
    const piece = this.#pieces[Math.floor(start / PIECE_BYTES)] as Uint8Array
    const at = start % PIECE_BYTES
    for (let i = 0; i < length; i++) if (piece[at + i] !== bytes[i]) return false
    return true
  }

  #growRows(): void {
    const rows = this.#starts.length * 2
    this.#starts = grownFloat64(this.#starts, rows)
    this.#lengths = grownInt32(this.#lengths, rows)
    this.#hashes = grownInt32(this.#hashes, rows)
  }

  #growPlaces(): void {
    const places = new Int32Array(this.#places.length * 2).fill(NO_RECORD)
    const mask = places.length - 1
    for (let number = 0; number < this.#count; number++) {
      let at = homeOf(this.#hashes[number] as number) & mask
      while (places[at] !== NO_RECORD) at = (at + 1) & mask
      places[at] = number
    }
    this.#places = places
  }
}

/** Puts the UTF-8 of `text` at the beginning of `scratch` and returns its length, or `ILL_FORMED`. */
function encode(text: string): number {
  const { length } = text
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x80 || i === scratch.length) return encodeAny(text)
    scratch[i] = code
  }
  return length
}

/** Like `encode`, for a text that is long or not ASCII. */
function encodeAny(text: string): number {
  if (!text.isWellFormed()) return ILL_FORMED
  const bytes = encoder.encode(text)
  if (bytes.length > scratch.length) scratch = new Uint8Array(bytes.length)
  scratch.set(bytes)
  return bytes.length
}

/** FNV-1a, with 32 bits, of the first `length` bytes. */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = FNV_OFFSET | 0
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (bytes[i] as number), FNV_PRIME)
  return hash
}

/** The place at which the search for a hash begins, before it is reduced to the number of places. */
function homeOf(hash: number): number {
  const spread = Math.imul(hash, SPREAD)
  return spread ^ (spread >>> 15)
}
