/** A historian's end of a gateway's link: queries to its history. It has no access to the socket. */
import type { HistoryPort } from '../../../engine/port/history-questions.ts'
import { readFrame, writeQuestionFrame } from '../protocol/frames.ts'
import { LinkFault } from '../protocol/link-fault.ts'
import { HistoryRelay } from './history-relay.ts'

export type ReaderSessionOptions = {
  readonly history: HistoryPort
  /** Maximum number of unanswered queries; above it the answer is OVERLOADED. */
  readonly inFlightMax: number
  /** Never throws. */
  readonly send: (frame: Uint8Array) => void
}

export class ReaderSession {
  readonly #history: HistoryRelay
  #isClosed = false

  constructor({ history, inFlightMax, send }: ReaderSessionOptions) {
    this.#history = new HistoryRelay(history, inFlightMax, (message) => {
      if (!this.#isClosed) send(writeQuestionFrame(message))
    })
  }

  /** Processes a frame of the gateway. Throws `BytesFault` or `LinkFault`; the link is then unusable. */
  receive(bytes: Uint8Array): void {
    const frame = readFrame(bytes)
    if (frame.kind === 'question') this.#history.receive(frame.message)
    else throw new LinkFault('FORBIDDEN', `expected a request, found a frame of kind ${frame.kind}`)
  }

  close(): void {
    this.#isClosed = true
  }
}
