/**
 * Time that advances only when a test advances it: due callbacks run in order, however long this machine
 * pauses in between.
 */
import type { Scheduler } from '../writer/loop.ts'

type Timer = { readonly atMs: number; readonly task: () => void }

export class VirtualTime {
  nowMs = 0
  /** Timers with the same time, in the order of their creation. */
  readonly #timers = new Set<Timer>()
  /** Number of tasks that run once everything that has arrived is processed. */
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

  /**
   * Advances time until `fact` is true; throws with the name of the fact if that takes longer than `limitMs`.
   */
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

  /** Resolves once there is nothing to do before time passes. */
  async #settle(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve))
    while (this.#soon > 0)
  }
}
