/**
 * A process of the simulated cluster. Everything that happens in the process goes through this class, so that
 * the process can end at any time, or freeze for a while and resume later with the timers and messages that
 * it missed.
 */
import type { Scheduler } from '../../src/engine/writer/loop.ts'
import type { Lifetime, Schedule } from '../world/schedule.ts'

export class SimProcess {
  readonly name: string
  readonly life: Lifetime = { isOver: false }
  readonly #schedule: Schedule
  #isPaused = false
  #missed: (() => void)[] = []
  readonly #onEnd: (() => void)[] = []

  constructor(name: string, schedule: Schedule) {
    this.name = name
    this.#schedule = schedule
  }

  get isAlive(): boolean {
    return !this.life.isOver
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  get now(): number {
    return this.#schedule.now
  }

  /** The scheduler that the engine's code uses. */
  get scheduler(): Scheduler {
    return {
      soon: (task) => void this.after(0, task),
      later: (task, delayMs) => this.after(delayMs, task),
    }
  }

  /**
   * Runs `task` in this process; after a freeze only once it resumes, and never after the process has ended.
   */
  after(delayMs: number, task: () => void): () => void {
    let isCanceled = false
    const run = (): void => {
      if (isCanceled) return
      if (this.#isPaused) this.#missed.push(run)
      else task()
    }
    this.#schedule.after(delayMs, this.life, run)
    return () => {
      isCanceled = true
    }
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve))
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    const missed = this.#missed
    this.#missed = []
    for (const task of missed) this.#schedule.after(0, this.life, task)
  }

  /** Ends at once. Others detect it only by their connections. */
  kill(): void {
    if (this.life.isOver) return
    this.life.isOver = true
    for (const ended of this.#onEnd) ended()
  }

  onEnd(ended: () => void): void {
    this.#onEnd.push(ended)
  }
}
