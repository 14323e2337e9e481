/**
 * A hostile client in a process of its own: opens connections of a node's stream from another address of this
 * machine, hangs up on the answer and reconnects at once. `bun opener.ts <host:port> <ws|eio> <seconds>`:
 * stops after the given seconds, or after enough answers that it is banned, and prints the count of each
 * status.
 */
import { connect } from 'node:net'

const PATHS: Readonly<Record<string, string>> = { ws: '/', eio: '/socket.io/?EIO=4&transport=websocket' }
const ADDRESS = '127.0.0.2'
const CLIENTS = 20
const BANNED_ENOUGH = 50

const [origin = '', kind = '', seconds = '5'] = process.argv.slice(2)
const [host = '', port = ''] = origin.split(':')
const answers: Record<string, number> = {}
const end = performance.now() + Number(seconds) * 1_000
const head =
  `GET ${PATHS[kind]} HTTP/1.1\r\nHost: ${origin}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

const isOver = (): boolean => performance.now() > end || (answers['418'] ?? 0) >= BANNED_ENOUGH

async function answer(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect({ host, port: Number(port), localAddress: ADDRESS })
  socket.once('data', (data: Buffer) => {
    resolve(data.toString('latin1').slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3))
    socket.destroy()
  })
  socket.on('error', () => {})
  socket.once('close', () => resolve('none'))
  socket.write(head)
  return promise
}

async function openAndLeave(): Promise<void> {
  while (!isOver()) {
    const status = await answer()
    answers[status] = (answers[status] ?? 0) + 1
  }
}

await Promise.all(Array.from({ length: CLIENTS }, openAndLeave))
console.info(JSON.stringify(answers))
