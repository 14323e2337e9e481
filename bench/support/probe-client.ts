/**
 * Controls another client from a benchmark: a process that sends requests continuously, see
 * `probe-process.ts`.
 */
import path from 'node:path'
import type { Trader } from './load.ts'
import type { Probed, ProbeOrder } from './probe.ts'

export class ProbeClient {
  readonly #process: Bun.Subprocess
  #asked: PromiseWithResolvers<Probed> | undefined

  constructor() {
    const program = path.join(import.meta.dir, 'probe-process.ts')
    this.#process = Bun.spawn([process.execPath, '--no-env-file', program], {
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: (probed: Probed) => this.#asked?.resolve(probed),
      onExit: (_process, code) => this.#asked?.reject(new Error(`the other client ended with ${code}`)),
    })
  }

  /** Discards earlier measurements. */
  begin(trader: Trader): void {
    this.#process.send({ kind: 'begin', trader } satisfies ProbeOrder)
  }

  /** The measurements since `begin`. */
  report(): Promise<Probed> {
    this.#asked = Promise.withResolvers()
    this.#process.send({ kind: 'report' } satisfies ProbeOrder)
    return this.#asked.promise
  }

  stop(): void {
    this.#asked = undefined
    this.#process.kill()
  }
}
