/**
 * The way back of a session's order entry: answers of one turn leave together, in one write, and where the client asked for that in
 * one frame (docs/reference/order-entry.md#several-messages-in-a-frame).
 */
import { eventJson } from '../../wire/stream.ts'
import type { Acknowledge } from '../entry/entry-call.ts'
import type { EntryOutput } from '../entry/entry-session.ts'
import { Frame } from './link.ts'

/** A frame with so much text is sent, and the next answer begins another. */
const FRAME_LENGTH_MAX = 16 * 1024

export class AnswerOutput implements EntryOutput {
  readonly hasFrames: boolean
  readonly #send: (frames: readonly Frame[]) => void
  #isMany = false
  #waiting: string[] = []

  /** `send` is called with the answers of a turn at its end. */
  constructor(hasFrames: boolean, send: (frames: readonly Frame[]) => void) {
    this.hasFrames = hasFrames
    this.#send = send
  }

  sendMany(): void {
    this.#isMany = true
  }

  answer(members: string, acknowledge: Acknowledge | undefined): void {
    this.#add(eventJson('answer', members))
    acknowledge?.(members)
  }

  loggedOut(bodyJson: string): void {
    this.#add(eventJson('loggedOut', bodyJson))
  }

  #add(message: string): void {
    if (this.#waiting.length === 0) queueMicrotask(() => this.#flush())
    this.#waiting.push(message)
  }

  #flush(): void {
    const messages = this.#waiting
    this.#waiting = []
    this.#send(this.#isMany ? joined(messages) : messages.map((message) => new Frame(message)))
  }
}

/** As few frames as may be: `[[...],[...]]`, or the message itself where there is one. */
function joined(messages: readonly string[]): Frame[] {
  const frames: Frame[] = []
  let start = 0
  let length = 0
  messages.forEach((message, at) => {
    length += message.length
    if (length < FRAME_LENGTH_MAX && at + 1 < messages.length) return
    const together = messages.slice(start, at + 1)
    frames.push(new Frame(together.length === 1 ? message : `[${together.join(',')}]`))
    start = at + 1
    length = 0
  })
  return frames
}
