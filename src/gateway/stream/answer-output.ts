/**
 * The way back of a session's order entry: answers of one turn leave together, in one write, and where the client asked for that in
 * one frame (docs/reference/order-entry.md#several-messages-in-a-frame).
 */
import { eventJson } from '../../wire/stream.ts'
import type { Acknowledge } from '../entry/entry-call.ts'
import type { EntryOutput } from '../entry/entry-session.ts'
import { endAfterSending } from './end-after-sending.ts'
import { Frame } from './link.ts'

/** A frame with so much text is sent, and the next answer begins another. */
const FRAME_LENGTH_MAX = 16 * 1024

export class AnswerOutput implements EntryOutput {
  readonly hasFrames: boolean
  readonly #send: (frames: readonly Frame[]) => void
  readonly #end: () => void
  #isMany = false
  /** Frames that are whole. */
  #frames: Frame[] = []
  /** Of the frame that is being filled: messages with commas between them. */
  #text = ''
  #messages = 0
  #isScheduled = false

  /** `send` is called with the answers of a turn at its end; `end` ends the connection. */
  constructor(hasFrames: boolean, send: (frames: readonly Frame[]) => void, end: () => void) {
    this.hasFrames = hasFrames
    this.#send = send
    this.#end = end
  }

  sendMany(): void {
    this.#isMany = true
  }

  answer(members: string, acknowledge: Acknowledge | undefined): void {
    this.#add(`["answer",${members}]`)
    acknowledge?.(members)
  }

  loggedOut(bodyJson: string): void {
    this.#add(eventJson('loggedOut', bodyJson))
  }

  endConnection(): void {
    endAfterSending(this.#end)
  }

  #add(message: string): void {
    this.#text = this.#messages === 0 ? message : `${this.#text},${message}`
    this.#messages++
    if (!this.#isMany || this.#text.length >= FRAME_LENGTH_MAX) this.#endFrame()
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(this.#flush)
  }

  /** `[[...],[...]]`, or the message itself where there is one. */
  #endFrame(): void {
    if (this.#messages === 0) return
    this.#frames.push(new Frame(this.#messages === 1 ? this.#text : `[${this.#text}]`))
    this.#text = ''
    this.#messages = 0
  }

  readonly #flush = (): void => {
    this.#endFrame()
    const frames = this.#frames
    this.#frames = []
    this.#isScheduled = false
    this.#send(frames)
  }
}
