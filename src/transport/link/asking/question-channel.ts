/** Sends queries over a link as plain values and receives their answers. */
import type { Channel } from '../../thread/channel.ts'
import { writeQuestionFrame } from '../protocol/frames.ts'

export class QuestionChannel implements Channel {
  readonly #connection: { send(frame: Uint8Array<ArrayBuffer>): void }
  #hear: (event: { readonly data: unknown }) => void = () => {}

  constructor(connection: { send(frame: Uint8Array<ArrayBuffer>): void }) {
    this.#connection = connection
  }

  postMessage(message: unknown): void {
    this.#connection.send(writeQuestionFrame(message))
  }

  addEventListener(_type: 'message', listener: (event: { readonly data: unknown }) => void): void {
    this.#hear = listener
  }

  /** Called when an answer arrives. */
  arrive(message: object): void {
    this.#hear({ data: message })
  }
}
