/** What may stand between clients and the gateway: the port of whoever composes a server that is not an ordinary one. */

import type { EnginePort, HistoryPort } from '../../engine/port/ports.ts'
import type { SymbolId } from '../../units/ids.ts'
import type { NonceStore } from '../access/auth/nonces.ts'
import type { Clock } from '../common/clock.ts'

/** What it may ask of the server that a request came to. */
export type FrontServer = {
  requestIP(request: Request): { readonly address: string; readonly port: number } | null
}

/** The gateway's own answer; undefined: the request has become a WebSocket. */
export type Next = () => Response | Promise<Response> | undefined

export type ClientFront = {
  /** Answers a request by itself, or with what the gateway answers. */
  fetch(request: Request, server: FrontServer, next: Next): ReturnType<Next>
  /** What WebSockets are handled by. */
  websocket(handlers: Bun.WebSocketHandler<unknown>): Bun.WebSocketHandler<unknown>
  /** What clients take for the server's time. */
  clock(clock: Clock): Clock
  /** What the gateway takes for its nonces: they go by the clock that clients are shown, and it may be put back. */
  nonces(own: NonceStore): NonceStore
  /** What HTTP takes for the history; `nameOf`: the name of a symbol. */
  history(history: HistoryPort, nameOf: (symbolId: SymbolId) => string | undefined): HistoryPort
  /** What the gateway takes for the engine. */
  engine(engine: EnginePort): EnginePort
}
