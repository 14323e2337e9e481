/**
 * The ways to an engine and a history that stay the same while links come and go: whoever has them need not know which engine leads. While there is no link,
 * what is asked is refused with NO_LEADER; what was under way on one that is lost has been answered by that link.
 */

import { EngineFault } from '../../engine/port/fault.ts'
import type { EnginePort, HistoryPort } from '../../engine/port/ports.ts'
import type { Link } from '../../transport/link/asking/link-client.ts'

export class LeaderPorts {
  #link: Pick<Link, 'engine' | 'history'> | undefined
  readonly engine: EnginePort = {
    submit: async (...command) => this.#open().engine.submit(...command),
    hand: (command, receiver, ...rest) => {
      if (this.#link === undefined) receiver.failed(noLeader())
      else this.#link.engine.hand(command, receiver, ...rest)
    },
    ask: async (...query) => this.#open().engine.ask(...query),
    follow: async (...listeners) => this.#open().engine.follow(...listeners),
    subscribe: (subscriber) => {
      if (this.#link !== undefined) return this.#link.engine.subscribe(subscriber)
      subscriber.failed(noLeader())
      return () => {}
    },
  }
  readonly history: HistoryPort = {
    trades: async (query) => this.#open().history.trades(query),
    fills: async (query) => this.#open().history.fills(query),
    ledger: async (query) => this.#open().history.ledger(query),
    positions: async (query) => this.#open().history.positions(query),
    orders: async (query) => this.#open().history.orders(query),
    numberedOrders: async (query) => this.#open().history.numberedOrders(query),
    recentTrades: async (...query) => this.#open().history.recentTrades(...query),
    candles: async (query) => this.#open().history.candles(query),
    updates: async (query) => this.#open().history.updates(query),
    operatorActions: async (query) => this.#open().history.operatorActions(query),
    events: async (query) => this.#open().history.events(query),
    pastEvents: async (query) => this.#open().history.pastEvents(query),
  }

  /** From now on they lead there; undefined: nowhere. */
  lead(link: Pick<Link, 'engine' | 'history'> | undefined): void {
    this.#link = link
  }

  #open(): Pick<Link, 'engine' | 'history'> {
    if (this.#link === undefined) throw noLeader()
    return this.#link
  }
}

function noLeader(): EngineFault {
  return new EngineFault('NO_LEADER', 'no engine leads now, or none can be reached')
}
