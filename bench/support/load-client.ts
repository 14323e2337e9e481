/** Controls the load generator from the benchmark: a process that receives plans and reports measurements. */
import path from 'node:path'
import type { Load, LoadOrder, LoadPlan, LoadReport } from './load.ts'

export class LoadClient {
  readonly #process: Bun.Subprocess
  #running: PromiseWithResolvers<Load> | undefined

  constructor() {
    this.#process = Bun.spawn(
      [process.execPath, '--no-env-file', path.join(import.meta.dir, 'load-process.ts')],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
        ipc: (report: LoadReport) => {
          if ('load' in report) this.#running?.resolve(report.load)
          else this.#running?.reject(new Error(report.problem))
        },
        onExit: (_process, code) => this.#running?.reject(new Error(`the load generator ended with ${code}`)),
      },
    )
  }

  run(plan: LoadPlan): Promise<Load> {
    this.#running = Promise.withResolvers()
    this.#process.send({ plan } satisfies LoadOrder)
    return this.#running.promise
  }

  stop(): void {
    this.#running = undefined
    this.#process.kill()
  }
}
