/**
 * Faults of the stream's WebSockets: delayed messages, answers that are lost together with their connection,
 * and connections that end.
 */

import { FRAME_JSON } from '../../../contract/stream/stream.ts'
import { refuse } from '../../../server/common/refusal.ts'
import { parseJson } from '../../../units/bounded-json.ts'
import type { Fault, FaultSubject, FaultTable } from './fault-table.ts'
import { latencyMs, retrySeconds } from './fault-terms.ts'
import type { Observer } from './observer.ts'

type Socket = Bun.ServerWebSocket<unknown>
type Handlers = Bun.WebSocketHandler<unknown>
type Sent = Parameters<Socket['send']>[0]

/** Maximum number of delayed messages of a connection; with more it is closed. */
const LATE_MAX = 10_000

/**
 * The name of a message, on the plain WebSocket and over Socket.IO, for a single message or the first of
 * several.
 */
const NAME = /^\d*\[+"([\w.]{1,40})"/
const LOGIN_KEY = /"apiKey"\s*:\s*"([^"]{1,100})"/
/** Text that only the answer to a request contains, on either transport. */
const ANSWER = '"answer"'

/** The endpoint name that an observer gets for messages sent by the exchange. */
export const TO_CLIENT = 'to the client'

export type StreamFaultsOptions = {
  readonly table: FaultTable
  readonly accountOf: (apiKey: string) => string | undefined
  readonly monotonicMs: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly observe: Observer | undefined
}

/** State of one connection. */
type SocketState = {
  apiKey: string | undefined
  account: string | undefined
  /** The delayed messages, in their order; undefined if there are none. */
  late: Promise<void> | undefined
  lateCount: number
  /** The next answer is lost, and the connection with it. */
  isAnswerLost: boolean
}

export class StreamFaults {
  readonly #options: StreamFaultsOptions
  readonly #stateBySocket = new WeakMap<Socket, SocketState>()

  constructor(options: StreamFaultsOptions) {
    this.#options = options
  }

  /** The handlers of the stream, with the faults in front of them. */
  wrap(handlers: Handlers): Handlers {
    return {
      ...handlers,
      open: (socket) => {
        this.#opened(socket)
        return handlers.open?.(socket)
      },
      message: (socket, message) => {
        const state = this.#stateBySocket.get(socket)
        const pass = () => handlers.message?.(socket, message)
        if (state === undefined) return pass()
        const text = typeof message === 'string' ? message : ''
        if (state.apiKey === undefined && text.includes('"login"')) this.#loggingIn(state, text)
        const isPlain = this.#options.table.isEmpty && this.#options.observe === undefined
        if (isPlain && state.late === undefined) return pass()
        this.#received(socket, state, text, pass)
      },
    }
  }

  #opened(socket: Socket): void {
    const state: SocketState = {
      apiKey: undefined,
      account: undefined,
      late: undefined,
      lateCount: 0,
      isAnswerLost: false,
    }
    this.#stateBySocket.set(socket, state)
    const send = socket.send
    // Outgoing messages are observed where they are sent: both transports pass only there.
    socket.send = (data, compress) => {
      // Returns 1, so that the stream considers the message sent.
      if (this.#isCut(socket, state, data)) return 1
      return send.call(socket, data, compress)
    }
  }

