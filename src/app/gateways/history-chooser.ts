/**
 * Which history is asked: any historian's that shows the command asked for, else the leader's. A historian that fails costs a question to the next one;
 * questions go around, so that historians share them.
 */
import { EngineFault } from '../../engine/port/fault.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import type { HistoryPort } from '../../engine/port/ports.ts'
import type { Seq } from '../../units/quantities.ts'

/** A historian that can be asked now. */
export type ReachedHistory = { readonly history: HistoryPort; readonly reached: () => Seq }

export class HistoryChooser implements HistoryPort {
  readonly #historians: () => readonly ReachedHistory[]
  readonly #leader: HistoryPort
  #turn = 0

  /** `historians`: those that can be asked now. */
  constructor(historians: () => readonly ReachedHistory[], leader: HistoryPort) {
    this.#historians = historians
    this.#leader = leader
  }

  trades: HistoryPort['trades'] = (query) => this.#ask(query.atLeast, (history) => history.trades(query))
  fills: HistoryPort['fills'] = (query) => this.#ask(query.atLeast, (history) => history.fills(query))
  ledger: HistoryPort['ledger'] = (query) => this.#ask(query.atLeast, (history) => history.ledger(query))
  positions: HistoryPort['positions'] = (query) =>
    this.#ask(query.atLeast, (history) => history.positions(query))
  orders: HistoryPort['orders'] = (query) => this.#ask(query.atLeast, (history) => history.orders(query))
  numberedOrders: HistoryPort['numberedOrders'] = (query) =>
    this.#ask(query.atLeast, (history) => history.numberedOrders(query))
  recentTrades: HistoryPort['recentTrades'] = (symbolId, limit, upTo) =>
    this.#ask(upTo, (history) => history.recentTrades(symbolId, limit, upTo))
  candles: HistoryPort['candles'] = (query) => this.#ask(query.atLeast, (history) => history.candles(query))
  updates: HistoryPort['updates'] = (query) => this.#ask(query.atLeast, (history) => history.updates(query))
  operatorActions: HistoryPort['operatorActions'] = (query) =>
    this.#ask(query.atLeast, (history) => history.operatorActions(query))
  events: HistoryPort['events'] = (query) => this.#ask(query.upTo, (history) => history.events(query))
  pastEvents: HistoryPort['pastEvents'] = (query) =>
    this.#ask(query.atLeast, (history) => history.pastEvents(query))

  async #ask<Value>(atLeast: Seq, ask: (history: HistoryPort) => Promise<Value>): Promise<Value> {
    const able = this.#historians().filter(({ reached }) => reached() >= atLeast)
    const first = this.#turn++
    for (let tried = 0; tried < able.length; tried++) {
      const { history } = able[(first + tried) % able.length] as ReachedHistory
      try {
        return await ask(history)
      } catch (cause) {
        // Another one, or the leader, may have what this one has not.
        if (!(cause instanceof EngineFault || cause instanceof JournalFault)) throw cause
      }
    }
    return ask(this.#leader)
  }
}
