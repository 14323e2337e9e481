/** Uses one endpoint or message as hard as it can for a time, in a process of its own; prints its report. */
import { createHmac } from 'node:crypto'
import type { Abused, AbuseOrder, Fields } from './wire-abuse.ts'

const order = JSON.parse(process.argv[2] ?? '') as AbuseOrder
const { abuse, apiKey, secret } = order
const endMs = performance.now() + order.milliseconds
const socketUrl = order.url.replace('http', 'ws')
/** Messages a second that each connection may send to a stream. */
const MESSAGES = 10
const STREAMS = Array.from({ length: 1_000 }, (_, i) => `btcusdt@kline_1m${i === 0 ? '' : `x${i}`}`)
const NAMES = ['trade', 'aggTrade', 'depth@100ms', 'bookTicker', 'kline_1m'].map((name) => `btcusdt@${name}`)
let done = 0
let lastMs = 0

const isOver = (): boolean => performance.now() >= endMs
const sign = (text: string): string => createHmac('sha256', secret).update(text).digest('hex')

/** No two requests have the same signature. */
function timed(fields: Fields): Fields {
  lastMs = Math.max(lastMs + 1, Date.now() - order.milliseconds)
  return { ...fields, recvWindow: '60000', timestamp: String(lastMs) }
}

async function overHttp(): Promise<void> {
  if (abuse.kind !== 'HTTP') return
  const { method, path, fields, isSigned } = abuse
  while (!isOver()) {
    const text = new URLSearchParams(isSigned ? timed(fields) : fields).toString()
    const query = isSigned ? `${text}&signature=${sign(text)}` : text
    const answer = await fetch(`${order.url}${path}?${query}`, {
      method,
      headers: { 'X-MBX-APIKEY': apiKey },
    })
    await answer.arrayBuffer()
    done++
  }
}

function requestText(id: number): string {
  if (abuse.kind !== 'REQUEST') return ''
  const { request: method, fields, isSigned } = abuse
  if (!isSigned) return JSON.stringify({ id, method, params: fields })
  const params: Fields = { ...timed(fields), apiKey }
  const text = Object.keys(params)
    .toSorted()
    .map((name) => `${name}=${params[name]}`)
    .join('&')
  return JSON.stringify({ id, method, params: { ...params, signature: sign(text) } })
}

function opened(path: string): Promise<WebSocket | undefined> {
  const { promise, resolve } = Promise.withResolvers<WebSocket | undefined>()
  const socket = new WebSocket(socketUrl + path)
  socket.onopen = () => resolve(socket)
  socket.onerror = () => resolve(undefined)
  return promise
}

/** Eight requests are always in flight. */
async function overSocket(): Promise<void> {
  while (!isOver()) {
    const socket = await opened('/ws-api/v3')
    if (socket === undefined) continue
    const { promise, resolve } = Promise.withResolvers<void>()
    let id = 0
    socket.onclose = () => resolve()
    socket.onmessage = () => {
      done++
      if (isOver()) socket.close()
      else socket.send(requestText(++id))
    }
    for (let i = 0; i < 8; i++) socket.send(requestText(++id))
    await promise
  }
}

async function toStreams(): Promise<void> {
  if (abuse.kind !== 'MESSAGE') return
  const params = {
    SUBSCRIBE: [...NAMES, ...STREAMS],
    UNSUBSCRIBE: STREAMS,
    GET_PROPERTY: ['combined'],
    SET_PROPERTY: ['combined', true],
  }
  const text = (id: number) =>
    JSON.stringify({ method: abuse.method, params: params[abuse.method as 'SUBSCRIBE'] ?? [], id })
  while (!isOver()) {
    const socket = await opened('/ws')
    if (socket === undefined) continue
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.onclose = () => resolve()
    let answers = 0
    socket.onmessage = () => {
      done++
      if (++answers >= MESSAGES) socket.close()
    }
    for (let i = 0; i < MESSAGES; i++) socket.send(text(i))
    await promise
  }
}

async function opening(): Promise<void> {
  if (abuse.kind !== 'OPENING') return
  const path = abuse.path === '/stream' ? `/stream?streams=${NAMES.join('/')}` : abuse.path
  while (!isOver()) {
    const socket = await opened(path)
    done++
    socket?.close()
  }
}

const worker = { HTTP: overHttp, REQUEST: overSocket, MESSAGE: toStreams, OPENING: opening }[abuse.kind]
const startMs = performance.now()
await Promise.all(Array.from({ length: order.connections }, worker))
const seconds = (performance.now() - startMs) / 1_000
console.log(JSON.stringify({ done, perSecond: done / seconds } satisfies Abused))
process.exit(0)
