/**
 * A proxy that loses things: some of what a client sends is never passed on, some answers are lost after what was asked
 * for has been done, and some answers just stay away. It counts pieces, and of those that a server sends it knows
 * which begin an answer of HTTP.
 */
import type { Socket } from 'bun'

/** How an answer begins; an upgrade to a WebSocket, and what follows it, does not. */
const ANSWER = 'HTTP/1.1 200'

type Side = { peer: Socket<Side> | undefined; waiting: Uint8Array[] }

/** One piece of so many is lost, by what becomes of it. Zero: none. */
export type Faults = {
  /** Of the client's: the connection is cut before it is passed on. */
  readonly cutBefore: number
  /** Of the server's: the connection is cut in place of it. */
  readonly cutAnswer: number
  /** Of the server's answers over HTTP: it stays away, the connection stays. */
  readonly swallow: number
}

export function faultyProxy(target: URL, faults: Faults) {
  const counts = { sent: 0, received: 0, answers: 0, faults: 0 }
  const sockets = new Set<Socket<Side>>()
  const isDue = (count: number, every: number) => every > 0 && count % every === 0

  const cut = (socket: Socket<Side>) => {
    counts.faults += 1
    socket.data.peer?.terminate()
    socket.terminate()
  }
  const pass = (peer: Socket<Side> | undefined, waiting: Uint8Array[], piece: Uint8Array) => {
    if (peer === undefined) waiting.push(new Uint8Array(piece))
    else peer.write(piece)
  }
  const end = (socket: Socket<Side>) => {
    sockets.delete(socket)
    socket.data.peer?.end()
  }

  const server = Bun.listen<Side>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(client) {
        sockets.add(client)
        client.data = { peer: undefined, waiting: [] }
        void connect(client)
      },
      data(client, piece) {
        counts.sent += 1
        if (isDue(counts.sent, faults.cutBefore)) cut(client)
        else pass(client.data.peer, client.data.waiting, piece)
      },
      close: end,
      error: end,
    },
  })

  async function connect(client: Socket<Side>): Promise<void> {
    await Bun.connect<Side>({
      hostname: target.hostname,
      port: Number(target.port),
      data: { peer: client, waiting: [] },
      socket: {
        open(upstream) {
          sockets.add(upstream)
          client.data.peer = upstream
          for (const piece of client.data.waiting.splice(0)) upstream.write(piece)
        },
        data(upstream, piece) {
          counts.received += 1
          const isAnswer = piece.subarray(0, ANSWER.length).toString() === ANSWER
          if (isAnswer) counts.answers += 1
          if (isAnswer && isDue(counts.answers, faults.swallow)) counts.faults += 1
          else if (isDue(counts.received, faults.cutAnswer)) cut(upstream)
          else upstream.data.peer?.write(piece)
        },
        close: end,
        error: end,
      },
    })
  }

  return {
    url: `http://127.0.0.1:${server.port}`,
    counts,
    stop(): void {
      server.stop(true)
      for (const socket of sockets) socket.terminate()
    },
  }
}
