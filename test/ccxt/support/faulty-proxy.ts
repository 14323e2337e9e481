/**
 * A lossy proxy: some client requests are not forwarded, some answers are lost after the request was carried
 * out, and some answers never arrive. It counts pieces, and recognizes the server's pieces that begin an HTTP
 * answer.
 */
import type { Socket } from 'bun'

/** The start of an answer; an upgrade to a WebSocket, and the data after it, does not match. */
const ANSWER = 'HTTP/1.1 200'

type Side = { peer: Socket<Side> | undefined; waiting: Uint8Array[] }

/** One piece in each of these numbers is lost, by kind of loss. Zero means none. */
export type Faults = {
  /** For the client's pieces: the connection is cut before the piece is forwarded. */
  readonly cutBefore: number
  /** For the server's pieces: the connection is cut, and the piece is not forwarded. */
  readonly cutAnswer: number
  /** For the server's HTTP answers: the answer is dropped, and the connection stays open. */
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
