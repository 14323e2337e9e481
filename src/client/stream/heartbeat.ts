/**
 * Limits the age of received data. Messages do not contain the time at which they were sent, and on a slow or
 * dead connection none arrives at all. But a server answers in order: once the answer to a request has
 * arrived, everything sent before it has arrived too. So a request is sent periodically, and while an answer
 * is late, the data counts as old.
 */
import type { StreamPorts } from './stream-ports.ts'

/** Interval at which the clocks are checked. */
const CHECK_MS = 1_000

export type HeartbeatOptions = {
  readonly ports: Pick<StreamPorts, 'now' | 'wallTime' | 'schedule'>
  /** Data older than this does not count as current; in milliseconds. */
  readonly liveWithinMs: number
  /**
   * Sends a request that any working server answers; `answered` is called with the answer, but not after the
   * connection is lost.
   */
  readonly ask: (answered: () => void) => void
  readonly onBehind: (isBehind: boolean) => void
}

export class Heartbeat {
  readonly #options: HeartbeatOptions
  /**
   * Half of `liveWithinMs`: the time from an answer to the next request, and from a request until its answer
   * is late.
   */
  readonly #halfMs: number
  #cancelTimer: () => void = () => {}
  #round = 0

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#halfMs = options.liveWithinMs / 2
  }

  /** Called when the connection is open. */
  start(): void {
    this.stop()
    this.#pause()
  }

  /** Called when the connection is lost: a pending answer no longer means anything. */
  stop(): void {
    this.#round++
    this.#cancelTimer()
  }

  #pause(): void {
    this.#afterHalf((wasAsleep) => {
      // Changes while the machine was asleep are unknown.
      if (wasAsleep) this.#options.onBehind(true)
      this.#beat()
    })
  }

  #beat(): void {
    const { ask, onBehind } = this.#options
    const round = ++this.#round
    this.#afterHalf((wasAsleep) => {
      onBehind(true)
      if (wasAsleep) this.#beat()
    })
    ask(() => {
      if (round !== this.#round) return
      this.#cancelTimer()
      onBehind(false)
      this.#pause()
    })
  }

  /**
   * `wasAsleep`: much more time has passed than expected. The clock is checked every second, so this is
   * noticed soon after the machine wakes up.
   */
  #afterHalf(callback: (wasAsleep: boolean) => void): void {
    const { ports } = this.#options
    let passedMs = 0
    const wait = () => {
      const [at, wallAt] = [ports.now(), ports.wallTime()]
      this.#cancelTimer = ports.schedule(Math.min(CHECK_MS, this.#halfMs - passedMs), () => {
        // The monotonic clock of many machines stops while they sleep. If instead the wall clock was set, the
        // request only comes sooner.
        passedMs += Math.max(ports.now() - at, ports.wallTime() - wallAt)
        if (passedMs < this.#halfMs) wait()
        else callback(passedMs > 2 * this.#halfMs)
      })
    }
    wait()
  }
}
