/**
 * The numbered feed over WebSocket: each message is a page, in the form of `GET /admin/v1/events`, sent as
 * soon as there is one. Each connection has one page in flight, so that a slow reader costs no more than
 * that; no event is skipped.
 */

import type { AdminEventRequest } from '../../../contract/admin/admin.ts'
import { EVENT_WAIT_MS_MAX } from '../../../contract/admin/events.ts'
import type { Logger } from '../../common/logger.ts'
import { type AdminContext, AdminRequestError } from '../context.ts'
import { type Holder, SharedPlaces } from '../shared-places.ts'
import { listEvents } from './list-events.ts'

/** Maximum number of connections. */
export const EVENT_STREAMS_MAX = 32
/** Maximum number of connections of one token. */
export const EVENT_STREAMS_OF_TOKEN_MAX = 8
/** Reading pauses while more than this number of bytes is buffered in the process. */
const BUFFERED_BYTES_MAX = 256 * 1024

/** WebSocket close codes, from the range for applications (RFC 6455, section 7.4.2). */
const TOKEN_GONE = 4401
const FAILED = 4400
const GOING_AWAY = 1001

export type EventStream = {
  readonly context: AdminContext
  readonly request: AdminEventRequest
  /** Whether the token that opened the connection is still valid for that. */
  readonly mayGoOn: () => boolean
  readonly ended: AbortController
  drained: PromiseWithResolvers<void>
}

type Socket = Bun.ServerWebSocket<EventStream>

export class EventStreams {
  readonly #log: Logger
  readonly #open = new Set<Socket>()
  readonly #places = new SharedPlaces(EVENT_STREAMS_MAX, EVENT_STREAMS_OF_TOKEN_MAX)

  constructor(log: Logger) {
    this.#log = log
  }

  /**
   * Reserves a place for a connection that is about to open; it is freed when the connection closes, or by
   * `leave`. False if there is no free place.
   */
  take(holder: Holder): boolean {
    return this.#places.take(holder)
  }

  /** Frees the place of a connection that did not open. */
  leave(holder: Holder): void {
    this.#places.leave(holder)
  }

  /** The server's functions for connections. */
  readonly handlers: Bun.WebSocketHandler<EventStream> = {
    maxPayloadLength: 1024,
    sendPings: true,
    open: (socket) => {
      this.#open.add(socket)
      void this.#feed(socket)
    },
    message: (socket) =>
      socket.close(FAILED, 'this connection accepts no messages: put parameters into the URL'),
    drain: ({ data }) => data.drained.resolve(),
    close: (socket) => {
      this.#places.leave(socket.data.context.caller.token)
      this.#open.delete(socket)
      socket.data.ended.abort()
      socket.data.drained.resolve()
    },
  }

  /** Ends every connection. */
  close(): void {
    for (const socket of this.#open) socket.close(GOING_AWAY, 'the server stops')
  }

  /** Sends existing and new events, until the connection or its token ends. */
  async #feed(socket: Socket): Promise<void> {
    const { context, request, mayGoOn, ended } = socket.data
    let after = request.after
    try {
      while (!ended.signal.aborted && !context.news.isClosed) {
        const page = await listEvents(context, { ...request, after, wait: EVENT_WAIT_MS_MAX }, ended.signal)
        // Checked after the wait: a token may be revoked during it.
        if (!mayGoOn()) {
          socket.close(TOKEN_GONE, 'the token is revoked')
          return
        }
        after = page.next
        if (ended.signal.aborted || page.events.length === 0) continue
        socket.data.drained = Promise.withResolvers<void>()
        socket.send(JSON.stringify(page))
        if (socket.getBufferedAmount() > BUFFERED_BYTES_MAX) await socket.data.drained.promise
      }
    } catch (error) {
      const isRefusal = error instanceof AdminRequestError
      if (!isRefusal) this.#log.warn({ err: error }, 'a connection of the feed of events failed')
      socket.close(FAILED, isRefusal ? error.error.reason : 'INTERNAL_ERROR')
    }
  }
}
