/** A stream server controlled by a test, so that messages can be missed, wrong and late. */
import type { ServerWebSocket } from 'bun'
import { until } from '../../support/until.ts'
import { offline, RULES } from './exchange.ts'

type Message = readonly [string, ...unknown[]]

export type Connection = {
  readonly path: string
  /** The client's messages, oldest first. */
  readonly sent: Message[]
  readonly send: (...messages: Message[]) => void
  readonly close: () => void
}

/**
 * The reaction to a message; by default subscriptions and logins succeed, and other messages get no answer.
 */
export type Reply = (message: Message, connection: Connection) => void

const LOGGED_IN = { status: true, code: '0000', msg: ['Logged in.'], data: {} }

export function answerAsUsual([name, first]: Message, { send }: Connection): void {
  if (name === 'login') send(['answer', 'login', 200, LOGGED_IN])
  if (name === 'subscribe') {
    const { since: _since, journal: _journal, ...subscription } = first as Record<string, unknown>
    send(['subscribed', subscription])
  }
  if (name === 'unsubscribe') send(['unsubscribed', first])
}

/** A server, and an exchange connected to it; both must be disposed of. */
export function streamServer(reply: Reply = answerAsUsual) {
  const connections: Connection[] = []
  const server = Bun.serve<Connection, never>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      const { pathname } = new URL(request.url)
      return self.upgrade(request, { data: { path: pathname } as Connection })
        ? undefined
        : new Response('no')
    },
    websocket: {
      open(socket: ServerWebSocket<Connection>) {
        const connection: Connection = {
          path: socket.data.path,
          sent: [],
          send: (...messages) => {
            for (const message of messages) socket.send(JSON.stringify(message))
          },
          close: () => socket.terminate(),
        }
        socket.data = connection
        connections.push(connection)
      },
      message(socket, text) {
        const message = JSON.parse(`${text}`) as Message
        socket.data.sent.push(message)
        reply(message, socket.data)
      },
    },
  })
  const { exchange } = offline(() => RULES, {
    urls: { api: { rest: `http://127.0.0.1:${server.port}` } },
    // Connections that a test breaks are reopened at once.
    options: { ws: { backoff: { base: 0 } } },
  })
  return {
    exchange,
    connections,
    /** The newest connection, once the client has sent `count` messages with this name over it. */
    async asked(name: string, count: number, connection = 1): Promise<Connection> {
      const countOf = () => connections[connection - 1]?.sent.filter(([sent]) => sent === name).length ?? 0
      await until(`${count} messages ${name} on connection ${connection}`, () => countOf() >= count)
      return connections[connection - 1]!
    },
    async dispose(): Promise<void> {
      await exchange.close()
      await server.stop(true)
    },
  }
}
