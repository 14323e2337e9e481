/**
 * The engine's end of a link for queries to the history: it passes them on, with a limit on the number in
 * progress.
 */
import { EngineFault } from '../../../engine/port/fault.ts'
import { type HistoryPort, historyPort } from '../../../engine/port/history-questions.ts'
import { answerQuestions, type Channel } from '../../thread/channel.ts'
import type { HistoryQuestions } from '../../thread/history-queries.ts'

export class HistoryRelay implements Channel {
  readonly #send: (message: unknown) => void
  readonly #inFlightMax: number
  #listener: (event: { readonly data: unknown }) => void = () => {}
  #inFlight = 0

  /** `send` never throws. */
  constructor(history: HistoryPort, inFlightMax: number, send: (message: unknown) => void) {
    this.#send = send
    this.#inFlightMax = inFlightMax
    answerQuestions<HistoryQuestions>(
      this,
      historyPort((name, fields) => this.#bounded(() => history[name](fields))),
    )
  }

  /** Called when a query arrives. */
  receive(message: object): void {
    this.#listener({ data: message })
  }

  postMessage(message: unknown): void {
    this.#send(message)
  }

  addEventListener(_type: 'message', listener: (event: { readonly data: unknown }) => void): void {
    this.#listener = listener
  }

  async #bounded<Value>(ask: () => Promise<Value>): Promise<Value> {
    const max = this.#inFlightMax
    if (this.#inFlight >= max) throw new EngineFault('OVERLOADED', `${max} requests are already waiting`)
    this.#inFlight++
    try {
      return await ask()
    } finally {
      this.#inFlight--
    }
  }
}
