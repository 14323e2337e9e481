/**
 * One plain WebSocket to the stream (docs/reference/stream.md#two-transports), made anew after every interruption. It carries
 * messages and does not know what they are about, but for `shutdown`, which says when to come back.
 *
 * A quiet exchange and a dead network look alike from here, since a program never sees a WebSocket's pings. So after a silence
 * its owner is asked to send something that any living server answers; no answer by the next look means that the connection is
 * gone.
 */
import type { ClientSocket } from '../platform/ports.ts'
import type { StreamPorts } from './stream-ports.ts'

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** There is none; the next attempt comes `retryMs` after this was said. */
  | { readonly kind: 'waiting'; readonly retryMs: number }
  /** Its owner has closed it. */
  | { readonly kind: 'closed' }

/** A message: its name, then what it carries. */
export type StreamMessage = readonly [event: string, ...rest: unknown[]]

export type StreamConnectionOptions = {
  readonly url: string
  readonly ports: StreamPorts
  /** What is read in place of a frame that begins with an answer: the same JSON, with its money as texts. */
  readonly exactAnswers?: ((text: string) => string) | undefined
  /** Called after the state has changed. */
  readonly onState: (state: ConnectionState) => void
  readonly onMessage: (message: StreamMessage) => void
  /** Nothing was heard for a while: send what any server answers. */
  readonly onSilence: () => void
}

/** First and longest wait before another attempt; each wait is half of it plus up to another half at random. */
const RETRY_MS_MIN = 500
const RETRY_MS_MAX = 10_000
/** Where a server that stops has said when to come back: so much of a second at random on top. */
const SHUTDOWN_JITTER_MS = 1_000
/** The longest that a server's word about coming back is taken at. */
const SHUTDOWN_MS_MAX = 600_000
const SILENCE_MS = 20_000
/** An attempt that has not opened the connection by then is given up. */
const OPEN_TIMEOUT_MS = 10_000
/** Bytes that may wait to leave: beyond, the way to the server is stuck, and nothing more is put on it. */
const WAITING_BYTES_MAX = 1_048_576
/** Characters of a frame: a book of a million levels has less. */
const FRAME_CHARS_MAX = 32 * 1_048_576

/** How a frame begins that is an answer, or holds several messages. */
const ANSWER = '["answer"'
const SEVERAL = '[['

export class StreamConnection {
  readonly #options: StreamConnectionOptions
  #socket: ClientSocket | undefined
  #state: ConnectionState = { kind: 'closed' }
  #failures = 0
  #isHeard = false
  #isProbed = false
  /** Not before this moment, by `ports.now`: the server has said so. */
  #comeBackAt = 0
  #cancelTimer: () => void = () => {}

  constructor(options: StreamConnectionOptions) {
    this.#options = options
  }

  get state(): ConnectionState {
    return this.#state
  }

  get isOpen(): boolean {
    return this.#state.kind === 'open'
  }

  /** Connects now: the first time, or instead of waiting any longer. Does nothing while there is a connection. */
  connect(): void {
    if (this.#socket !== undefined) return
    this.#cancelTimer()
    const { ports, url } = this.#options
    const socket = ports.openSocket(url)
    this.#socket = socket
    socket.onopen = () => this.#opened()
    socket.onmessage = (event: { readonly data: unknown }) => this.#received(event.data)
    socket.onclose = () => this.#lost()
    // What has failed is closed too.
    socket.onerror = () => {}
    this.#cancelTimer = ports.schedule(OPEN_TIMEOUT_MS, () => this.drop())
    this.#become({ kind: 'connecting' })
  }

  /** False: there is no connection, or it takes nothing; the message was not sent, and never will be. */
  send(message: readonly unknown[]): boolean {
    if (!this.isOpen || this.#socket === undefined) return false
    if (this.#socket.bufferedAmount > WAITING_BYTES_MAX) return false
    this.#socket.send(JSON.stringify(message))
    return true
  }

  /** The server does what it should: the wait after the next interruption is a short one. */
  settle(): void {
    this.#failures = 0
  }

  /** Gives the connection up and makes another one after a wait. */
  drop(): void {
    const socket = this.#socket
    if (socket === undefined) return
    this.#lost()
    socket.close()
  }

  /** Ends the connection, and makes no other one until `connect`. */
  close(): void {
    this.#cancelTimer()
    const socket = this.#letGo()
    socket?.close()
    if (this.#state.kind !== 'closed') this.#become({ kind: 'closed' })
  }

  #become(state: ConnectionState): void {
    this.#state = state
    this.#options.onState(state)
  }

  #opened(): void {
    this.#isHeard = false
    this.#isProbed = false
    this.#watchSilence()
    this.#become({ kind: 'open' })
  }

  #received(data: unknown): void {
    this.#isHeard = true
    const socket = this.#socket
    const isText = typeof data === 'string' && data.length <= FRAME_CHARS_MAX
    const messages = isText ? this.#read(data) : undefined
    if (messages === undefined) {
      this.drop()
      return
    }
    for (const message of messages) {
      // Whoever took the message before may have given the connection up.
      if (this.#socket !== socket) return
      if (message[0] === 'shutdown') this.#takeShutdown(message[1])
      else this.#options.onMessage(message)
    }
  }

  #read(text: string): readonly StreamMessage[] | undefined {
    const { exactAnswers } = this.#options
    const mayAnswer = text.startsWith(ANSWER) || text.startsWith(SEVERAL)
    return messagesOf(mayAnswer && exactAnswers !== undefined ? exactAnswers(text) : text)
  }

  #takeShutdown(payload: unknown): void {
    const asked = Number((payload as { readonly reconnectAfterMs?: unknown } | null)?.reconnectAfterMs)
    const waitMs = Math.min(SHUTDOWN_MS_MAX, Math.max(0, Number.isFinite(asked) ? asked : 0))
    const { ports } = this.#options
    this.#comeBackAt = ports.now() + waitMs + Math.round(ports.random() * SHUTDOWN_JITTER_MS)
  }

  #watchSilence(): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#options.ports.schedule(SILENCE_MS, () => this.#lookForSilence())
  }

  #lookForSilence(): void {
    if (!this.#isHeard && this.#isProbed) {
      this.drop()
      return
    }
    this.#isProbed = !this.#isHeard
    this.#isHeard = false
    this.#watchSilence()
    if (this.#isProbed) this.#options.onSilence()
  }

  /** The socket, which is listened to no longer. */
  #letGo(): ClientSocket | undefined {
    const socket = this.#socket
    if (socket === undefined) return undefined
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    this.#socket = undefined
    return socket
  }

  #lost(): void {
    if (this.#letGo() === undefined) return
    this.#cancelTimer()
    const { ports } = this.#options
    const longest = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** this.#failures)
    const backoffMs = Math.round((longest * (1 + ports.random())) / 2)
    const retryMs = Math.max(backoffMs, Math.ceil(this.#comeBackAt - ports.now()))
    this.#failures = Math.min(this.#failures + 1, 16)
    this.#cancelTimer = ports.schedule(retryMs, () => this.connect())
    this.#become({ kind: 'waiting', retryMs })
  }
}

/** One message, or several in an array (docs/reference/order-entry.md#several-messages-in-a-frame). Undefined: none of it. */
function messagesOf(text: string): readonly StreamMessage[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
  if (isMessage(value)) return [value]
  return Array.isArray(value) && value.length > 0 && value.every(isMessage) ? value : undefined
}

function isMessage(value: unknown): value is StreamMessage {
  return Array.isArray(value) && typeof value[0] === 'string'
}
