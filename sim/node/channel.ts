/**
 * A channel between two threads of a simulated process: messages arrive in order, each after a delay, and not
 * at all once the process has ended.
 */
import type { BlockChannel } from '../../src/transport/thread/messages.ts'
import type { Lifetime, Schedule } from '../world/schedule.ts'

type Listener = (event: { readonly data: unknown }) => void

export function channelPair(
  schedule: Schedule,
  life: Lifetime,
  delayMs: () => number,
): readonly [BlockChannel, BlockChannel] {
  const left = new End(schedule, life, delayMs)
  const right = new End(schedule, life, delayMs)
  left.other = right
  right.other = left
  return [left, right]
}

class End implements BlockChannel {
  other: End | undefined
  readonly #schedule: Schedule
  readonly #life: Lifetime
  readonly #delayMs: () => number
  readonly #listeners: Listener[] = []
  /** Messages sent to this end and not yet received. */
  readonly #queue: unknown[] = []

  constructor(schedule: Schedule, life: Lifetime, delayMs: () => number) {
    this.#schedule = schedule
    this.#life = life
    this.#delayMs = delayMs
  }

  postMessage(message: unknown): void {
    const { other } = this
    if (other === undefined) return
    other.#queue.push(message)
    this.#schedule.after(this.#delayMs(), this.#life, () => other.#deliver())
  }

  addEventListener(_type: 'message', listener: Listener): void {
    this.#listeners.push(listener)
  }

  /** Delivers the oldest message: order is kept even if a later message has a shorter delay. */
  #deliver(): void {
    const data = this.#queue.shift()
    for (const listener of this.#listeners) listener({ data })
  }
}
