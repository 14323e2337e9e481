/** A proxy between a client and an exchange that loses, cuts and delays requests, drawn from a seed. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomNumbers } from '../../support/random-numbers.ts'

/**
 * `lost`: the request is carried out, and the connection is cut before the answer. `cut`: the connection is
 * cut before the request reaches the exchange. `gateway`: the request is carried out, and answered with a
 * page of the proxy's own. `held`: the client gets no answer, and the request reaches the exchange later.
 */
export type Fault = 'none' | 'lost' | 'cut' | 'gateway' | 'held'

/** Longest delay of a held request. */
const HELD_MS_MAX = 3_000

export class FaultyProxy {
  readonly #server: Server
  readonly #target: string
  readonly #random: () => number
  readonly counts: Record<Fault, number> = { none: 0, lost: 0, cut: 0, gateway: 0, held: 0 }
  /** Held requests that have not arrived yet. */
  readonly #held = new Set<Promise<unknown>>()
  /** The faults of requests that change data, and of those that read. */
  faults: { readonly commands: readonly Fault[]; readonly reads: readonly Fault[] } = {
    commands: ['none'],
    reads: ['none'],
  }

  private constructor(target: string, seed: number) {
    this.#target = target
    this.#random = randomNumbers(seed)
    this.#server = createServer((request, response) => void this.#pass(request, response))
  }

  static async start(target: string, seed: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target, seed)
    const { promise, resolve } = Promise.withResolvers<void>()
    proxy.#server.listen(0, '127.0.0.1', resolve)
    await promise
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Resolves once all held requests have arrived. */
  async drained(): Promise<void> {
    while (this.#held.size > 0) await Promise.allSettled(this.#held)
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { commands, reads } = this.faults
    const choice = request.method === 'GET' ? reads : commands
    const fault = choice[Math.floor(this.#random() * choice.length)] ?? 'none'
    this.counts[fault]++
    if (fault === 'cut') {
      request.socket.destroy()
      return
    }
    if (fault === 'held') {
      const late = new Promise((resolve) => setTimeout(resolve, this.#random() * HELD_MS_MAX))
      const forwarded = late
        .then(() => this.#forwarded(request, chunks))
        .finally(() => this.#held.delete(forwarded))
      this.#held.add(forwarded)
      return
    }
    const answer = await this.#forwarded(request, chunks)
    if (fault === 'lost') request.socket.destroy()
    else if (fault === 'gateway')
      response.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>Bad gateway</html>')
    else response.writeHead(answer.status, answer.headers).end(answer.body)
  }

  async #forwarded({ method = 'GET', url = '/', headers }: IncomingMessage, chunks: readonly Buffer[]) {
    const { host: _, connection: __, 'content-length': ___, ...kept } = headers
    const answer = await fetch(`${this.#target}${url}`, {
      method,
      headers: kept as Record<string, string>,
      ...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
    })
    const given = [...answer.headers].filter(
      ([name]) => name !== 'content-length' && name !== 'content-encoding',
    )
    return { status: answer.status, headers: Object.fromEntries(given), body: await answer.text() }
  }
}
