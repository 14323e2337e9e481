/**
 * How old may what is received be? Messages that come say when they were sent by nothing, and on a slow or a dead way none comes at all. But a server answers in
 * order: once the answer to a question is there, everything is there that was sent before it. So a question is asked every so often, and while one
 * has no answer for too long, what is known counts as old.
 */
import type { StreamPorts } from './stream-ports.ts'

/** How often the clocks are looked at. */
const LOOK_MS = 1_000

export type HeartbeatOptions = {
  readonly ports: Pick<StreamPorts, 'now' | 'wallTime' | 'schedule'>
  /** Nothing older counts as how things are; in milliseconds. */
  readonly liveWithinMs: number
  /** Asks what any living server answers; `answered` is called when it has, and not after the connection is lost. */
  readonly ask: (answered: () => void) => void
  readonly onBehind: (isBehind: boolean) => void
}

export class Heartbeat {
  readonly #options: HeartbeatOptions
  /** From an answer to the next question, and from that to when its answer is late. */
  readonly #halfMs: number
  #cancelTimer: () => void = () => {}
  #round = 0

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#halfMs = options.liveWithinMs / 2
  }

  /** The connection is open. */
  start(): void {
    this.stop()
    this.#pause()
  }

  /** The connection is gone: an answer that was awaited means nothing any more. */
  stop(): void {
    this.#round++
    this.#cancelTimer()
  }

  #pause(): void {
    this.#afterHalf((wasAsleep) => {
      // Whatever happened meanwhile is not known.
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

  /** `wasAsleep`: much more time has passed than was waited for. The clock is looked at every second, so that this is found out soon after the machine woke up. */
  #afterHalf(callback: (wasAsleep: boolean) => void): void {
    const { ports } = this.#options
    let passedMs = 0
    const wait = () => {
      const [at, wallAt] = [ports.now(), ports.wallTime()]
      this.#cancelTimer = ports.schedule(Math.min(LOOK_MS, this.#halfMs - passedMs), () => {
        // The monotonic clock of many machines stands still while they sleep. Where the other one was set, it is only asked sooner.
        passedMs += Math.max(ports.now() - at, ports.wallTime() - wallAt)
        if (passedMs < this.#halfMs) wait()
        else callback(passedMs > 2 * this.#halfMs)
      })
    }
    wait()
  }
}
