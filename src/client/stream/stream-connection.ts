/**
 * One plain WebSocket to the stream (docs/reference/stream.md#two-transports), reopened after every
 * interruption. It passes messages on without interpreting them, except `shutdown`, which contains the time
 * of the next attempt.
 *
 * This class cannot distinguish a quiet exchange from a dead network, since a program never receives a
 * WebSocket's pings. So after a period without messages the owner of the connection must send a message that
 * any working server answers; if there is no answer by the next check, the connection is dead.
 */
import type { ClientSocket } from '../platform/ports.ts'
import type { StreamPorts } from './stream-ports.ts'

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** There is no connection; the next attempt follows `retryMs` after this event. */
  | { readonly kind: 'waiting'; readonly retryMs: number }
  /** Its owner closed it. */
  | { readonly kind: 'closed' }

/** A message: its name, then its content. */
export type StreamMessage = readonly [event: string, ...rest: unknown[]]

export type StreamConnectionOptions = {
  readonly url: string
  readonly ports: StreamPorts
  /**
   * Applied to the text of a frame that begins with an answer, before it is parsed: returns the same JSON
   * with its amounts of money as strings.
   */
  readonly exactAnswers?: ((text: string) => string) | undefined
  /** Called after the state has changed. */
  readonly onState: (state: ConnectionState) => void
  readonly onMessage: (message: StreamMessage) => void
  /** Called when nothing was received for a while: the owner must send a message that any server answers. */
  readonly onIdle: () => void
}

/**
 * First and longest wait before another attempt; each wait is half of that plus up to another half at random.
 */
const RETRY_MS_MIN = 500
const RETRY_MS_MAX = 10_000
/** Maximum random addition to the reconnection time that a stopping server sent. */
const SHUTDOWN_JITTER_MS = 1_000
/** Maximum reconnection time that a server can send. */
const SHUTDOWN_MS_MAX = 600_000
const SILENCE_MS = 20_000
/** An attempt that has not opened the connection after this time is given up. */
const OPEN_TIMEOUT_MS = 10_000
/** Maximum number of unsent bytes: beyond it the connection is stuck, and nothing more is sent. */
const WAITING_BYTES_MAX = 1_048_576
/** Maximum number of characters in a frame: a book of a million levels has fewer. */
const FRAME_CHARS_MAX = 32 * 1_048_576

/** The beginning of a frame that is an answer, or contains several messages. */
const ANSWER = '["answer"'
const SEVERAL = '[['

export class StreamConnection {
  readonly #options: StreamConnectionOptions
  #socket: ClientSocket | undefined
  #state: ConnectionState = { kind: 'closed' }
  #failures = 0
  #isHeard = false
  #isProbed = false
  /** No connection is opened before this time, by `ports.now`, which the server sent. */
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

  /**
   * Connects now: for the first time, or instead of waiting any longer. Does nothing while there is a
   * connection.
   */
  connect(): void {
    if (this.#socket !== undefined) return
    this.#cancelTimer()
    const { ports, url } = this.#options
    const socket = ports.openSocket(url)
    this.#socket = socket
    socket.onopen = () => this.#opened()
    socket.onmessage = (event: { readonly data: unknown }) => this.#received(event.data)
    socket.onclose = () => this.#lost()
    // After an error the socket is closed too, which `onclose` handles.
    socket.onerror = () => {}
    this.#cancelTimer = ports.schedule(OPEN_TIMEOUT_MS, () => this.drop())
    this.#become({ kind: 'connecting' })
  }

  /**
   * False if there is no connection, or if it accepts nothing: the message was not sent, and never will be.
   */
  send(message: readonly unknown[]): boolean {
    if (!this.isOpen || this.#socket === undefined) return false
    if (this.#socket.bufferedAmount > WAITING_BYTES_MAX) return false
    this.#socket.send(JSON.stringify(message))
    return true
  }

  /** Called when the server works normally: the pause after the next interruption is a short one. */
  settle(): void {
    this.#failures = 0
  }

  /** Gives up the connection, and opens another one after a pause. */
  drop(): void {
    const socket = this.#socket
    if (socket === undefined) return
    this.#lost()
    socket.close()
  }

  /** Ends the connection, and opens no other until `connect`. */
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
    this.#watchIdle()
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
      // The receiver of the message may have given up the connection.
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

  #watchIdle(): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#options.ports.schedule(SILENCE_MS, () => this.#checkIdle())
  }

  #checkIdle(): void {
    if (!this.#isHeard && this.#isProbed) {
      this.drop()
      return
    }
    this.#isProbed = !this.#isHeard
    this.#isHeard = false
    this.#watchIdle()
    if (this.#isProbed) this.#options.onIdle()
  }

  /** Detaches from the socket and returns it. */
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

/**
 * One message, or several in an array (docs/reference/order-entry.md#several-messages-in-a-frame). Undefined
 * for any other content.
 */
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
