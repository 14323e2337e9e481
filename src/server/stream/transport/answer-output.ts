/**
 * Sends the answers of a session's order entry: answers of one turn are sent together, in one write, and in
 * one frame if the client requested that (docs/reference/order-entry.md#several-messages-in-a-frame). They
 * are assembled as bytes, in memory that a connection holds from the first answer of a turn to the last.
 */

import { eventJson, type RequestId } from '../../../contract/stream/stream.ts'
import { JsonWriter, jsonPart } from '../../../units/json-writer.ts'
import type { EntryOutput, WordedAnswer } from '../../order-entry/conversation.ts'
import { Frame } from '../link.ts'
import { endAfterSending } from './end-after-sending.ts'

/** A frame of this number of bytes is sent, and the next answer begins another. */
const FRAME_BYTES_MAX = 16 * 1024

/**
 * Memory that is kept for other turns: this number of frame buffers, none of which has grown beyond this
 * number of bytes.
 */
const KEPT_WRITERS_MAX = 64
const KEPT_BYTES_MAX = 2 * FRAME_BYTES_MAX
const FIRST_BYTES = 4 * 1024

const ANSWER = jsonPart('["answer",')
const OK = jsonPart(',200,')
/** Appended to an answer that was given before (docs/reference/client-order-ids.md#repeats). */
const REPEATED = jsonPart(',{"repeated":true}')
const [COMMA, OPEN, CLOSE] = [0x2c, 0x5b, 0x5d]

/** The information that HTTP sends in headers (docs/reference/order-entry.md#answer-fields). */
function besides(isRepeat: boolean, retryAfter: number): string {
  return `{${isRepeat ? '"repeated":true,' : ''}"retryAfter":${retryAfter}}`
}

function writeId(w: JsonWriter, id: RequestId): void {
  if (typeof id === 'number' && id >= 0) w.whole(id)
  else w.text(String(id))
}

/** Empty writers that no turn uses. */
const idle: JsonWriter[] = []

export class AnswerOutput implements EntryOutput {
  readonly hasFrames: boolean
  readonly #send: (frames: readonly Frame[]) => void
  readonly #end: () => void
  #isMany = false
  /** Complete frames. */
  #frames: Frame[] = []
  /** The frame that is being filled: `[`, then messages with commas between them. */
  #writer: JsonWriter | undefined
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

  answer({ id, status, body, isRepeat, retryAfter, acknowledge }: WordedAnswer): void {
    const w = this.#begin()
    w.part(ANSWER)
    const members = w.length
    writeId(w, id)
    if (status === 200) w.part(OK)
    else w.text(`,${status},`)
    if (typeof body === 'string') w.text(body)
    else w.written(body)
    if (retryAfter !== undefined) w.text(`,${besides(isRepeat, retryAfter)}`)
    else if (isRepeat) w.part(REPEATED)
    const answer = acknowledge && w.textFrom(members)
    w.char(CLOSE)
    this.#endMessage(w)
    if (answer !== undefined) acknowledge?.(answer)
  }

  loggedOut(bodyJson: string, retryAfter: number | undefined): void {
    const w = this.#begin()
    const payload = retryAfter === undefined ? bodyJson : `${bodyJson},${besides(false, retryAfter)}`
    w.text(eventJson('loggedOut', payload))
    this.#endMessage(w)
  }

  endConnection(): void {
    endAfterSending(this.#end)
  }

  /** The writer at the position at which the next message is written. */
  #begin(): JsonWriter {
    this.#writer ??= idle.pop() ?? new JsonWriter(FIRST_BYTES)
    this.#writer.char(this.#messages === 0 ? OPEN : COMMA)
    return this.#writer
  }

  #endMessage(writer: JsonWriter): void {
    this.#messages++
    if (!this.#isMany || writer.length >= FRAME_BYTES_MAX) this.#endFrame(writer)
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(this.#flush)
  }

  /** `[[...],[...]]`, or the message itself if there is only one. */
  #endFrame(writer: JsonWriter): void {
    if (this.#messages === 0) return
    if (this.#messages > 1) writer.char(CLOSE)
    this.#frames.push(new Frame(writer.textFrom(this.#messages > 1 ? 0 : 1)))
    writer.reset()
    this.#messages = 0
  }

  readonly #flush = (): void => {
    const writer = this.#writer
    if (writer !== undefined) {
      this.#endFrame(writer)
      if (idle.length < KEPT_WRITERS_MAX && writer.capacity <= KEPT_BYTES_MAX) idle.push(writer)
      this.#writer = undefined
    }
    const frames = this.#frames
    this.#frames = []
    this.#isScheduled = false
    this.#send(frames)
  }
}
