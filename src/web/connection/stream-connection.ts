/**
 * The stream over a plain WebSocket (docs/reference/stream.md#two-transports): one symbol at a time, joined anew after every
 * interruption.
 * It carries texts and knows nothing of what they say.
 *
 * A quiet market and a dead network look alike from here, since a page never sees a WebSocket's pings. So after
 * a silence the symbol is joined again, which any living server answers with a fresh book; no answer by the next look
 * means that the connection is gone.
 */

/** What this needs of a `WebSocket`. */
export type StreamSocket = {
  onopen: ((this: never, event: never) => void) | null
  onmessage: ((this: never, event: never) => void) | null
  onclose: ((this: never, event: never) => void) | null
  send(text: string): void
  close(): void
}

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** Closed; the next attempt comes `retryMs` after this was said. */
  | { readonly kind: 'waiting'; readonly retryMs: number }

export type StreamConnectionOptions = {
  readonly open: () => StreamSocket
  /** Calls back once after so many milliseconds, unless the function that it gives is called before. */
  readonly schedule: (delayMs: number, callback: () => void) => () => void
  /** From 0 up to below 1. */
  readonly random: () => number
  readonly onState: (state: ConnectionState) => void
  readonly onText: (text: string) => void
}

/** First and longest wait before another attempt; each wait is half of it plus up to another half at random. */
const RETRY_MS_MIN = 500
const RETRY_MS_MAX = 10_000
/** How often a silent connection is looked at. */
const SILENCE_MS = 20_000
/** An attempt that has not opened the connection by then is given up. */
const OPEN_TIMEOUT_MS = 10_000

export class StreamConnection {
  readonly #options: StreamConnectionOptions
  #socket: StreamSocket | undefined
  #isOpen = false
  #joined: string | undefined
  #failures = 0
  #isHeard = false
  #isProbed = false
  #cancelTimer: () => void = () => {}

  constructor(options: StreamConnectionOptions) {
    this.#options = options
  }

  /** Connects now: the first time, or instead of waiting any longer. Does nothing while there is a connection. */
  connect(): void {
    if (this.#socket !== undefined) return
    this.#cancelTimer()
    const socket = this.#options.open()
    this.#socket = socket
    socket.onopen = () => this.#opened()
    socket.onmessage = (event: { readonly data: unknown }) => this.#received(event.data)
    socket.onclose = () => this.#lost()
    this.#cancelTimer = this.#options.schedule(OPEN_TIMEOUT_MS, () => this.drop())
    this.#options.onState({ kind: 'connecting' })
  }

  /** Listens to this symbol and to no other. True when the server was asked; false without a connection. */
  watch(symbol: string): boolean {
    if (this.#socket === undefined || !this.#isOpen) return false
    const from = this.#joined
    const message = from === undefined || from === symbol ? ['join', symbol] : ['change_room', from, symbol]
    this.#joined = symbol
    this.#socket.send(JSON.stringify(message))
    if (from !== symbol) this.#followStatus(from, symbol)
    return true
  }

  /** What may be done in the symbol is a channel of its own. */
  #followStatus(before: string | undefined, symbol: string): void {
    const say = (event: string, name: string) =>
      this.#socket?.send(JSON.stringify([event, { channel: 'status', symbol: name }]))
    if (before !== undefined) say('unsubscribe', before)
    say('subscribe', symbol)
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

  #opened(): void {
    this.#isOpen = true
    this.#options.onState({ kind: 'open' })
    this.#watchSilence()
  }

  #received(data: unknown): void {
    this.#isHeard = true
    if (typeof data === 'string') this.#options.onText(data)
  }

  #watchSilence(): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#options.schedule(SILENCE_MS, () => this.#lookForSilence())
  }

  #lookForSilence(): void {
    const isSilent = !this.#isHeard && this.#joined !== undefined
    if (isSilent && this.#isProbed) {
      this.drop()
      return
    }
    this.#isProbed = isSilent
    this.#isHeard = false
    if (isSilent && this.#joined !== undefined) this.watch(this.#joined)
    this.#watchSilence()
  }

  #lost(): void {
    const socket = this.#socket
    if (socket === undefined) return
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    this.#cancelTimer()
    this.#socket = undefined
    this.#isOpen = false
    this.#joined = undefined
    this.#isHeard = false
    this.#isProbed = false
    const longest = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** this.#failures)
    const retryMs = Math.round((longest * (1 + this.#options.random())) / 2)
    this.#failures = Math.min(this.#failures + 1, 16)
    this.#cancelTimer = this.#options.schedule(retryMs, () => this.connect())
    this.#options.onState({ kind: 'waiting', retryMs })
  }
}
