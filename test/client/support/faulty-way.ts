/**
 * A connection to a server that can be cut: connections to its port are forwarded, and all of them may end at
 * any time, with or without the server's data up to then.
 */

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

type Pair = { readonly client: Socket; readonly server: Socket }

export class FaultyWay {
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  #isDeaf = false
  /** Number of cut connections. */
  cuts = 0

  private constructor(server: Server) {
    this.#server = server
  }

  static async to(port: number): Promise<FaultyWay> {
    const server = createServer()
    const way = new FaultyWay(server)
    server.on('connection', (client) => way.#join(client, connect(port, '127.0.0.1')))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return way
  }

  get port(): number {
    return (this.#server.address() as { readonly port: number }).port
  }

  /** Loses the server's data from now on; the server still receives the client's. The next cut ends that. */
  deafen(): void {
    this.#isDeaf = true
  }

  /** Ends all connections at once. */
  cut(): void {
    this.#isDeaf = false
    for (const pair of [...this.#pairs]) {
      this.cuts++
      this.#end(pair)
    }
  }

  async close(): Promise<void> {
    for (const pair of [...this.#pairs]) this.#end(pair)
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(client: Socket, server: Socket): void {
    const pair = { client, server }
    this.#pairs.add(pair)
    client.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => {
      if (!this.#isDeaf) client.write(bytes)
    })
    for (const socket of [client, server]) {
      socket.on('error', () => {})
      socket.on('close', () => this.#end(pair))
    }
  }

  #end(pair: Pair): void {
    this.#pairs.delete(pair)
    pair.client.destroy()
    pair.server.destroy()
  }
}
