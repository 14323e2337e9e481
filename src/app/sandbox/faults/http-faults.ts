/**
 * Faults of requests over HTTP: delayed, cut off before or after they are carried out, or refused with a time
 * to wait.
 */

import type { FaultKind } from '../../../contract/admin/operations/faults.ts'
import { type Localised, pickLanguage } from '../../../contract/language.ts'
import { refuse } from '../../../server/common/refusal.ts'
import { failure } from '../../../server/listener/failure.ts'
import type { FrontServer, Next } from '../../../server/public/client-front.ts'
import type { FaultSubject, FaultTable } from './fault-table.ts'
import { latencyMs, retrySeconds } from './fault-terms.ts'
import type { Observer } from './observer.ts'

/** Maximum number of clients whose Retry-After is remembered; the oldest is forgotten. */
const PATIENT_MAX = 10_000
/** The maximum length of a refusal's body that an observer gets, in characters. */
const REFUSAL_MAX = 2_000
/** The limit that the refusal names: no real limit was exceeded. */
const AS_THE_FAULT_SAYS: Localised = {
  en: 'the rate allowed by the RATE_LIMIT fault of this sandbox',
  tr: 'bu deneme ortamındaki RATE_LIMIT arızasının izin verdiği hız',
}

export type HttpFaultsOptions = {
  readonly table: FaultTable
  readonly accountOf: (apiKey: string) => string | undefined
  readonly monotonicMs: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Undefined if there is no observer. */
  readonly observe: Observer | undefined
}

type Asked = {
  readonly request: Request
  readonly server: FrontServer
  readonly next: Next
  readonly subject: FaultSubject & { readonly endpoint: string }
}

export class HttpFaults {
  readonly #options: HttpFaultsOptions
  /** The time until which a client was asked to wait, by its key or address. */
  readonly #patientUntilMs = new Map<string, number>()

  constructor(options: HttpFaultsOptions) {
    this.#options = options
  }

  /** Whether a client may still have to wait although the fault has ended. */
  get hasAskedForPatience(): boolean {
    return this.#patientUntilMs.size > 0
  }

  /** Clears all waiting times. */
  forget(): void {
    this.#patientUntilMs.clear()
  }

  /** Answers a request, affected by the active faults. */
  async answer(
    request: Request,
    server: FrontServer,
    path: string,
    next: Next,
  ): Promise<Response | undefined> {
    const { accountOf, observe } = this.#options
    const apiKey = request.headers.get('x-apikey') ?? undefined
    const account = apiKey === undefined ? undefined : accountOf(apiKey)
    const subject = { apiKey, account, endpoint: `${request.method} ${path}` }
    const asked = { request, server, next, subject }
    if (observe === undefined) return (await this.#carriedOut(asked)).answer
    const text = this.#textOf(request)
    const { answer, status, fault } = await this.#carriedOut(asked)
    const isRefusal = fault !== 'LOST_ANSWER' && answer !== undefined && answer.status >= 400
    observe({
      atMs: this.#options.monotonicMs(),
      transport: 'HTTP',
      endpoint: subject.endpoint,
      apiKey,
      text: await text,
      status,
      refusal: isRefusal ? (await answer.clone().text()).slice(0, REFUSAL_MAX) : undefined,
      fault,
      retryAfterSeconds: secondsOf(answer?.headers.get('retry-after')),
    })
    return answer
  }

  async #carriedOut(asked: Asked): Promise<{
    readonly answer: Response | undefined
    /** The answer of the exchange. */
    readonly status: number | undefined
    readonly fault: FaultKind | undefined
  }> {
    const { table, sleep } = this.#options
    const { request, subject, next } = asked
    const patience = this.#patience(asked)
    if (patience !== undefined) return { answer: patience, status: undefined, fault: 'RATE_LIMIT' }
    const isUpgrade = request.headers.has('upgrade')
    if (table.strike('DISCONNECT', subject) !== undefined)
      return { answer: cut(), status: undefined, fault: 'DISCONNECT' }
    const late = isUpgrade ? undefined : table.strike('LATENCY', subject)
    if (late !== undefined) await sleep(latencyMs(late))
    const answer = await next()
    const status = answer?.status
    if (isUpgrade || table.strike('LOST_ANSWER', subject) === undefined)
      return { answer, status, fault: late === undefined ? undefined : 'LATENCY' }
    await answer?.body?.cancel()
    return { answer: cut(), status, fault: 'LOST_ANSWER' }
  }

  /** The refusal for a client that must wait; undefined if it need not. */
  #patience({ request, server, subject }: Asked): Response | undefined {
    const { table, monotonicMs } = this.#options
    const client = subject.apiKey ?? server.requestIP(request)?.address ?? ''
    const nowMs = monotonicMs()
    let untilMs = this.#patientUntilMs.get(client)
    if (untilMs === undefined || untilMs <= nowMs) {
      this.#patientUntilMs.delete(client)
      const fault = table.strike('RATE_LIMIT', subject)
      if (fault === undefined) return undefined
      untilMs = nowMs + retrySeconds(fault) * 1_000
      this.#patientUntilMs.set(client, untilMs)
      const [oldest] = this.#patientUntilMs.keys()
      if (this.#patientUntilMs.size > PATIENT_MAX && oldest !== undefined) this.#patientUntilMs.delete(oldest)
    }
    const seconds = Math.ceil((untilMs - nowMs) / 1_000)
    return failure(
      refuse('RATE_LIMITED', { limit: AS_THE_FAULT_SAYS, seconds }).after(seconds),
      pickLanguage(request.headers.get('accept-language')),
      undefined,
    )
  }

  /** Query and body, concatenated: for a form, this is the text that was signed. */
  async #textOf(request: Request): Promise<string> {
    const query = new URL(request.url).search.slice(1)
    const hasBody = request.body !== null && !request.headers.has('upgrade')
    return hasBody ? query + (await request.clone().text()) : query
  }
}

/**
 * The connection ends without a byte: the client sees a reset. An error with a reason would be printed by the
 * runtime.
 */
function cut(): Response {
  return new Response(new ReadableStream({ start: (controller) => controller.error() }))
}

function secondsOf(header: string | null | undefined): number | undefined {
  return header === null || header === undefined ? undefined : Number(header)
}
