/**
 * The client's half of WebSocket framing (RFC 6455, 5.2), restricted to what a cheap subscriber needs: it
 * receives complete, unmasked messages and sends short, masked ones.
 */

const TEXT_FINAL = 0x81
const CLOSE_FINAL = 0x88
const MASKED = 0x80
const SHORT_MAX = 125
const LENGTH_16 = 126
const LENGTH_64 = 127

/** Splits received data into messages. */
export class FrameReader {
  #rest: Buffer | undefined
  #farewell = 'without a close frame'

  /** The code and the reason with which the server closed the connection, for an error message. */
  get farewell(): string {
    return this.#farewell
  }

  /**
   * Passes each complete message that ends in `chunk` to `take`; the buffer is valid until `take` returns.
   */
  read(chunk: Buffer, take: (message: Buffer) => void): void {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    for (;;) {
      const frame = frameAt(bytes, at)
      if (frame === undefined) break
      const payload = bytes.subarray(frame.start, frame.end)
      if (bytes[at] === CLOSE_FINAL) this.#farewell = farewellOf(payload)
      else take(payload)
      at = frame.end
    }
    this.#rest = at === bytes.length ? undefined : Buffer.from(bytes.subarray(at))
  }
}

/** RFC 6455, 5.5.1: two bytes of a code and a reason, or nothing. */
function farewellOf(payload: Buffer): string {
  return payload.length < 2 ? 'without a code' : `${payload.readUInt16BE(0)} ${payload.toString('utf8', 2)}`
}

/** The message whose frame starts at `at`; undefined while it is incomplete. */
function frameAt(bytes: Buffer, at: number): { start: number; end: number } | undefined {
  if (bytes.length < at + 2) return undefined
  const first = bytes[at + 1] as number
  const start = at + (first === LENGTH_64 ? 10 : first === LENGTH_16 ? 4 : 2)
  if (bytes.length < start) return undefined
  const length =
    first === LENGTH_64
      ? Number(bytes.readBigUInt64BE(at + 2))
      : first === LENGTH_16
        ? bytes.readUInt16BE(at + 2)
        : first
  const end = start + length
  return bytes.length < end ? undefined : { start, end }
}

/** A text frame of at most 125 bytes, masked with zeros. */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  if (payload.length > SHORT_MAX) throw new Error(`expected a short message, found ${payload.length} bytes`)
  return Buffer.concat([Buffer.from([TEXT_FINAL, MASKED | payload.length, 0, 0, 0, 0]), payload])
}

/** The request that opens a WebSocket. */
export function upgradeRequest(path: string): string {
  return (
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n'
  )
}
