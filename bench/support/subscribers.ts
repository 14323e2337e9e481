/** Controls the subscribers from a benchmark: a process that joins, and reports the messages that arrived. */
import path from 'node:path'
import type { Arrivals, Delays, SubscriberOrder, SubscriberReport, SubscriptionPlan } from './subscription.ts'

/** Interval of the check whether all messages have arrived. */
const POLL_MS = 20

export class Subscribers {
  readonly #process: Bun.Subprocess
  #asked: PromiseWithResolvers<SubscriberReport> | undefined

  constructor() {
    const program = path.join(import.meta.dir, 'subscribers-process.ts')
    this.#process = Bun.spawn([process.execPath, '--no-env-file', program], {
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: (report: SubscriberReport) => {
        if (report.kind === 'problem') this.#asked?.reject(new Error(report.problem))
        else this.#asked?.resolve(report)
      },
      onExit: (_process, code) => this.#asked?.reject(new Error(`the subscribers ended with ${code}`)),
    })
  }

  async join(plan: SubscriptionPlan): Promise<void> {
    await this.#ask({ kind: 'join', ...plan })
  }

  async arrivals(): Promise<Arrivals> {
    const report = await this.#ask({ kind: 'arrivals' })
    if (report.kind !== 'arrivals') throw new Error(`expected arrivals, found ${report.kind}`)
    return report.arrivals
  }

  /** Waits until all readers together have received this number of messages since they joined. */
  async until(messages: number): Promise<Arrivals> {
    for (;;) {
      const found = await this.arrivals()
      if (found.messages >= messages) return found
      await Bun.sleep(POLL_MS)
    }
  }

  async delays(acknowledged: readonly (readonly [string, number])[]): Promise<Delays> {
    const report = await this.#ask({ kind: 'delays', acknowledged })
    if (report.kind !== 'delays') throw new Error(`expected delays, found ${report.kind}`)
    return report.delays
  }

  stop(): void {
    this.#asked = undefined
    this.#process.kill()
  }

  #ask(order: SubscriberOrder): Promise<SubscriberReport> {
    this.#asked = Promise.withResolvers()
    this.#process.send(order)
    return this.#asked.promise
  }
}
