/**
 * Clients that log in and trade over the stream, on both transports: the runtime's own WebSocket and the
 * unmodified socket.io-client.
 */
import { createHmac } from 'node:crypto'
import { io } from 'socket.io-client'
import { until } from '../../support/until.ts'

export type Key = { readonly apiKey: string; readonly secret: string }
export type Params = Readonly<Record<string, unknown>>
export type Answer = {
  readonly id: unknown
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what a server sends is looked at as it is
  readonly body: any
  readonly mark?: unknown
}

export type EntryClient = {
  readonly answers: Answer[]
  /** All other messages, by event and payload. */
  readonly events: [event: string, payload: { readonly reason?: string }][]
  /** The received frames of the WebSocket, unchanged; empty for Socket.IO. */
  readonly frames: string[]
  readonly isClosed: boolean
  send(...message: unknown[]): void
  /** Sends a request, and resolves with its answer. */
  ask(name: string, params: Params, id?: string | number): Promise<Answer>
  login(key: Key, timestamp: number, more?: Params): Promise<Answer>
  /** For Socket.IO: sends a message and resolves with the arguments of its acknowledgement. */
  acknowledged(...message: unknown[]): Promise<unknown[]>
  close(): void
}

/** The fields of a login: signed over the given values, in the documented order. */
export function loginFields({ apiKey, secret }: Key, timestamp: number, more: Params = {}): Params {
  const given: Params = { apiKey, timestamp, ...more }
  const signed = ['apiKey', 'timestamp', 'recvWindow', 'nonce'].filter((name) => name in given)
  const text = `login\n${signed.map((name) => `${name}=${given[name]}`).join('&')}`
  return { ...given, signature: createHmac('sha256', secret).update(text).digest('hex'), ...more }
}

type Heard = Pick<EntryClient, 'answers' | 'events' | 'frames'>

function take({ answers, events }: Heard, [event, ...payload]: unknown[]): void {
  if (event === 'answer') {
    const [id, status, body, mark] = payload
    answers.push({ id, status: Number(status), body, ...(mark === undefined ? {} : { mark }) })
  } else events.push([String(event), payload[0] as { readonly reason?: string }])
}

function asking(heard: Heard, send: (...message: unknown[]) => void): Pick<EntryClient, 'ask' | 'login'> {
  let last = 0
  const answerTo = async (id: string | number): Promise<Answer> => {
    const before = heard.answers.length
    const found = (): Answer | undefined => heard.answers.slice(before).find((answer) => answer.id === id)
    await until(`an answer to ${id}, after ${JSON.stringify(heard.events)}`, () => found() !== undefined)
    return found() as Answer
  }
  return {
    ask: (name, params, id = `r${++last}`) => {
      const answer = answerTo(id)
      send(name, id, params)
      return answer
    },
    login: (key, timestamp, more) => {
      const answer = answerTo('login')
      send('login', loginFields(key, timestamp, more))
      return answer
    },
  }
}

export async function plainEntry(url: string, headers: Record<string, string> = {}): Promise<EntryClient> {
  const heard: Heard = { answers: [], events: [], frames: [] }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers } as never)
  let isClosed = false
  socket.onmessage = ({ data }) => {
    heard.frames.push(String(data))
    const value = JSON.parse(String(data)) as unknown[]
    if (Array.isArray(value[0])) for (const message of value) take(heard, message as unknown[])
    else take(heard, value)
  }
  socket.onclose = () => {
    isClosed = true
  }
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error(`cannot connect to ${url}`))
  })
  const send = (...message: unknown[]) => socket.send(JSON.stringify(message))
  return {
    ...heard,
    get isClosed() {
      return isClosed
    },
    send,
    ...asking(heard, send),
    acknowledged: () => Promise.reject(new Error('a plain WebSocket acknowledges nothing')),
    close: () => socket.close(),
  }
}

/** `transports` are those of Engine.IO. */
export async function socketIoEntry(url: string, transports: string[] = ['websocket']): Promise<EntryClient> {
  const heard: Heard = { answers: [], events: [], frames: [] }
  const socket = io(url, { transports, reconnection: false, forceNew: true })
  let isClosed = false
  socket.onAny((...message: unknown[]) => take(heard, message))
  socket.on('disconnect', () => {
    isClosed = true
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', () => resolve())
    socket.on('connect_error', reject)
  })
  const send = (...message: unknown[]) => socket.emit(...(message as [string, ...unknown[]]))
  return {
    ...heard,
    get isClosed() {
      return isClosed
    },
    send,
    ...asking(heard, send),
    acknowledged: (event, ...payload) =>
      new Promise((resolve) => socket.emit(String(event), ...payload, (...said: unknown[]) => resolve(said))),
    close: () => socket.close(),
  }
}

export const TRANSPORTS = [
  ['a plain WebSocket', plainEntry],
  ['Socket.IO', socketIoEntry],
] as const satisfies readonly (readonly [string, (url: string) => Promise<EntryClient>])[]
