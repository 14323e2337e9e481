/**
 * Requests of order entry over a logged-in connection (docs/reference/order-entry.md#requests), sent and
 * answered as over HTTP: with the same parameters, answers and errors. So code written for HTTP can use this
 * class, with the same retries. It does not retry: the error shows whether a request may have been carried
 * out.
 */

import { ENDPOINTS } from '../endpoints.ts'
import { BourseError, RefusedError, usageError } from '../errors.ts'
import { refusalOf, retryAfterMs } from '../http/answer-body.ts'
import { type Answer, type AttemptOptions, aborted, outcomeOf } from '../http/attempt.ts'
import type { Endpoint } from '../values.ts'
import type { StreamConnection, StreamMessage } from './stream-connection.ts'
import type { StreamLogin } from './stream-login.ts'
import type { StreamPorts } from './stream-ports.ts'

/** The requests of order entry, by their endpoint over HTTP. */
const NAMES: ReadonlyMap<Endpoint, string> = new Map<Endpoint, string>([
  [ENDPOINTS.newOrder, 'order.place'],
  [ENDPOINTS.cancelOrder, 'order.cancel'],
  [ENDPOINTS.amendOrder, 'order.amend'],
  [ENDPOINTS.replaceOrder, 'order.cancelReplace'],
  [ENDPOINTS.massCancel, 'order.cancelAll'],
  [ENDPOINTS.countdown, 'order.countdownCancelAll'],
  [ENDPOINTS.orderBatch, 'order.batch'],
])

export type StreamOrdersOptions = {
  readonly connection: StreamConnection
  readonly login: StreamLogin
  readonly ports: StreamPorts
  /** Maximum number of unanswered requests, below the server's limit (`requestsUnderWayMax`). */
  readonly underWayMax?: number | undefined
}

const UNDER_WAY_MAX = 128

type Beside = { readonly repeated?: true; readonly retryAfter?: number } | undefined

type UnderWay = {
  readonly request: string
  readonly endpoint: Endpoint
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: BourseError) => void
  /** Releases timer and signal. */
  readonly done: () => void
}

export class StreamOrders {
  readonly #options: StreamOrdersOptions
  readonly #underWay = new Map<number, UnderWay>()
  #lastId = 0

  constructor(options: StreamOrdersOptions) {
    this.#options = options
  }

  /** Whether this transport offers the request, and can send it now. Otherwise HTTP is used. */
  takes(endpoint: Endpoint): boolean {
    const { connection, login, underWayMax } = this.#options
    if (!NAMES.has(endpoint) || !connection.isOpen || !login.isIn) return false
    return this.#underWay.size < (underWayMax ?? UNDER_WAY_MAX)
  }

  /** Whether this transport will never become ready, because the login was refused permanently. */
  get isHopeless(): boolean {
    return this.#options.login.state.kind === 'refused'
  }

  /** Sends once. Rejects with a BourseError whose outcome shows whether it may have been carried out. */
  send({ endpoint, fields, timeoutMs, signal }: AttemptOptions): Promise<Answer> {
    const name = NAMES.get(endpoint)
    if (name === undefined)
      return Promise.reject(usageError(`${endpoint.method} ${endpoint.path} is not a request of the stream`))
    if (signal?.aborted) return Promise.reject(aborted(name, signal, 'NOT_DONE'))
    const id = ++this.#lastId
    const { connection, ports } = this.#options
    if (!this.takes(endpoint) || !connection.send([name, id, fields])) return Promise.reject(unsent(name))
    return new Promise((resolve, reject) => {
      const giveUp = () => this.#end(id)?.reject(aborted(name, signal as AbortSignal, 'UNKNOWN'))
      const cancelTimer = ports.schedule(timeoutMs, () => {
        this.#end(id)?.reject(unanswered(name, `no answer within ${timeoutMs} ms`))
      })
      signal?.addEventListener('abort', giveUp, { once: true })
      const done = () => {
        cancelTimer()
        signal?.removeEventListener('abort', giveUp)
      }
      this.#underWay.set(id, { request: name, endpoint, resolve, reject, done })
    })
  }

  opened(): void {}

  /** Rejects the unanswered requests: they will get no answer. */
  lost(): void {
    for (const id of [...this.#underWay.keys()]) {
      const { request, reject } = this.#end(id) as UnderWay
      reject(unanswered(request, 'the connection was lost'))
    }
  }

  /** True if the message was an answer. A late answer is ignored. */
  take([event, id, status, body, beside]: StreamMessage): boolean {
    if (event !== 'answer') return false
    const sent = this.#end(Number(id))
    if (sent === undefined) return true
    try {
      sent.resolve(readAnswer(sent, Number(status), body, beside as Beside))
    } catch (error) {
      if (!(error instanceof BourseError)) throw error
      sent.reject(error)
    }
    return true
  }

  #end(id: number): UnderWay | undefined {
    const sent = this.#underWay.get(id)
    this.#underWay.delete(id)
    sent?.done()
    return sent
  }
}

function readAnswer({ request, endpoint }: UnderWay, status: number, body: unknown, beside: Beside): Answer {
  const headers = {
    get: (name: string) =>
      name === 'Retry-After' && beside?.retryAfter !== undefined ? String(beside.retryAfter) : null,
  }
  const refusal = refusalOf(body, status, headers)
  if (refusal !== undefined) {
    const outcome = outcomeOf(status, refusal.reason, endpoint)
    throw new RefusedError(refusal, { outcome, request, retryAfterMs: retryAfterMs(headers) })
  }
  if (status !== 200) throw unanswered(request, `status ${status} with an answer that is not the exchange's`)
  return { data: (body as { readonly data?: unknown }).data, isRepeated: beside?.repeated === true }
}

/** The error of a request that was not sent. */
function unsent(request: string): BourseError {
  return new BourseError('NO_ANSWER', `${request}: the stream is not logged in`, {
    outcome: 'NOT_DONE',
    request,
  })
}

/** The error of an unanswered request. All requests change something, so it may have been carried out. */
function unanswered(request: string, why: string): BourseError {
  return new BourseError('NO_ANSWER', `${request}: ${why}`, { outcome: 'UNKNOWN', request })
}
