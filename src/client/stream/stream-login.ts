/**
 * The login of a connection (docs/reference/order-entry.md#login): signed again after each interruption, and
 * after the server ended it temporarily. A refusal that would be repeated is final, since each attempt counts
 * toward the limit of the address.
 */
import type { Signer } from '../access/signer.ts'
import type { LoggedIn, Login } from '../interface/messages.ts'
import type { Platform } from '../platform/ports.ts'
import { callHandler } from './handlers.ts'
import type { StreamError } from './messages.ts'
import type { StreamConnection, StreamMessage } from './stream-connection.ts'
import type { StreamPorts } from './stream-ports.ts'

export type LoginData = LoggedIn['data']

export type LoginState =
  /** There is no connection, or no answer yet; or the server ended the login temporarily, with a reason. */
  | { readonly kind: 'out'; readonly error?: StreamError | undefined }
  | { readonly kind: 'in'; readonly data: LoginData }
  /** Refused permanently: the login is not retried automatically. */
  | { readonly kind: 'refused'; readonly error: StreamError }

/** Orders that end with their connection (docs/reference/order-entry.md#cancel-on-disconnect). */
export type CancelOnDisconnect = {
  /**
   * The time for which orders stay open after the end of the connection, so that it can be restored: 0 to
   * 60000 milliseconds.
   */
  readonly graceMs: number
}

export type StreamLoginOptions = {
  readonly connection: StreamConnection
  readonly ports: StreamPorts & Pick<Platform, 'randomHex'>
  readonly apiKey: string
  readonly signer: Signer
  /** The server's time; it is measured again after `doubt`. */
  readonly clock: { time(): Promise<number>; doubt(): void }
  readonly cancelOnDisconnect?: CancelOnDisconnect | undefined
  readonly onState: (state: LoginState) => void
  /**
   * Called when the session ended before the connection was restored: its orders have been canceled, or are
   * being canceled.
   */
  readonly onSessionLost?: (() => void) | undefined
}

type Beside = { readonly retryAfter?: number } | undefined

const LOGIN = 'login'
const RECV_WINDOW_MS = 10_000
const ANSWER_TIMEOUT_MS = 15_000
/** First and longest pause before another login. */
const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 60_000
/** Reasons after which another attempt may succeed, besides those whose code already means this. */
const PASSING: readonly string[] = [
  'TIMESTAMP_AHEAD',
  'TIMESTAMP_EXPIRED',
  'NONCE_REPEATED',
  'RATE_LIMITED',
  'BANNED',
]
const NOT_NOW = '0014'

export class StreamLogin {
  readonly #options: StreamLoginOptions
  #state: LoginState = { kind: 'out' }
  /** Incremented by each event that makes a pending answer meaningless. */
  #attempt = 0
  #failures = 0
  #session: string | undefined
  #cancelTimer: () => void = () => {}

  constructor(options: StreamLoginOptions) {
    this.#options = options
  }

  get state(): LoginState {
    return this.#state
  }

  get isIn(): boolean {
    return this.#state.kind === 'in'
  }

  /**
   * The session that keeps its orders when the connection ends; undefined if orders do not end with the
   * connection, or if there is no session yet.
   */
  get session(): string | undefined {
    return this.#session
  }

  /** Tries again after a final refusal, once the problem is fixed. */
  retry(): void {
    if (this.#state.kind !== 'refused') return
    this.#failures = 0
    this.#become({ kind: 'out' })
    if (this.#options.connection.isOpen) this.#begin()
  }

  opened(): void {
    if (this.#state.kind !== 'refused') this.#begin()
  }

  lost(): void {
    this.#attempt++
    this.#cancelTimer()
    if (this.#state.kind === 'in') this.#become({ kind: 'out' })
  }

  /** True if the message was about the login. */
  take([event, ...rest]: StreamMessage): boolean {
    if (event === 'loggedOut') {
      this.#refused(rest[0] as StreamError, rest[1] as Beside)
      return true
    }
    if (event !== 'answer' || rest[0] !== LOGIN) return false
    const [, , body, beside] = rest
    this.#cancelTimer()
    if ((body as { readonly status: boolean }).status) this.#accepted((body as LoggedIn).data)
    else this.#refused(body as StreamError, beside as Beside)
    return true
  }

  #accepted(data: LoginData): void {
    this.#failures = 0
    const isLost = this.#session !== undefined && data.session !== this.#session
    this.#session = data.session
    this.#become({ kind: 'in', data })
    if (isLost) this.#tellSessionLost()
  }

  #refused(error: StreamError, beside: Beside): void {
    this.#attempt++
    const { clock } = this.#options
    const { reason, code } = error
    if (reason === 'UNKNOWN_SESSION' && this.#session !== undefined) {
      this.#session = undefined
      this.#tellSessionLost()
    } else if (code !== NOT_NOW && !PASSING.includes(reason)) {
      this.#cancelTimer()
      this.#become({ kind: 'refused', error })
      return
    }
    if (reason === 'TIMESTAMP_AHEAD' || reason === 'TIMESTAMP_EXPIRED') clock.doubt()
    this.#become({ kind: 'out', error })
    this.#later((beside?.retryAfter ?? 0) * 1_000)
  }

  #tellSessionLost(): void {
    const { ports, onSessionLost } = this.#options
    callHandler(ports, () => onSessionLost?.())
  }

  #later(leastMs: number): void {
    const { ports } = this.#options
    const longest = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** Math.min(this.#failures++, 16))
    const waitMs = Math.round((longest * (1 + ports.random())) / 2)
    this.#cancelTimer()
    this.#cancelTimer = ports.schedule(leastMs + waitMs, () => this.#begin())
  }

  #become(state: LoginState): void {
    this.#state = state
    this.#options.onState(state)
  }

  #begin(): void {
    const attempt = ++this.#attempt
    this.#signed().then(
      (fields) => {
        if (attempt === this.#attempt) this.#send(fields)
      },
      // The server's time could not be measured, or nothing could be signed: treated as a missing answer.
      () => {
        if (attempt === this.#attempt) this.#later(0)
      },
    )
  }

  #send(fields: Login): void {
    const { connection, ports } = this.#options
    this.#cancelTimer()
    if (!connection.send([LOGIN, fields])) {
      connection.drop()
      return
    }
    this.#cancelTimer = ports.schedule(ANSWER_TIMEOUT_MS, () => connection.drop())
  }

  async #signed(): Promise<Login> {
    const { apiKey, signer, clock, ports, cancelOnDisconnect } = this.#options
    const timestamp = await clock.time()
    const nonce = ports.randomHex(16)
    const line = `apiKey=${apiKey}&timestamp=${timestamp}&recvWindow=${RECV_WINDOW_MS}&nonce=${nonce}`
    const signature = await signer.sign(`${LOGIN}\n${line}`)
    const session = this.#session === undefined ? {} : { session: this.#session }
    const graceMs = cancelOnDisconnect?.graceMs
    const ending = graceMs === undefined ? {} : { cancelOnDisconnect: true, graceMs, ...session }
    return { apiKey, timestamp, recvWindow: RECV_WINDOW_MS, nonce, signature, frames: 'many', ...ending }
  }
}
