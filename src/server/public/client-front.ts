/** A layer between clients and the gateway: a port for servers that consist of more than the gateway. */

import type { HistoryPort } from '../../engine/port/history-questions.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import type { SymbolId } from '../../units/ids.ts'
import type { NonceStore } from '../access/auth/nonces.ts'
import type { Clock } from '../common/clock.ts'

/** The functions of the receiving server that this layer may use. */
export type FrontServer = {
  requestIP(request: Request): { readonly address: string; readonly port: number } | null
}

/** The gateway's own answer; undefined if the request has become a WebSocket. */
export type Next = () => Response | Promise<Response> | undefined

export type ClientFront = {
  /** Answers a request itself, or returns the gateway's answer. */
  fetch(request: Request, server: FrontServer, next: Next): ReturnType<Next>
  /** The handler of WebSockets. */
  websocket(handlers: Bun.WebSocketHandler<unknown>): Bun.WebSocketHandler<unknown>
  /** The server's time shown to clients. */
  clock(clock: Clock): Clock
  /** The nonces used by the gateway: they follow the clock shown to clients, which may be set back. */
  nonces(own: NonceStore): NonceStore
  /** The history used by HTTP; `nameOf`: the name of a symbol. */
  history(history: HistoryPort, nameOf: (symbolId: SymbolId) => string | undefined): HistoryPort
  /** The engine used by the gateway. */
  engine(engine: EnginePort): EnginePort
}
