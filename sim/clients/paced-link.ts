/**
 * A connection of a stream client that takes bytes at its own pace: a fixed number at a fixed interval. The
 * bytes that it has not taken wait at the server.
 */
import type { Frame, Link } from '../../src/server/stream/link.ts'
import type { Lifetime, Timetable } from '../world/schedule.ts'

export type LinkParts = {
  readonly schedule: Timetable
  /** The server's process: the connection ends when the process ends. */
  readonly life: Lifetime
  /** Number of bytes that the client takes each time, and the interval. */
  readonly takes: number
  readonly everyMs: number
  readonly guard: (work: () => void) => void
}

/** The client's end: it reads messages, then reports to the server that bytes were taken. */
export type LinkUser = {
  readonly read: (message: [event: string, payload: unknown]) => void
  readonly taken: () => void
}

export class PacedLink implements Link {
  readonly messageBytes = 0
  readonly #parts: LinkParts
  readonly #user: LinkUser
  readonly #queue: string[] = []
  #pending = 0
  #isTaking = false

  constructor(parts: LinkParts, user: LinkUser) {
    this.#parts = parts
    this.#user = user
  }

  /** Whether everything sent has been taken. */
  get isDrained(): boolean {
    return this.#queue.length === 0
  }

  pendingBytes(): number {
    return this.#pending
  }

  abort(): void {
    throw new Error('a client of market data is not cut off')
  }

  send(frames: readonly Frame[]): void {
    for (const { text } of frames) {
      this.#queue.push(text)
      this.#pending += text.length
    }
    this.#takeLater()
  }

  #takeLater(): void {
    if (this.#isTaking || this.isDrained) return
    const { schedule, life, everyMs, guard } = this.#parts
    this.#isTaking = true
    schedule.after(everyMs, life, () => {
      this.#isTaking = false
      guard(() => this.#take())
      this.#takeLater()
    })
  }

  #take(): void {
    for (let taken = 0; taken < this.#parts.takes; ) {
      const text = this.#queue.shift()
      if (text === undefined) break
      taken += text.length
      this.#pending -= text.length
      this.#user.read(JSON.parse(text) as [string, unknown])
    }
    this.#user.taken()
  }
}
