/**
 * Keeps child processes running, each under a name. A process that ends is replaced: at once if it had run
 * for a while, otherwise after a growing pause, so that a process that cannot start costs nothing. This
 * module is independent of the function of the processes.
 */
import type { Scheduler } from '../../engine/writer/loop.ts'

export type KeptProcess = {
  /** Resolves with its exit code. */
  readonly exited: Promise<number>
  /** Requests its end: the process answers pending requests first. */
  stop(): void
  /** Ends it at once. */
  kill(): void
}

export type KeptProcessesOptions = {
  readonly names: readonly string[]
  /** Starts the process of this name. */
  readonly start: (name: string) => KeptProcess
  readonly onNote: (note: KeptProcessNote) => void
  readonly scheduler: Pick<Scheduler, 'later'>
  /** Milliseconds since an arbitrary time. */
  readonly now: () => number
}

export type KeptProcessNote =
  | { readonly kind: 'ProcessStarted'; readonly name: string }
  /** It is replaced after the pause. */
  | {
      readonly kind: 'ProcessEnded'
      readonly name: string
      readonly exitCode: number
      readonly pauseMs: number
    }

/** A process that has run for this long is replaced at once. */
export const STEADY_MS = 10_000
/** First and longest pause before any other process is replaced: twice as long each time. */
export const REPLACE_PAUSE_MS_MIN = 100
export const REPLACE_PAUSE_MS_MAX = 5_000
/** A shorter pause for the last process: without it none would serve clients. */
export const LAST_PAUSE_MS_MAX = 1_000
/** Time limit for processes that were asked to end. */
export const STOP_MS_MAX = 10_000

export class KeptProcesses {
  readonly #options: KeptProcessesOptions
  readonly #running = new Map<string, KeptProcess>()
  readonly #kept: Promise<void>[]
  readonly #endPauseByName = new Map<string, () => void>()
  #isStopping = false

  /** Starts the processes. */
  constructor(options: KeptProcessesOptions) {
    this.#options = options
    this.#kept = options.names.map((name) => this.#keep(name))
  }

  /** Names of the running processes. */
  get running(): readonly string[] {
    return [...this.#running.keys()]
  }

  /**
   * Stops replacing processes, asks all to end, and kills those that have not ended after a while; resolves
   * when none is running.
   */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const endPause of this.#endPauseByName.values()) endPause()
    for (const process of this.#running.values()) process.stop()
    const cancel = this.#options.scheduler.later(() => {
      for (const process of this.#running.values()) process.kill()
    }, STOP_MS_MAX)
    await Promise.all(this.#kept)
    cancel()
  }

  /** One process and its successors. */
  async #keep(name: string): Promise<void> {
    const { start, onNote, now } = this.#options
    let pauseMs = 0
    while (!this.#isStopping) {
      const startedAt = now()
      const process = start(name)
      this.#running.set(name, process)
      onNote({ kind: 'ProcessStarted', name })
      const exitCode = await process.exited
      this.#running.delete(name)
      if (this.#isStopping) return
      const isSteady = now() - startedAt >= STEADY_MS
      const pauseMsMax = this.#running.size === 0 ? LAST_PAUSE_MS_MAX : REPLACE_PAUSE_MS_MAX
      pauseMs = isSteady ? 0 : Math.min(pauseMsMax, Math.max(REPLACE_PAUSE_MS_MIN, pauseMs * 2))
      onNote({ kind: 'ProcessEnded', name, exitCode, pauseMs })
      if (pauseMs > 0) await this.#pause(name, pauseMs)
    }
  }

  #pause(name: string, pauseMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#endPauseByName.delete(name)
        resolve()
      }
      const cancel = this.#options.scheduler.later(end, pauseMs)
      this.#endPauseByName.set(name, () => {
        cancel()
        end()
      })
    })
  }
}
