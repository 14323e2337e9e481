/** Ports whose time the test controls, and sockets whose server side the test plays. */
import type { ClientSocket } from '../platform/ports.ts'
import type { StreamPorts } from './stream-ports.ts'

export class ScriptedSocket implements ClientSocket {
  onopen: (() => void) | null = null
  onmessage: ((event: { readonly data: unknown }) => void) | null = null
  onclose: (() => void) | null = null
  onerror: (() => void) | null = null
  bufferedAmount = 0
  isClosed = false
  /** Messages of the client that the test has not read yet. */
  readonly sent: unknown[][] = []
  /** Called with each message of the client, instead of keeping it. */
  onSent: ((message: readonly unknown[]) => void) | undefined

  send(text: string): void {
    if (this.isClosed) return
    const message = JSON.parse(text) as unknown[]
    if (this.onSent === undefined) this.sent.push(message)
    else this.onSent(message)
  }

  close(): void {
    this.isClosed = true
  }

  /** Accepts the connection, as the server does. */
  open(): void {
    this.onopen?.()
  }

  /** Sends this message, as the server does. */
  say(...message: unknown[]): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }

  /** Breaks the connection. */
  cut(): void {
    this.isClosed = true
    this.onclose?.()
  }
}

type Timer = { readonly at: number; readonly callback: () => void }

export class VirtualPorts implements StreamPorts {
  time = 1_000_000
  readonly sockets: ScriptedSocket[] = []
  /** Called with each socket that the client opens. */
  onSocket: ((socket: ScriptedSocket) => void) | undefined
  random: () => number = () => 0.5
  readonly #timers = new Set<Timer>()

  /** The time for which the machine slept, while its monotonic clock was stopped. */
  sleptMs = 0

  readonly now = (): number => this.time
  readonly wallTime = (): number => this.time + this.sleptMs

  readonly openSocket = (): ScriptedSocket => {
    const socket = new ScriptedSocket()
    this.sockets.push(socket)
    this.onSocket?.(socket)
    return socket
  }

  readonly schedule = (delayMs: number, callback: () => void): (() => void) => {
    const timer = { at: this.time + delayMs, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** The newest socket. */
  get socket(): ScriptedSocket {
    const socket = this.sockets.at(-1)
    if (socket === undefined) throw new Error('no socket was opened')
    return socket
  }

  get timerCount(): number {
    return this.#timers.size
  }

  /** Advances the time, and runs everything that becomes due, in order. */
  pass(ms: number): void {
    const end = this.time + ms
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.time = Math.max(this.time, next.at)
      this.#timers.delete(next)
      next.callback()
    }
    this.time = end
  }

  #next(end: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer
    }
    return first
  }
}
