/** The engine's end of a link, for questions to the history: passes them on to it, so many at a time. */
import { EngineFault } from '../../../engine/port/fault.ts'
import type { HistoryPort } from '../../../engine/port/ports.ts'
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
    const bounded = <Fields, Value>(ask: (fields: Fields) => Promise<Value>) => this.#bounded(ask)
    answerQuestions<HistoryQuestions>(this, {
      trades: bounded((query) => history.trades(query)),
      fills: bounded((query) => history.fills(query)),
      ledger: bounded((query) => history.ledger(query)),
      positions: bounded((query) => history.positions(query)),
      orders: bounded((query) => history.orders(query)),
      numberedOrders: bounded((query) => history.numberedOrders(query)),
      recentTrades: bounded(({ symbolId, limit, upTo }) => history.recentTrades(symbolId, limit, upTo)),
      candles: bounded((query) => history.candles(query)),
      updates: bounded((query) => history.updates(query)),
      operatorActions: bounded((query) => history.operatorActions(query)),
      events: bounded((query) => history.events(query)),
      pastEvents: bounded((query) => history.pastEvents(query)),
    })
  }

  /** A question has come. */
  receive(message: object): void {
    this.#listener({ data: message })
  }

  postMessage(message: unknown): void {
    this.#send(message)
  }

  addEventListener(_type: 'message', listener: (event: { readonly data: unknown }) => void): void {
    this.#listener = listener
  }

  #bounded<Fields, Value>(ask: (fields: Fields) => Promise<Value>): (fields: Fields) => Promise<Value> {
    return async (fields) => {
      const max = this.#inFlightMax
      if (this.#inFlight >= max) throw new EngineFault('OVERLOADED', `${max} questions wait already`)
      this.#inFlight++
      try {
        return await ask(fields)
      } finally {
        this.#inFlight--
      }
    }
  }
}
