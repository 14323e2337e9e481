/**
 * The platform functions that the client needs. `default-platform.ts` has those of the runtime; a caller, or
 * a test, may supply its own.
 */

/** A request in the form that `fetch` accepts. */
export type HttpRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** The part of a response that the client needs. */
export type HttpResponse = {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

/** The part of a WebSocket that the client needs. */
export type ClientSocket = {
  onopen: ((this: never, event: never) => void) | null
  onmessage: ((this: never, event: never) => void) | null
  onclose: ((this: never, event: never) => void) | null
  onerror: ((this: never, event: never) => void) | null
  /** Number of bytes passed to `send` and not yet sent. */
  readonly bufferedAmount: number
  send(text: string): void
  close(): void
}

export type Platform = {
  /** Rejects if there is no answer. Follows no redirect: a key is sent only to the intended address. */
  readonly fetch: (url: string, request: HttpRequest) => Promise<HttpResponse>
  /** Begins to connect; the socket reports the result. */
  readonly openSocket: (url: string) => ClientSocket
  /** Calls back once after this time, unless the returned function is called before. */
  readonly schedule: (delayMs: number, callback: () => void) => () => void
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Milliseconds since 1970 by the machine's clock, to report its error. */
  readonly wallTime: () => number
  /** From 0 to below 1; spreads retries. */
  readonly random: () => number
  /** Random bytes in hexadecimal, for names that cannot be guessed or repeated. */
  readonly randomHex: (bytes: number) => string
  /** WebCrypto; undefined in a page without it, because it was loaded without TLS. */
  readonly subtle: SubtleCrypto | undefined
}
