/**
 * One logged-in connection that follows its account's fills, besides those that send orders: it records when
 * the fill of each taking order arrives, by the order's id.
 */
import { createHmac } from 'node:crypto'
import { FrameReader, textFrame, upgradeRequest } from './frame-reader.ts'
import type { Trader } from './load.ts'

const HEAD_END = Buffer.from('\r\n\r\n')
const SUBSCRIBE = '["subscribe",{"channel":"fills"}]'

/** The fields of a fill that are read. */
type SeenFill = { readonly orderId: string; readonly isMaker: boolean }
/** An answer, or a message of the feed. */
type SeenMessage = readonly [name: string, about: unknown, status?: unknown, body?: unknown]

export class FillWatcher {
  /** Times in milliseconds of this process's clock. */
  readonly #seenById = new Map<string, number>()
  readonly #reader = new FrameReader()
  readonly #ready = Promise.withResolvers<void>()
  readonly #done = Promise.withResolvers<void>()
  readonly #expected: number
  #socket: Bun.Socket | undefined

  /** `expected` is the number of taking orders. */
  constructor(expected: number) {
    this.#expected = expected
  }

  /** Resolves when the feed has begun. */
  async follow({ port, apiKey, secret }: Trader): Promise<void> {
    let isOpen = false
    const fail = (cause: Error): void => {
      this.#ready.reject(cause)
      this.#done.reject(cause)
    }
    this.#done.promise.catch(() => {})
    this.#socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: (socket) => void socket.write(upgradeRequest('/ws')),
        data: (socket, bytes) => {
          if (isOpen) this.#reader.read(bytes, (message) => this.#take(socket, message))
          else if (bytes.indexOf(HEAD_END) >= 0) {
            isOpen = true
            socket.write(loginFrame(apiKey, secret))
          }
        },
        close: () => fail(new Error('the server closed the connection of the feed')),
        error: (_socket, cause) => fail(cause),
      },
    })
    await this.#ready.promise
  }

  /** Resolves when all fills have arrived, with the time for each order. */
  async all(): Promise<ReadonlyMap<string, number>> {
    await this.#done.promise
    this.#socket?.terminate()
    return this.#seenById
  }

  #take(socket: Bun.Socket, text: Buffer): void {
    // A ping has no text.
    if (text.length === 0) return
    const now = performance.now()
    const parsed = JSON.parse(text.toString()) as SeenMessage | readonly SeenMessage[]
    const messages =
      typeof parsed[0] === 'string' ? [parsed as SeenMessage] : (parsed as readonly SeenMessage[])
    for (const [name, about, status, body] of messages) {
      if (name === 'fills')
        this.#takeFills(about as { readonly prevSeq?: number; readonly fills: readonly SeenFill[] }, now)
      else if (name === 'answer' && status !== 200)
        this.#ready.reject(new Error(`expected a login, found ${JSON.stringify(body)}`))
      else if (name === 'answer') socket.write(textFrame(SUBSCRIBE))
    }
  }

  #takeFills(
    { prevSeq, fills }: { readonly prevSeq?: number; readonly fills: readonly SeenFill[] },
    now: number,
  ): void {
    if (prevSeq === undefined) this.#ready.resolve()
    for (const { orderId, isMaker } of fills) if (!isMaker) this.#seenById.set(orderId, now)
    if (this.#seenById.size >= this.#expected) this.#done.resolve()
  }
}

/** Masked with zeros; a login is longer than a short frame. */
function loginFrame(apiKey: string, secret: string): Buffer {
  const timestamp = Date.now()
  const signature = createHmac('sha256', secret)
    .update(`login\napiKey=${apiKey}&timestamp=${timestamp}`)
    .digest('hex')
  const payload = Buffer.from(JSON.stringify(['login', { apiKey, timestamp, signature, frames: 'many' }]))
  const head = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0])
  return Buffer.concat([head, payload])
}
