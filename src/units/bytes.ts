/**
 * Binary writing and reading for journals, snapshots and messages between threads: little-endian, no
 * alignment, integers of unlimited size as LEB128. Reading past the end or a malformed value throws `BytesFault`.
 */

/** Bytes that are not what their format says: damaged, cut, or of another format. */
export class BytesFault extends Error {
  override readonly name = 'BytesFault'
}

/** Longest text or byte string in one field. */
export const FIELD_BYTES_MAX = 64 * 1024 * 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Appends values to a buffer that grows by doubling. */
export class ByteWriter {
  #bytes: Uint8Array
  #view: DataView
  #length = 0

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity)
    this.#view = new DataView(this.#bytes.buffer)
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length
  }

  /** Forgets what was written and keeps the memory. */
  reset(): void {
    this.#length = 0
  }

  /** A copy of what was written, in a buffer of its own (so that it can be handed to another thread). */
  take(): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(this.#length)
    copy.set(this.#bytes.subarray(0, this.#length))
    return copy
  }

  /** What was written, without a copy: valid until the next write. */
  peek(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  u8(value: number): void {
    this.#room(1)
    this.#bytes[this.#length++] = value
  }

  u32(value: number): void {
    this.#room(4)
    this.#view.setUint32(this.#length, value, true)
    this.#length += 4
  }

  /** Overwrites the four bytes at `position`, written earlier. */
  u32At(position: number, value: number): void {
    this.#view.setUint32(position, value, true)
  }

  /** A whole number from 0 to 2^53-1, in one to eight bytes (LEB128). */
  uint(value: number): void {
    this.#room(8)
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#length++] = rest
  }

  /** An integer of any size and sign (zigzag LEB128). */
  bigint(value: bigint): void {
    let rest = value >= 0n ? value << 1n : (-value << 1n) - 1n
    if (rest <= 0x1fffffffffffffn) {
      this.uint(Number(rest))
      return
    }
    while (rest >= 0x80n) {
      this.u8(Number(rest & 0x7fn) | 0x80)
      rest >>= 7n
    }
    this.u8(Number(rest))
  }

  bool(value: boolean): void {
    this.u8(value ? 1 : 0)
  }

  bytes(value: Uint8Array): void {
    this.uint(value.length)
    this.raw(value)
  }

  /** Bytes without their length. */
  raw(value: Uint8Array): void {
    this.#room(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  text(value: string): void {
    this.bytes(encoder.encode(value))
  }

  #room(more: number): void {
    const need = this.#length + more
    if (need <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(need, this.#bytes.length * 2))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
    this.#view = new DataView(grown.buffer)
  }
}

/** Reads values back in the order they were written. */
export class ByteReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#at = at
  }

  /** Position of the next byte. */
  get at(): number {
    return this.#at
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Throws unless everything was read. */
  end(): void {
    if (!this.atEnd) throw new BytesFault(`expected the end at byte ${this.#at} of ${this.#bytes.length}`)
  }

  u8(): number {
    this.#need(1)
    return this.#bytes[this.#at++] as number
  }

  u32(): number {
    this.#need(4)
    const value = this.#view.getUint32(this.#at, true)
    this.#at += 4
    return value
  }

  uint(): number {
    let value = 0
    let scale = 1
    for (let i = 0; i < 8; i++) {
      const byte = this.u8()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) {
        if (!Number.isSafeInteger(value)) break
        return value
      }
      scale *= 0x80
    }
    throw new BytesFault(`number above 2^53-1 before byte ${this.#at}`)
  }

  bigint(): bigint {
    let value = 0n
    let shift = 0n
    for (;;) {
      const byte = this.u8()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) break
      shift += 7n
      if (shift > 4096n) throw new BytesFault(`number too long before byte ${this.#at}`)
    }
    return value & 1n ? -((value + 1n) >> 1n) : value >> 1n
  }

  bool(): boolean {
    const byte = this.u8()
    if (byte > 1) throw new BytesFault(`expected 0 or 1 at byte ${this.#at - 1}, found ${byte}`)
    return byte === 1
  }

  /** A view of the bytes, not a copy. */
  bytes(): Uint8Array {
    return this.raw(this.uint())
  }

  /** The next `length` bytes: a view, not a copy. */
  raw(length: number): Uint8Array {
    if (length > FIELD_BYTES_MAX) throw new BytesFault(`field of ${length} bytes at byte ${this.#at}`)
    this.#need(length)
    const value = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return value
  }

  text(): string {
    const bytes = this.bytes()
    try {
      return decoder.decode(bytes)
    } catch (cause) {
      throw new BytesFault(`malformed UTF-8 before byte ${this.#at}`, { cause })
    }
  }

  #need(count: number): void {
    if (this.#at + count > this.#bytes.length) {
      throw new BytesFault(`expected ${count} bytes at byte ${this.#at} of ${this.#bytes.length}`)
    }
  }
}
