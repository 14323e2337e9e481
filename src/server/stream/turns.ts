/**
 * Sends in turns of the event loop. A room's messages to its members can take seconds of work, and this
 * thread does nothing else in the meantime. So the work is done in slices, alternating between all rooms, and
 * after each turn requests come first for as long as the turn took: sending takes at most half of the thread,
 * however many rooms are busy.
 */
import type { StreamPace } from './pace.ts'

/** Minimum pause between two turns, so that requests are handled however short the turns are. */
const PAUSE_MS_MIN = 1

/** Work that is done in steps. */
export interface Work {
  /**
   * Does a part of the work, at least one step, until `isOver` reports the end of the turn; true if there is
   * more to do.
   */
  work(isOver: () => boolean): boolean
}

export class Turns {
  readonly #pace: StreamPace
  /** In the order of their turns. */
  readonly #waiting = new Set<Work>()
  #isRunning = false
  #isStopped = false
  /** Cancels the next turn; set while that turn is delayed. */
  #cancel: (() => void) | undefined
  /** No turn begins before this time. */
  #readyAt = Number.NEGATIVE_INFINITY
  #idle: (() => void) | undefined

  constructor(pace: StreamPace) {
    this.#pace = pace
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0
  }

  /** Schedules work: now, or, if a turn has just ended, after the pause that follows it. */
  add(work: Work): void {
    if (this.#isStopped) return
    this.#waiting.add(work)
    this.#next('now')
  }

  /**
   * Like `add`, for the events of a batch: a request of that batch is answered before other clients get the
   * events, which can take a write to each of a thousand connections.
   */
  addSoon(work: Work): void {
    if (this.#isStopped) return
    this.#waiting.add(work)
    this.#next('soon')
  }

  remove(work: Work): void {
    this.#waiting.delete(work)
  }

  /** Continues until all work is done, or for this long at most; then there are no more turns. */
  async finish(limitMs: number): Promise<void> {
    if (!this.isIdle) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#idle = resolve
      const cancel = this.#pace.later(resolve, limitMs)
      await promise
      cancel()
    }
    this.#isStopped = true
    this.#cancel?.()
    this.#waiting.clear()
  }

  #next(when: 'now' | 'soon'): void {
    if (this.#isRunning || this.#cancel !== undefined || this.isIdle) return
    const { now, soon } = this.#pace
    const waitMs = this.#readyAt - now()
    if (waitMs > 0) this.#later(waitMs)
    else if (when === 'soon' && soon !== undefined) this.#cancel = soon(this.#runPutOff)
    else this.#run()
  }

  #run(): void {
    const { now, sliceMs, pauseMs } = this.#pace
    const startMs = now()
    const isOver = (): boolean => now() - startMs >= sliceMs
    const unfinished: Work[] = []
    this.#isRunning = true
    try {
      for (const work of this.#waiting) {
        this.#waiting.delete(work)
        if (work.work(isOver)) unfinished.push(work)
        if (isOver()) break
      }
    } finally {
      this.#isRunning = false
    }
    for (const work of unfinished) this.#waiting.add(work)
    const endMs = now()
    const pause = pauseMs(endMs - startMs)
    this.#readyAt = endMs + pause
    if (this.isIdle) this.#idle?.()
    else this.#later(Math.max(pause, PAUSE_MS_MIN))
  }

  #later(delayMs: number): void {
    this.#cancel = this.#pace.later(this.#runPutOff, delayMs)
  }

  readonly #runPutOff = (): void => {
    this.#cancel = undefined
    this.#run()
  }
}
