/** Controls a fan-out server from the benchmark: the messages to and from its process. */
import path from 'node:path'
import type { Topic } from '../../src/contract/stream/stream-channels.ts'

export type FanOutOrder =
  /** Publishes a number of batches of random orders. */
  | {
      readonly kind: 'publish'
      readonly batches: number
      readonly commands: number
      readonly everyMs: number
    }
  /** Requests the CPU time since the first batch. */
  | { readonly kind: 'cpu' }

export type FanOutReport =
  | { readonly kind: 'ready'; readonly port: number }
  /** `messages` is the number that each subscriber receives. */
  | { readonly kind: 'published'; readonly messages: number }
  | { readonly kind: 'cpu'; readonly cpuUs: number }

export class FanOutServer {
  readonly #process: Bun.Subprocess
  #asked = Promise.withResolvers<FanOutReport>()

  /**
   * `bourse`, or `bare` with the prefix that the transport adds to each message. Subscribers join the symbol,
   * or subscribe to `topic`.
   */
  static async start(
    mode: 'bourse' | 'bare',
    prefix: string,
    topic?: Topic,
  ): Promise<{ server: FanOutServer; port: number }> {
    const server = new FanOutServer([mode, prefix, ...(topic === undefined ? [] : [JSON.stringify(topic)])])
    const ready = await server.#asked.promise
    return { server, port: ready.kind === 'ready' ? ready.port : 0 }
  }

  private constructor(args: readonly string[]) {
    const program = path.join(import.meta.dir, 'fan-out-server.ts')
    this.#process = Bun.spawn([process.execPath, '--no-env-file', program, ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: (report: FanOutReport) => this.#asked.resolve(report),
      onExit: (_process, code) => this.#asked.reject(new Error(`the server ended with ${code}`)),
    })
  }

  /** Returns the number of messages for each subscriber. */
  async publish(batches: number, commands: number, everyMs: number): Promise<number> {
    const report = await this.#ask({ kind: 'publish', batches, commands, everyMs })
    return report.kind === 'published' ? report.messages : 0
  }

  /** Microseconds of CPU time since the start of the last `publish`. */
  async cpuUs(): Promise<number> {
    const report = await this.#ask({ kind: 'cpu' })
    return report.kind === 'cpu' ? report.cpuUs : 0
  }

  stop(): void {
    this.#process.kill()
  }

  #ask(order: FanOutOrder): Promise<FanOutReport> {
    this.#asked = Promise.withResolvers()
    this.#process.send(order)
    return this.#asked.promise
  }
}
