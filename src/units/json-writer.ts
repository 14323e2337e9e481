/**
 * JSON built as bytes: an answer on a busy connection is written in one pass into reused memory, without
 * texts, numbers or lists for its parts (`npm run bench -- order-entry`). It is converted to a text once,
 * when it is complete. The caller must write well-formed JSON.
 */
import { plainDecimal } from './decimal.ts'
import { type NumberedId, type UuidKind, uuidOf } from './ids.ts'
import { invariant } from './invariant.ts'
import type { Decimals, TimeMs } from './quantities.ts'

/** A part that many answers have in common, encoded once. */
export type JsonPart = Uint8Array

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/** Longest text tried as ASCII, character by character; above it the platform's encoder is faster. */
const SHORT_TEXT = 96
/** Longest part copied byte by byte; above it the platform's copy is faster. */
const SHORT_PART = 48
/** Maximum number of UTF-8 bytes for a UTF-16 unit. */
const UNIT_BYTES_MAX = 3
/** Maximum number of digits of a safe integer. */
const DIGITS_MAX = 16
const INT32_MAX = 2 ** 31 - 1
const POWERS_OF_TEN = Array.from({ length: DIGITS_MAX }, (_, exponent) => 10 ** exponent)
const HALF = 2 ** 24

const ZERO = 0x30
const POINT = 0x2e
const HEX_DIGITS = encoder.encode('0123456789abcdef')

/** The middle part of an id whose number fits 48 bits, by its kind. */
const UUID_MIDDLES: { readonly [Kind in UuidKind]: JsonPart } = {
  order: encoder.encode('-7100-8000-'),
  trade: encoder.encode('-7200-8000-'),
  list: encoder.encode('-7300-8000-'),
  session: encoder.encode('-7400-8000-'),
  withdrawal: encoder.encode('-7500-8000-'),
}

export function jsonPart(json: string): JsonPart {
  return encoder.encode(json)
}

export class JsonWriter {
  #bytes: Uint8Array
  #length = 0
  /**
   * The time of the last id, and the part of the id that depends on it, kept for the many ids with the same
   * time.
   */
  #idTime = -1
  readonly #idHead = new Uint8Array(13)

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity)
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length
  }

  /** Size of the writer's memory in bytes. */
  get capacity(): number {
    return this.#bytes.length
  }

  /** Clears the written bytes and keeps the memory. */
  reset(): void {
    this.#length = 0
  }

  /** The text written from byte `start` on, which must be the start of a character. */
  textFrom(start: number): string {
    return decoder.decode(this.#bytes.subarray(start, this.#length))
  }

  /** The written text; clears the writer. */
  take(): string {
    const text = this.textFrom(0)
    this.#length = 0
    return text
  }

  /** Writes an ASCII character. */
  char(code: number): void {
    this.#room(1)
    this.#bytes[this.#length++] = code
  }

  part(part: JsonPart): void {
    const { length } = part
    this.#room(length)
    const bytes = this.#bytes
    const at = this.#length
    if (length > SHORT_PART) bytes.set(part, at)
    else for (let i = 0; i < length; i++) bytes[at + i] = part[i] as number
    this.#length = at + length
  }

  /** Writes the contents of another writer. */
  written(other: JsonWriter): void {
    const length = other.#length
    this.#room(length)
    this.#bytes.set(other.#bytes.subarray(0, length), this.#length)
    this.#length += length
  }

  /** Writes the text unchanged, quoted or not. */
  text(json: string): void {
    if (json.length <= SHORT_TEXT && this.#ascii(json)) return
    this.#room(json.length * UNIT_BYTES_MAX)
    this.#length += encoder.encodeInto(json, this.#bytes.subarray(this.#length)).written
  }

  /** Writes an integer from 0 to 2^53-1. */
  whole(value: number): void {
    invariant(Number.isSafeInteger(value) && value >= 0, () => `expected a whole number, found ${value}`)
    this.#room(DIGITS_MAX)
    this.#digits(value, digitCount(value))
  }

  /** Writes units of 10^-`places` as `plainDecimal` does. */
  decimal(units: bigint | number, places: Decimals): void {
    // Converting a number of more than 31 bits to an integer makes the engine discard the compiled code, each
    // time (`npm run bench -- order-entry`).
    const near = typeof units === 'number' ? units : Number(units)
    if (!(near >= 0 && near <= Number.MAX_SAFE_INTEGER && places < DIGITS_MAX)) {
      this.text(plainDecimal(units, places))
      return
    }
    // The remainder of two floating-point numbers would need a call.
    const one = POWERS_OF_TEN[places] as number
    const whole = Math.floor(near / one)
    this.whole(whole)
    let fraction = near - whole * one
    if (fraction === 0) return
    let width: number = places
    for (let tenth = fraction / 10; Math.floor(tenth) === tenth; tenth = fraction / 10) {
      fraction = tenth
      width--
    }
    this.#room(1 + width)
    this.#bytes[this.#length++] = POINT
    this.#digits(fraction, width)
  }

  /** Writes a UUID as `uuidOf` does. */
  uuid(kind: UuidKind, number: NumberedId, time: TimeMs): void {
    if (number >= HALF * HALF) this.text(uuidOf(kind, number, time))
    else this.#uuid(kind, number, time)
  }

  #uuid(kind: UuidKind, number: number, time: TimeMs): void {
    if (time !== this.#idTime) {
      this.#idHead.set(encoder.encode(uuidOf(kind, number as NumberedId, time).slice(0, this.#idHead.length)))
      this.#idTime = time
    }
    this.part(this.#idHead)
    this.part(UUID_MIDDLES[kind])
    this.#hex(Math.floor(number / HALF))
    this.#hex(number % HALF)
  }

  /** Writes six hexadecimal digits. */
  #hex(value: number): void {
    this.#room(6)
    const bytes = this.#bytes
    let rest = value | 0
    for (let at = this.#length + 5; at >= this.#length; at--) {
      bytes[at] = HEX_DIGITS[rest & 15] as number
      rest >>>= 4
    }
    this.#length += 6
  }

  /** Writes the last `count` digits; there must be room for them. */
  #digits(value: number, count: number): void {
    const bytes = this.#bytes
    const end = this.#length + count
    let at = end
    let large = value
    for (; large > INT32_MAX; at--) {
      const tenth = Math.floor(large / 10)
      bytes[at - 1] = ZERO + (large - tenth * 10)
      large = tenth
    }
    // Uses 32-bit integers from here on.
    for (let rest = large | 0; at > this.#length; at--) {
      const tenth = (rest / 10) | 0
      bytes[at - 1] = ZERO + (rest - tenth * 10)
      rest = tenth
    }
    this.#length = end
  }

  /** Writes an ASCII text; for any other text it writes nothing and returns false. */
  #ascii(text: string): boolean {
    const { length } = text
    this.#room(length)
    const bytes = this.#bytes
    const start = this.#length
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      if (code >= 0x80) return false
      bytes[start + i] = code
    }
    this.#length = start + length
    return true
  }

  #room(more: number): void {
    const need = this.#length + more
    if (need > this.#bytes.length) this.#grow(need)
  }

  #grow(need: number): void {
    const grown = new Uint8Array(Math.max(need, this.#bytes.length * 2))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }
}

function digitCount(value: number): number {
  let count = 1
  while (count < DIGITS_MAX && value >= (POWERS_OF_TEN[count] as number)) count++
  return count
}
