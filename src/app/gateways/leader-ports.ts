/**
 * Ports to an engine and a history that stay valid while links come and go: their users need not know which
 * engine leads. Without a link, requests are refused with NO_LEADER; requests in progress on a lost link have
 * been answered by that link.
 */

import { EngineFault } from '../../engine/port/fault.ts'
import { type HistoryPort, historyPort } from '../../engine/port/history-questions.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
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
  readonly history: HistoryPort = historyPort(async (name, query) => this.#open().history[name](query))

  /** Sets the link to the leader; undefined if there is none. */
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
