/**
 * A proxy of TCP connections that cuts some of them: before the request reaches the server, or when the
 * answer comes back, so that its client cannot know whether the request was carried out.
 */
import net from 'node:net'

export type Cuts = { requests: number; answers: number; passed: number }

export class CuttingProxy {
  readonly cuts: Cuts = { requests: 0, answers: 0, passed: 0 }
  readonly #server: net.Server
  readonly #sockets = new Set<net.Socket>()

  /** `shares` has the shares of the connections that are cut before the request, and before the answer. */
  constructor(
    target: URL,
    random: () => number,
    shares: { readonly request: number; readonly answer: number },
  ) {
    this.#server = net.createServer((client) => {
      this.#keep(client)
      const lot = random()
      if (lot < shares.request) {
        this.cuts.requests++
        client.once('data', () => client.destroy())
        return
      }
      const server = net.connect(Number(target.port), target.hostname)
      this.#keep(server)
      const isCut = lot < shares.request + shares.answer
      client.pipe(server)
      if (isCut)
        server.once('data', () => {
          this.cuts.answers++
          client.destroy()
          server.destroy()
        })
      else {
        this.cuts.passed++
        server.pipe(client)
      }
    })
  }

  /** Resolves with the address to use in place of the server's. */
  async listen(): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.listen(0, '127.0.0.1', resolve)
    await promise
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #keep(socket: net.Socket): void {
    this.#sockets.add(socket)
    // Connections that end early are this proxy's purpose.
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
  }
}
