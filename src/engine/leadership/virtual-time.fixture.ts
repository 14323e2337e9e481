/** Time that passes only when a test says so: what is due happens in its order, however long this machine stands still between. */
import type { Scheduler } from '../writer/loop.ts'

type Timer = { readonly atMs: number; readonly task: () => void }

export class VirtualTime {
  nowMs = 0
  /** Those due at one time in the order in which they were asked for. */
  readonly #timers = new Set<Timer>()
  /** Tasks that are to run once all that has arrived has been taken in. */
  #soon = 0

  readonly scheduler: Scheduler = {
    soon: (task) => {
      this.#soon++
      setImmediate(() => {
        this.#soon--
        task()
      })
    },
    later: (task, delayMs) => {
      const timer = { atMs: this.nowMs + Math.max(0, delayMs), task }
      this.#timers.add(timer)
      return () => void this.#timers.delete(timer)
    },
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.scheduler.later(resolve, ms))
  }

  /** Lets `ms` pass. */
  async pass(ms: number): Promise<void> {
    const endMs = this.nowMs + ms
    for (;;) {
      await this.#settle()
      const next = this.#next()
      if (next === undefined || next.atMs > endMs) break
      this.#timers.delete(next)
      this.nowMs = next.atMs
      next.task()
    }
    this.nowMs = endMs
  }

  /** Lets time pass until `fact` holds; throws, saying what was awaited, when it does not within `limitMs`. */
  async until(what: string, fact: () => boolean, limitMs: number): Promise<void> {
    const endMs = this.nowMs + limitMs
    while (!fact()) {
      if (this.nowMs >= endMs) throw new Error(`not within ${limitMs} ms: ${what}`)
      await this.pass(1)
    }
  }

  #next(): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) if (next === undefined || timer.atMs < next.atMs) next = timer
    return next
  }

  /** Resolves once nothing is to be done before time passes. */
  async #settle(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve))
    while (this.#soon > 0)
  }
}
