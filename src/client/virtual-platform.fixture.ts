/** A platform whose time the test controls, and whose requests a function of the test answers. */
import type { HttpRequest, HttpResponse, Platform } from './platform/ports.ts'

/** A request as received by the simulated exchange. */
export type Asked = {
  readonly method: string
  /** Under `/api/v3`. */
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export type Reply = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

type Timer = { readonly at: number; readonly callback: () => void }

/** After this many turns of the promise queue nothing more happens until time advances. */
const TURNS = 500

export const SERVER_AHEAD_MS = 77_000

export class VirtualPlatform implements Platform {
  time = 1_000_000
  readonly asked: Asked[] = []
  /**
   * Answers a request; a rejection is a broken connection, and a promise that never resolves is an answer
   * that never arrives.
   */
  answer: (asked: Asked) => Promise<Reply> | Reply = () => success({})
  readonly subtle = undefined
  random: () => number = () => 0.5
  readonly #timers = new Set<Timer>()
  #names = 0

  readonly now = (): number => this.time
  readonly wallTime = (): number => 1_790_000_000_000 + this.time
  get serverTime(): number {
    return this.wallTime() + SERVER_AHEAD_MS
  }

  readonly randomHex = (bytes: number): string => (++this.#names).toString(16).padStart(bytes * 2, '0')

  readonly openSocket = (): never => {
    throw new Error('expected no stream')
  }

  readonly schedule = (delayMs: number, callback: () => void): (() => void) => {
    const timer = { at: this.time + delayMs, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  get timerCount(): number {
    return this.#timers.size
  }

  readonly fetch = async (
    url: string,
    { method, headers, body, signal }: HttpRequest,
  ): Promise<HttpResponse> => {
    const { pathname, search } = new URL(url)
    const text = body ?? search.slice(1)
    const path = pathname.replace('/api/v3', '')
    const asked = { method, path, headers, text, fields: Object.fromEntries(new URLSearchParams(text)) }
    this.asked.push(asked)
    const gone = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
    })
    const time = path === '/time' ? success({ serverTime: this.serverTime }) : undefined
    const {
      status = 200,
      headers: answered = {},
      body: answer,
    } = time ?? (await Promise.race([Promise.resolve(this.answer(asked)), gone]))
    const known = new Headers(answered)
    const written = typeof answer === 'string' ? answer : JSON.stringify(answer)
    return { status, headers: known, text: () => Promise.resolve(written) }
  }

  /** The result of a promise; time advances whenever nothing else happens. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false
    const over = work.then(
      () => {
        isOver = true
      },
      () => {
        isOver = true
      },
    )
    while (!isOver) {
      for (let turn = 0; turn < TURNS && !isOver; turn++) await Promise.resolve()
      if (isOver) break
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at)
      if (next === undefined) throw new Error('the client waits for nothing that could come')
      this.#timers.delete(next)
      this.time = Math.max(this.time, next.at)
      next.callback()
    }
    await over
    return work
  }

  /** The requests to a path, the newest last. */
  to(method: string, path: string): readonly Asked[] {
    return this.asked.filter((each) => each.method === method && each.path === path)
  }
}

export function success(data: unknown): Reply {
  return { body: { status: true, code: '0000', msg: ['Done.'], data } }
}

export function refusal(
  status: number,
  reason: string,
  extras: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const code = status >= 500 || status === 429 || status === 418 ? '0014' : '4001'
  return { status, headers, body: { status: false, code, msg: ['No.'], reason, ...extras } }
}
