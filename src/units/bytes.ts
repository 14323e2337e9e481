/**
 * Binary writing and reading for journals, snapshots and messages between threads: little-endian, no
 * alignment, integers of unlimited size as LEB128.
 *
 * Every value has exactly one form. A reader returns a value equal to the one written, and an accepted value
 * would be written with the same bytes. A value without a form is a bug of the writer's caller
 * (`InvariantError`); reading past the end or any other form throws `BytesFault`.
 */
import { invariant } from './invariant.ts'
import { type Whole, wholeOf } from './whole.ts'

/** The bytes do not match their format: they are damaged, truncated, or of another format. */
export class BytesFault extends Error {
  override readonly name = 'BytesFault'
}

/** Longest text or byte string in one field. */
export const FIELD_BYTES_MAX = 64 * 1024 * 1024

/** Longest integer of `bigint`: about 1,200 decimal digits, far above any amount. */
export const BIGINT_BYTES_MAX = 586

/** Longest text tried as ASCII, character by character; above it the platform's encoder is as fast. */
const SHORT_TEXT = 32

/**
 * Converts the bytes of a short text to a string: faster than the platform's decoder
 * (`npm run bench -- recovery`).
 */
const codes: number[] = []

/**
 * Recently read short texts, by a hash of their bytes: reusing a recurring one (an asset's code, an
 * operator's name) costs a quarter of creating it (`npm run bench -- recovery`).
 */
const recentTexts: string[] = new Array(256).fill('')

const TWO_28 = 2 ** 28
const TWO_52 = 2 ** 52
const UINT_MAX = 2 ** 53 - 1
/** Largest value of bit 28 and above in a number of up to 2^53-1. */
const HIGH_MAX = 2 ** 25 - 1

