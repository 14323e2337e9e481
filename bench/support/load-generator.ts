/**
 * Sends signed POST requests over keep-alive connections, one under way on each, and times every answer.
 */

export type LoadOptions = { readonly port: number; readonly apiKey: string; readonly connections: number }

/** What one run measured. */
export type Load = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers other than 200. */
  readonly refused: number
}

export type SignedBody = { readonly body: string; readonly signature: string }

type Connection = { sentAt: number; text: string }

export class LoadGenerator {
  readonly #options: LoadOptions
  #next = 0
  #answered = 0
  #refused = 0
  #latencies = new Float64Array(0)

  constructor(options: LoadOptions) {
    this.#options = options
  }

  /** Sends `count` requests as fast as the answers come. */
  async run(count: number, requestOf: (n: number) => SignedBody): Promise<Load> {
    this.#latencies = new Float64Array(count)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { port, apiKey } = this.#options
    const send = (socket: Bun.Socket<Connection>): void => {
      if (this.#next >= count) return
      const { body, signature } = requestOf(this.#next++)
      socket.data.sentAt = performance.now()
      socket.data.text = ''
      socket.write(
        `POST /api/v3/order HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Apikey: ${apiKey}\r\nX-Signature: ${signature}\r\n` +
          `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    }
    const receive = (socket: Bun.Socket<Connection>, data: Buffer): void => {
      socket.data.text += data.toString('latin1')
      if (!isWhole(socket.data.text)) return
      this.#latencies[this.#answered++] = performance.now() - socket.data.sentAt
      if (!socket.data.text.startsWith('HTTP/1.1 200')) this.#refused++
      if (this.#answered === count) resolve()
      else send(socket)
    }
    const sockets = await Promise.all(
      Array.from({ length: this.#options.connections }, () =>
        Bun.connect<Connection>({
          hostname: '127.0.0.1',
          port,
          data: { sentAt: 0, text: '' },
          socket: {
            data: receive,
            close: () => reject(new Error('the server closed a connection')),
            error: (_socket, cause) => reject(cause),
          },
        }),
      ),
    )
    const startedAt = performance.now()
    for (const socket of sockets) send(socket)
    await promise
    const elapsedMs = performance.now() - startedAt
    for (const socket of sockets) socket.terminate()
    const sorted = this.#latencies.sort()
    const at = (share: number) => sorted[Math.min(count - 1, Math.floor(count * share))] ?? 0
    return { perSecond: (count / elapsedMs) * 1000, p50Ms: at(0.5), p99Ms: at(0.99), refused: this.#refused }
  }
}

/** True when `text` holds a whole answer with a Content-Length. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  return length !== undefined && text.length >= end + 4 + Number(length)
}
