/**
 * One connection between two machines, as a TCP proxy: it forwards bytes, holds them back while the
 * connection is cut in their direction, and delays them. A client that connects during a cut is connected
 * when it ends.
 */
import { createServer, type Server, Socket } from 'node:net'
import type { Way } from './network.ts'

/** The treatment of the bytes of one direction. */
export type Treatment = { isCut: boolean; delayMs: number }

export type TcpProxyOptions = {
  /** The connection's target, looked up each time a client connects. */
  readonly target: () => Way
  readonly there: Treatment
  readonly back: Treatment
}

export class TcpProxy {
  readonly #options: TcpProxyOptions
  readonly #server: Server
  readonly #pipes = new Set<Pipe>()
  readonly #sockets = new Set<Socket>()
  readonly #waiting = new Set<Socket>()
  #isClosed = false

  static async open(options: TcpProxyOptions): Promise<TcpProxy> {
    const proxy = new TcpProxy(options)
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject)
      proxy.#server.listen(0, '127.0.0.1', resolve)
    })
    return proxy
  }

  private constructor(options: TcpProxyOptions) {
    this.#options = options
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
      this.#keep(client)
      this.#waiting.add(client)
      client.on('close', () => this.#waiting.delete(client))
      this.#connect()
    })
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  /** Must be called when a treatment has changed. */
  changed(): void {
    for (const pipe of this.#pipes) pipe.flush()
    this.#connect()
  }

  /** Ends every connection at once, because its target is now another machine. */
  reset(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.#isClosed = true
    this.#server.close()
    this.reset()
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
  }

  /** Connects the waiting clients if nothing is cut. */
  #connect(): void {
    const { target, there, back } = this.#options
    if (there.isCut || back.isCut || this.#isClosed) return
    for (const client of this.#waiting) {
      this.#waiting.delete(client)
      const server = new Socket({ allowHalfOpen: true })
      this.#keep(server)
      // A connection that the target refuses is reset here.
      server.on('close', () => client.destroy())
      client.on('close', () => server.destroy())
      server.connect(target().port, target().host, () => {
        this.#pipe(client, server, there)
        this.#pipe(server, client, back)
      })
    }
  }

  #pipe(from: Socket, to: Socket, treatment: Treatment): void {
    const pipe = new Pipe(from, to, treatment)
    this.#pipes.add(pipe)
    from.on('close', () => this.#pipes.delete(pipe))
  }
}

/** One direction of one connection. */
class Pipe {
  readonly #to: Socket
  readonly #treatment: Treatment
  /** Bytes with the time at which they may be forwarded; undefined marks the end of the data. */
  readonly #held: { readonly chunk: Uint8Array | undefined; readonly atMs: number }[] = []

  constructor(from: Socket, to: Socket, treatment: Treatment) {
    this.#to = to
    this.#treatment = treatment
    from.on('data', (chunk: Uint8Array) => this.#take(chunk))
    from.on('end', () => this.#take(undefined))
    from.resume()
  }

  flush(): void {
    const now = performance.now()
    while (!this.#treatment.isCut) {
      const [first] = this.#held
      if (first === undefined || first.atMs > now) return
      this.#held.shift()
      if (first.chunk === undefined) this.#to.end()
      else this.#to.write(first.chunk)
    }
  }

  #take(chunk: Uint8Array | undefined): void {
    const { delayMs } = this.#treatment
    this.#held.push({ chunk, atMs: performance.now() + delayMs })
    if (delayMs === 0) this.flush()
    else setTimeout(() => this.flush(), delayMs + 1)
  }
}
