/**
 * A connection to a node that passes a fixed number of bytes per second to each client, in order, however
 * many are waiting. At zero it stalls, and its connections stay open.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

const HOST = '127.0.0.1'
const TICK_MS = 20

export class SlowLink implements Disposable {
  bytesPerSecond = Number.POSITIVE_INFINITY
  readonly #server: Server
  readonly #ways = new Set<Way>()
  readonly #timer: Timer

  static async to(url: string): Promise<SlowLink> {
    const link = new SlowLink(Number(new URL(url).port))
    await new Promise<void>((resolve) => link.#server.listen(0, HOST, resolve))
    return link
  }

  private constructor(port: number) {
    this.#server = createServer((client) => {
      const way = new Way(client, connect(port, HOST), () => this.#ways.delete(way))
      this.#ways.add(way)
    })
    this.#timer = setInterval(() => {
      const bytes = (this.bytesPerSecond * TICK_MS) / 1_000
      for (const way of this.#ways) way.move(bytes)
    }, TICK_MS)
  }

  get address(): string {
    return `http://${HOST}:${(this.#server.address() as AddressInfo).port}`
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    for (const way of this.#ways) way.close()
    this.#server.close()
  }
}

class Way {
  readonly #client: Socket
  readonly #node: Socket
  readonly #waiting: Buffer[] = []
  #isOver = false

  constructor(client: Socket, node: Socket, onClose: () => void) {
    this.#client = client
    this.#node = node
    client.pipe(node)
    node.on('data', (bytes: Buffer) => this.#waiting.push(bytes))
    node.on('end', () => {
      this.#isOver = true
    })
    const close = () => {
      this.close()
      onClose()
    }
    // Data that the node sent before it closed still arrives.
    node.on('error', close)
    client.on('error', close).on('close', close)
  }

  move(bytes: number): void {
    for (let left = bytes; left >= 1; ) {
      const first = this.#waiting.shift()
      if (first === undefined) break
      const part = first.subarray(0, Math.min(Math.floor(left), first.length))
      if (part.length < first.length) this.#waiting.unshift(first.subarray(part.length))
      this.#client.write(part)
      left -= part.length
    }
    if (this.#isOver && this.#waiting.length === 0) this.#client.end()
  }

  close(): void {
    this.#client.destroy()
    this.#node.destroy()
  }
}
