/**
 * How old may what is received be? Messages that come say when they were sent by nothing, and on a slow or a dead way none comes at all. But a server answers in
 * order: once the answer to a question is there, everything is there that was sent before it. So a question is asked every so often, and while one
 * has no answer for too long, what is known counts as old.
 */
import type { StreamPorts } from './stream-ports.ts'

export type HeartbeatOptions = {
  readonly ports: Pick<StreamPorts, 'now' | 'schedule'>
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
    const { ports } = this.#options
    const due = ports.now() + this.#halfMs
    this.#cancelTimer = ports.schedule(this.#halfMs, () => {
      // The machine was asleep, and whatever happened meanwhile is not known.
      if (ports.now() - due > this.#halfMs) this.#options.onBehind(true)
      this.#beat()
    })
  }

  #beat(): void {
    const { ports, ask, onBehind } = this.#options
    const round = ++this.#round
    this.#cancelTimer = ports.schedule(this.#halfMs, () => onBehind(true))
    ask(() => {
      if (round !== this.#round) return
      this.#cancelTimer()
      onBehind(false)
      this.#pause()
    })
  }
}