  /** Whether an outgoing message is lost. */
  #isCut(socket: Socket, state: SocketState, data: Sent): boolean {
    const { table } = this.#options
    if (table.isEmpty && !state.isAnswerLost) return false
    const isLost = state.isAnswerLost && isAnswer(data)
    const fault = isLost ? undefined : table.strike('DISCONNECT', subjectOf(state, undefined))
    if (!isLost && fault === undefined) return false
    // The request of a lost answer was recorded when it arrived.
    if (fault !== undefined) this.#observe(state, TO_CLIENT, '', fault)
    queueMicrotask(() => socket.terminate())
    return true
  }

  #received(socket: Socket, state: SocketState, text: string, pass: () => unknown): void {
    const name = NAME.exec(text)?.[1]
    const fault = name === undefined ? undefined : this.#faultOf(state, name)
    if (name !== undefined) this.#observe(state, name, text, fault)
    if (fault?.request.kind === 'RATE_LIMIT') {
      socket.send(impatience(text, fault))
      return
    }
    if (fault?.request.kind === 'DISCONNECT') {
      socket.terminate()
      return
    }
    if (fault?.request.kind === 'LOST_ANSWER') state.isAnswerLost = true
    const late = fault?.request.kind === 'LATENCY' ? fault : undefined
    if (late === undefined && state.late === undefined) pass()
    else this.#delay(socket, state, late, pass)
  }

  /** The faults that affect a message. */
  #faultOf(state: SocketState, name: string): Fault | undefined {
    const { table } = this.#options
    const subject = subjectOf(state, name)
    const isRequest = name.startsWith('order.')
    return (
      (isRequest ? table.strike('RATE_LIMIT', subject) : undefined) ??
      table.strike('DISCONNECT', subject) ??
      (isRequest ? table.strike('LOST_ANSWER', subject) : undefined) ??
      table.strike('LATENCY', subject)
    )
  }

  /** Passes a message on after its delay, in the order of arrival. */
  #delay(socket: Socket, state: SocketState, late: Fault | undefined, pass: () => unknown): void {
    const { sleep } = this.#options
    if (++state.lateCount > LATE_MAX) {
      socket.terminate()
      return
    }
    const before = state.late ?? Promise.resolve()
    const waited = late === undefined ? before : Promise.all([before, sleep(latencyMs(late))])
    const passed = waited.then(() => {
      state.lateCount--
      if (state.late === passed) state.late = undefined
      // The connection may have ended in the meantime.
      if (socket.readyState === WebSocket.OPEN) pass()
    })
    state.late = passed
  }

  #loggingIn(state: SocketState, text: string): void {
    const apiKey = LOGIN_KEY.exec(text)?.[1]
    if (apiKey === undefined) return
    state.apiKey = apiKey
    state.account = this.#options.accountOf(apiKey)
  }

  #observe({ apiKey }: SocketState, endpoint: string, text: string, fault: Fault | undefined): void {
    const { observe, monotonicMs } = this.#options
    observe?.({
      atMs: monotonicMs(),
      transport: 'STREAM',
      endpoint,
      apiKey,
      text,
      status: undefined,
      refusal: undefined,
      fault: fault?.request.kind,
      retryAfterSeconds: fault?.request.kind === 'RATE_LIMIT' ? retrySeconds(fault) : undefined,
    })
  }
}

function subjectOf({ apiKey, account }: SocketState, endpoint: string | undefined): FaultSubject {
  return { apiKey, account, endpoint }
}

function isAnswer(data: Sent): boolean {
  if (typeof data === 'string') return data.includes(ANSWER)
  return !(data instanceof Blob) && Buffer.from(bytesOf(data)).includes(ANSWER)
}

function bytesOf(data: Bun.BufferSource): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
}

/** The answer to a request whose sender must wait; it has the number of the request's frame. */
function impatience(text: string, fault: Fault): string {
  const [prefix = ''] = /^\d*/.exec(text) ?? []
  const seconds = retrySeconds(fault)
  const body = refuse('ORDER_RATE_LIMITED', { seconds }).body('en')
  return `${prefix}["answer",${requestIdOf(text.slice(prefix.length))},429,${body},{"retryAfter":${seconds}}]`
}

/** The frame as JSON; null if it does not contain exactly one request. */
function requestIdOf(text: string): string {
  try {
    const message: unknown = parseJson(text, FRAME_JSON)
    return JSON.stringify(Array.isArray(message) ? (message[1] ?? null) : null)
  } catch (error) {
    if (error instanceof SyntaxError) return 'null'
    throw error
  }
}
