/**
 * A WebSocket client on bare TCP that reads only on demand: a slow or hostile client from the server's view.
 * Text frames only (RFC 6455).
 */
import { connect, type Socket } from 'node:net'
import { until } from './until.ts'

export const TEXT = 0x1
export const BINARY = 0x2
const CLOSE = 0x8
export const PING = 0x9
export const PONG = 0xa

export class RawWebSocket {
  /** Text frames read so far. */
  readonly messages: string[] = []
  /** Receives each message; by default it is added to `messages`. */
  onMessage: (text: string) => void = (text) => void this.messages.push(text)
  readonly #socket: Socket
  #buffer: Buffer = Buffer.alloc(0)
  #isOpen = false
  #isClosed = false
  /** The close code of the server; undefined if the connection ended without one. */
  closeCode: number | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (data: Buffer) => this.#take(data))
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#isClosed = true
    })
  }

  static async open(origin: string, path = '/'): Promise<RawWebSocket> {
    const [host, port] = origin.split(':')
    const socket = connect(Number(port), host)
    const raw = new RawWebSocket(socket)
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${origin}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    await until('the server upgrades', () => raw.#isOpen || raw.#isClosed)
    return raw
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Stops reading: TCP signals to the server that there is no room. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  sendText(text: string): void {
    this.sendFrame(TEXT, Buffer.from(text))
  }

  sendFrame(opcode: number, payload: Uint8Array): void {
    this.#socket.write(frame(opcode, payload))
  }

  /** Sends the same frame `count` times, in one write: the server reads many of them at a time. */
  sendFrames(opcode: number, payload: string, count: number): void {
    const one = frame(opcode, Buffer.from(payload))
    this.#socket.write(Buffer.concat(Array.from({ length: count }, () => one)))
  }

  /** Bytes that are not a valid frame. */
  sendBytes(bytes: Uint8Array): void {
    this.#socket.write(bytes)
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(data: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, data])
    if (!this.#isOpen) {
      const end = this.#buffer.indexOf('\r\n\r\n')
      if (end < 0) return
      this.#isOpen = true
      this.#buffer = this.#buffer.subarray(end + 4)
    }
    while (this.#takeFrame()) {}
  }

  /** Takes one complete frame from the buffer; returns false if there is none. */
  #takeFrame(): boolean {
    const buffer = this.#buffer
    if (buffer.length < 2) return false
    let length = buffer.readUInt8(1) & 0x7f
    let at = 2
    if (length === 126) {
      if (buffer.length < 4) return false
      length = buffer.readUInt16BE(2)
      at = 4
    } else if (length === 127) {
      if (buffer.length < 10) return false
      length = Number(buffer.readBigUInt64BE(2))
      at = 10
    }
    if (buffer.length < at + length) return false
    const opcode = buffer.readUInt8(0) & 0x0f
    const payload = buffer.subarray(at, at + length)
    this.#buffer = buffer.subarray(at + length)
    if (opcode === TEXT) this.onMessage(payload.toString())
    else if (opcode === CLOSE && payload.length >= 2) this.closeCode = payload.readUInt16BE(0)
    return true
  }
}

/** One masked frame (mask 0, so that the payload is unchanged). */
export function frame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload
  const head =
    length < 126 ? [0x80 | opcode, 0x80 | length] : [0x80 | opcode, 0x80 | 126, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), Buffer.alloc(4), payload])
}
