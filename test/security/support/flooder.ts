/**
 * A hostile client in a process of its own: floods a node's stream over one connection after another with
 * frames of one kind. `bun flooder.ts <host:port> <kind> <seconds> <connections>`: stops after the given
 * seconds, or when the given number of connections has been cut, and prints the result.
 */
import { connect, type Socket } from 'node:net'
import { BINARY, frame, PING, PONG, TEXT } from '../../support/raw-websocket.ts'

const ENGINE = '/socket.io/?EIO=4&transport=websocket'

/**
 * The data and the path of each flood. `isUpgrade` is true for the WebSocket to which a long-polling session
 * is about to move.
 */
const FLOODS = {
  probes: { path: ENGINE, opcode: TEXT, payload: '2probe', isUpgrade: true },
  pings: { path: '/', opcode: PING, payload: '' },
  longPings: { path: '/', opcode: PING, payload: 'x'.repeat(125) },
  pongs: { path: '/', opcode: PONG, payload: '' },
  enginePings: { path: ENGINE, opcode: PING, payload: '' },
  enginePongs: { path: ENGINE, opcode: TEXT, payload: '3' },
  joins: { path: '/', opcode: TEXT, payload: '["join","BTC/USDT"]' },
  engineJoins: { path: ENGINE, opcode: TEXT, payload: '42["join","BTC/USDT"]', first: '40' },
  garbage: { path: '/', opcode: TEXT, payload: 'garbage' },
  binary: { path: '/', opcode: BINARY, payload: 'garbage' },
  longGarbage: { path: '/', opcode: TEXT, payload: 'x'.repeat(16_000) },
} satisfies Record<string, Flood>

type Flood = {
  readonly path: string
  readonly opcode: number
  readonly payload: string
  readonly first?: string
  readonly isUpgrade?: boolean
}

export type FloodKind = keyof typeof FLOODS
export const FLOOD_KINDS = Object.keys(FLOODS) as readonly FloodKind[]

export type FloodReport = {
  readonly bytesSent: number
  readonly connections: number
  /** Number of connections that the server ended. */
  readonly cuts: number
  /** Number of connections that were refused. */
  readonly refused: number
}

/** Bytes written at once, and the largest backlog. */
const WRITE_BYTES = 1 << 20

async function upgradePath(origin: string): Promise<string> {
  const answer = await fetch(`http://${origin}/socket.io/?EIO=4&transport=polling`)
  const text = await answer.text()
  if (!answer.ok) return ENGINE
  return `${ENGINE}&sid=${(JSON.parse(text.slice(1)) as { sid: string }).sid}`
}

/** An upgraded connection; undefined if it was refused. */
function upgraded(origin: string, path: string): Promise<Socket | undefined> {
  const [host, port] = origin.split(':')
  const { promise, resolve } = Promise.withResolvers<Socket | undefined>()
  // Half open: a server that only ends its own side is still flooded.
  const socket = connect({ host: host ?? '', port: Number(port), allowHalfOpen: true })
  socket.on('error', () => resolve(undefined))
  socket.once('data', (data) => resolve(String(data).startsWith('HTTP/1.1 101') ? socket : undefined))
  socket.once('end', () => resolve(undefined))
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${origin}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  return promise
}

/**
 * Floods until the connection closes or the time is `end` (on the clock of `performance.now`); resolves with
 * the number of bytes written.
 */
function flooded(socket: Socket, flood: Flood, end: number): Promise<{ bytes: number; isCut: boolean }> {
  const { promise, resolve } = Promise.withResolvers<{ bytes: number; isCut: boolean }>()
  const one = frame(flood.opcode, Buffer.from(flood.payload))
  const many = Buffer.concat(Array.from({ length: Math.ceil(WRITE_BYTES / one.length) }, () => one))
  let isCut = false
  const done = () => {
    resolve({ bytes: socket.bytesWritten, isCut })
    socket.destroy()
  }
  socket.on('data', () => {})
  socket.on('close', () => {
    isCut = true
    done()
  })
  const write = () => {
    if (performance.now() > end) done()
    else if (!socket.destroyed) socket.write(many, () => setImmediate(write))
  }
  if (flood.first !== undefined) socket.write(frame(TEXT, Buffer.from(flood.first)))
  write()
  return promise
}

export async function floodNode(
  origin: string,
  kind: FloodKind,
  seconds: number,
  connectionsMax: number,
): Promise<FloodReport> {
  const end = performance.now() + seconds * 1_000
  const flood: Flood = FLOODS[kind]
  const report = { bytesSent: 0, connections: 0, cuts: 0, refused: 0 }
  while (performance.now() < end && report.cuts + report.refused < connectionsMax) {
    const path = flood.isUpgrade === true ? await upgradePath(origin) : flood.path
    const socket = await upgraded(origin, path)
    if (socket === undefined) {
      report.refused++
      continue
    }
    report.connections++
    const { bytes, isCut } = await flooded(socket, flood, end)
    report.bytesSent += bytes
    if (isCut) report.cuts++
  }
  return report
}

if (import.meta.main) {
  const [origin = '', kind, seconds, connections] = process.argv.slice(2)
  const report = await floodNode(origin, kind as FloodKind, Number(seconds), Number(connections))
  process.stdout.write(`${JSON.stringify(report)}\n`)
  process.exit(0)
}