/** The bytes of a field's length, used while the field is moved. */
const lengthBytes = new Uint8Array(8)

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Appends values to a buffer, which doubles when it is full. */
export class ByteWriter {
  #bytes: Uint8Array
  #length = 0

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity)
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length
  }

  /** Clears the written bytes and keeps the memory. */
  reset(): void {
    this.#length = 0
  }

  /** Removes the bytes after the first `length`. */
  truncate(length: number): void {
    invariant(length >= 0 && length <= this.#length, () => `cannot keep ${length} of ${this.#length} bytes`)
    this.#length = length
  }

  /** A copy of the written bytes in its own buffer, so that it can be transferred to another thread. */
  take(): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(this.#length)
    copy.set(this.#bytes.subarray(0, this.#length))
    return copy
  }

  /** The written bytes, without a copy: valid until the next write. */
  peek(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  u8(value: number): void {
    if ((value & 0xff) !== value) notWhole(value, '255')
    this.#room(1)
    this.#bytes[this.#length++] = value
  }

  u32(value: number): void {
    this.#room(4)
    this.#length += 4
    this.u32At(this.#length - 4, value)
  }

  /** Overwrites the four bytes at `position`, written earlier. */
  u32At(position: number, value: number): void {
    if (value >>> 0 !== value) notWhole(value, '2^32-1')
    invariant(
      position >= 0 && position + 4 <= this.#length,
      () => `no four bytes were written at ${position}`,
    )
    const bytes = this.#bytes
    bytes[position] = value
    bytes[position + 1] = value >>> 8
    bytes[position + 2] = value >>> 16
    bytes[position + 3] = value >>> 24
  }

  /** Writes an integer from 0 to 2^53-1, in one to eight bytes (LEB128). */
  uint(value: number): void {
    this.#room(8)
    const bytes = this.#bytes
    let at = this.#length
    let rest = value >>> 0
    if (rest !== value) {
      // Only integers equal their floor; the remainder of two floating-point numbers would need a call.
      if (!(value >= 0 && value <= UINT_MAX && Math.floor(value) === value)) notWhole(value, '2^53-1')
      rest = Math.floor(value / TWO_28)
      const low = value - rest * TWO_28
      bytes[at++] = low | 0x80
      bytes[at++] = (low >>> 7) | 0x80
      bytes[at++] = (low >>> 14) | 0x80
      bytes[at++] = (low >>> 21) | 0x80
    }
    while (rest >= 0x80) {
      bytes[at++] = rest | 0x80
      rest >>>= 7
    }
    bytes[at++] = rest
    this.#length = at
  }

  /** Writes an integer of any sign, in one to `BIGINT_BYTES_MAX` bytes (zigzag LEB128). */
  bigint(value: bigint): void {
    const near = Number(value)
    if (near < TWO_52 && near >= -TWO_52) {
      this.uint(near >= 0 ? near * 2 : -near * 2 - 1)
      return
    }
    let rest = value >= 0n ? value << 1n : (-value << 1n) - 1n
    const end = this.#length + BIGINT_BYTES_MAX
    while (rest >= 0x80n) {
      this.u8(Number(rest & 0x7fn) | 0x80)
      rest >>= 7n
    }
    this.u8(Number(rest))
    invariant(this.#length <= end, () => `integer must fit in ${BIGINT_BYTES_MAX} bytes, found more`)
  }

  /** Writes an integer in either form, with the same bytes as `bigint` does. */
  whole(value: Whole): void {
    if (typeof value === 'bigint') this.bigint(value)
    else if (value < TWO_52 && value >= -TWO_52) this.uint(value >= 0 ? value * 2 : -value * 2 - 1)
    else this.bigint(BigInt(value))
  }

  bool(value: boolean): void {
    this.u8(value ? 1 : 0)
  }

  bytes(value: Uint8Array): void {
    invariant(value.length <= FIELD_BYTES_MAX, () => `field must fit in 64 MiB, found ${value.length} bytes`)
    this.uint(value.length)
    this.raw(value)
  }

  /** Begins a field of unknown length; the result is passed to `endField`. */
  beginField(): number {
    this.u8(0)
    return this.#length
  }

  /**
   * Turns the bytes written since `start` into a field, as if written by `bytes`. A short field stays in
   * place, since moving bytes needs a call.
   */
  endField(start: number): void {
    const size = this.#length - start
    invariant(start > 0 && size >= 0 && size <= FIELD_BYTES_MAX, () => `no field can begin at ${start}`)
    if (size >= 0x80) this.#moveField(start, size)
    else this.#bytes[start - 1] = size
  }

  /** Moves a field to make room for a length of more than one byte, and writes the length. */
  #moveField(start: number, size: number): void {
    const end = this.#length
    this.uint(size)
    const head = this.#length - end
    const bytes = this.#bytes
    for (let i = 0; i < head; i++) lengthBytes[i] = bytes[end + i] as number
    bytes.copyWithin(start - 1 + head, start, end)
    for (let i = 0; i < head; i++) bytes[start - 1 + i] = lengthBytes[i] as number
    this.#length--
  }

  /** Writes bytes without their length. */
  raw(value: Uint8Array): void {
    this.#room(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  /** Writes a well-formed Unicode text: a lone surrogate has no UTF-8 form. */
  text(value: string): void {
    if (value.length > SHORT_TEXT || !this.#shortAscii(value)) {
      invariant(value.isWellFormed(), 'text must be well-formed Unicode, found a lone surrogate')
      this.bytes(encoder.encode(value))
    }
  }

  /**
   * Writes an ASCII text of at most `SHORT_TEXT` characters; for any other text it writes nothing and returns
   * false.
   */
  #shortAscii(value: string): boolean {
    this.#room(1 + SHORT_TEXT)
    const bytes = this.#bytes
    let at = this.#length
    bytes[at++] = value.length
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i)
      if (code >= 0x80) return false
      bytes[at++] = code
    }
    this.#length = at
    return true
  }

  #room(more: number): void {
    const need = this.#length + more
    if (need <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(need, this.#bytes.length * 2))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }
}

/** Reads values in the order in which they were written. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  /** Position of the next byte. */
  get at(): number {
    return this.#at
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Throws unless all bytes have been read. */
  end(): void {
    if (!this.atEnd) throw new BytesFault(`expected the end at byte ${this.#at} of ${this.#bytes.length}`)
  }

  u8(): number {
    this.#need(1)
    return this.#bytes[this.#at++] as number
  }

  u32(): number {
    this.#need(4)
    const bytes = this.#bytes
    const at = this.#at
    this.#at = at + 4
    const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16)
    return (low | ((bytes[at + 3] as number) << 24)) >>> 0
  }

  /** Reads an integer from 0 to 2^53-1. */
  uint(): number {
    const value = this.#uint53()
    if (value < 0) throw new BytesFault(`number above 2^53-1 at byte ${this.#at}`)
    return value
  }

  /** Reads an integer of any sign. */
  bigint(): bigint {
    const zigzag = this.#uint53()
    if (zigzag >= 0) return BigInt(zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2)
    let value = 0n
    const start = this.#at
    for (;;) {
      const byte = this.u8()
      value |= BigInt(byte & 0x7f) << BigInt(7 * (this.#at - 1 - start))
      if (byte === 0) throw new BytesFault(`number longer than necessary before byte ${this.#at}`)
      if (byte < 0x80) break
      if (this.#at - start >= BIGINT_BYTES_MAX) throw new BytesFault(`number too long at byte ${start}`)
    }
    return value & 1n ? -((value + 1n) >> 1n) : value >> 1n
  }

  /** Reads the same integers as `bigint`, and returns each in the form for its size. */
  whole(): Whole {
    const zigzag = this.#uint53()
    if (zigzag < 0) return wholeOf(this.bigint())
    return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2
  }

  bool(): boolean {
    const byte = this.u8()
    if (byte > 1) throw new BytesFault(`expected 0 or 1 at byte ${this.#at - 1}, found ${byte}`)
    return byte === 1
  }

  /** Reads a field of bytes: a view, not a copy. */
  bytes(): Uint8Array {
    return this.raw(this.uint())
  }

  /** Reads the next `length` bytes: a view, not a copy. */
  raw(length: number): Uint8Array {
    if (length > FIELD_BYTES_MAX) throw new BytesFault(`field of ${length} bytes at byte ${this.#at}`)
    this.#need(length)
    const value = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return value
  }

  /** Skips the next `length` bytes. */
  skip(length: number): void {
    this.#need(length)
    this.#at += length
  }

  /** The bytes from the earlier position `start` to the current one: a view, not a copy. */
  since(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.#at)
  }

  text(): string {
    const length = this.uint()
    return (length <= SHORT_TEXT ? this.#shortAscii(length) : undefined) ?? this.#decoded(this.raw(length))
  }

  /** Reads the UTF-8 of a text: a view, not a copy. */
  textBytes(): Uint8Array {
    const bytes = this.bytes()
    if (!isAscii(bytes)) this.#decoded(bytes)
    return bytes
  }

  /**
   * Reads an ASCII text of at most `SHORT_TEXT` characters; for any other text it reads nothing and returns
   * undefined.
   */
  #shortAscii(length: number): string | undefined {
    this.#need(length)
    const bytes = this.#bytes
    const start = this.#at
    let hash = length
    codes.length = length
    for (let i = 0; i < length; i++) {
      const code = bytes[start + i] as number
      if (code >= 0x80) return undefined
      codes[i] = code
      hash = (Math.imul(hash, 31) + code) | 0
    }
    this.#at = start + length
    const place = hash & (recentTexts.length - 1)
    const recent = recentTexts[place] as string
    if (isTextOfCodes(recent)) return recent
    const text = String.fromCharCode.apply(null, codes)
    recentTexts[place] = text
    return text
  }

  #decoded(bytes: Uint8Array): string {
    try {
      return decoder.decode(bytes)
    } catch (cause) {
      throw new BytesFault(`malformed UTF-8 before byte ${this.#at}`, { cause })
    }
  }

  /**
   * Reads a LEB128 number; returns -1, with nothing read, if it is above 2^53-1. Two halves of 28 bits keep
   * the computation in integers.
   */
  #uint53(): number {
    const bytes = this.#bytes
    let at = this.#at
    let low = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined) throw this.#cut(1, at - 1)
      low |= (byte & 0x7f) << shift
      if (byte < 0x80) return this.#ended(low, byte, at)
    }
    let high = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined) throw this.#cut(1, at - 1)
      high |= (byte & 0x7f) << shift
      if (byte < 0x80) return high > HIGH_MAX ? -1 : this.#ended(high * TWO_28 + low, byte, at)
    }
    return -1
  }

  /**
   * Accepts a number whose last byte, just before `at`, is `last`: a final zero byte is not allowed, since it
   * adds nothing.
   */
  #ended(value: number, last: number, at: number): number {
    if (last === 0 && at - this.#at > 1) {
      throw new BytesFault(`number longer than necessary before byte ${at}`)
    }
    this.#at = at
    return value
  }

  #need(count: number): void {
    if (this.#at + count > this.#bytes.length) throw this.#cut(count, this.#at)
  }

  #cut(count: number, at: number): BytesFault {
    return new BytesFault(`expected ${count} bytes at byte ${at} of ${this.#bytes.length}`)
  }
}

/** Whether the characters of `text` are those in `codes`. */
function isTextOfCodes(text: string): boolean {
  if (text.length !== codes.length) return false
  for (let i = 0; i < codes.length; i++) if (text.charCodeAt(i) !== codes[i]) return false
  return true
}

function isAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] as number) >= 0x80) return false
  return true
}

function notWhole(value: number, most: string): never {
  invariant(false, `number must be whole, 0 to ${most}, found ${value}`)
}
