/** What the client asks of the world. `default-platform.ts` has what a runtime offers; a caller, or a test, may give its own. */

/** A request as `fetch` takes it. */
export type HttpRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** What is needed of an answer. */
export type HttpResponse = {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

/** What is needed of a WebSocket. */
export type ClientSocket = {
  onopen: ((this: never, event: never) => void) | null
  onmessage: ((this: never, event: never) => void) | null
  onclose: ((this: never, event: never) => void) | null
  onerror: ((this: never, event: never) => void) | null
  /** Bytes that were sent and have not left yet. */
  readonly bufferedAmount: number
  send(text: string): void
  close(): void
}

export type Platform = {
  /** Rejects where there is no answer. Follows no redirect: a key goes to the address that it was meant for, and to no other. */
  readonly fetch: (url: string, request: HttpRequest) => Promise<HttpResponse>
  /** Begins to connect; whether it went well, the socket says. */
  readonly openSocket: (url: string) => ClientSocket
  /** Calls back once after so many milliseconds, unless the function that it gives is called before. */
  readonly schedule: (delayMs: number, callback: () => void) => () => void
  /** Milliseconds since some moment; never goes back. */
  readonly now: () => number
  /** Milliseconds since 1970 by the clock of the machine, to say how far it is off. */
  readonly wallTime: () => number
  /** From 0 up to below 1: spreads retries. */
  readonly random: () => number
  /** So many random bytes in hexadecimal, good for names that nobody else may guess or repeat. */
  readonly randomHex: (bytes: number) => string
  /** WebCrypto; undefined where a page has none, since it came without TLS. */
  readonly subtle: SubtleCrypto | undefined
}
