/**
 * Requests of this wire over HTTP: first the limits and bans that all listeners share, then the row of the
 * endpoint, its parameters, and its handler. It contains no rule of trading: the operations and the core
 * behind them accept or refuse an order.
 */
import { EngineFault } from '../../engine/port/fault.ts'
import { guarded } from '../../units/guarded.ts'
import { ANSWERS_RETRY_SECONDS } from '../access/limits/call-limits.ts'
import { faultLog } from '../common/fault-log.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { formText } from '../http/form.ts'
import { bodyOf, type Later } from '../http/long-answer-body.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { AddressSource } from '../public/admission.ts'
import type { SharedParts } from '../public/shared-parts.ts'
import { faultRefusal } from '../trading/call.ts'
import { LongAnswer, WHOLE_ANSWER_MAX } from '../trading/long-answer.ts'
import { payloadOf } from './access/payload.ts'
import { keyNameOf, signIn } from './access/sign-in.ts'
import { openedBy } from './access/signature-use.ts'
import { parameterFault } from './endpoints/check.ts'
import { HANDLERS } from './endpoints/handlers.ts'
import { notThere } from './endpoints/not-there.ts'
import type { WireRow } from './endpoints/row.ts'
import { addressOf, endpointAt, WIRE_ROWS, type WireEndpointId } from './endpoints/table.ts'
import { headerFormFault } from './wire/answer-form.ts'
import { errorAnswer, success } from './wire/answers.ts'
import { refused } from './wire/refused.ts'
import { WireError } from './wire/wire-error.ts'
import type { WireAnswer, WireCall } from './wire-call.ts'
import { asOfThisWire, type WireCalls } from './wire-calls.ts'

/** Used for a path that is not an endpoint. */
const NO_ENDPOINT_WEIGHT = 1

export class BinanceRequests {
  readonly #calls: WireCalls
  readonly #parts: SharedParts

  constructor(calls: WireCalls) {
    this.#calls = calls
    this.#parts = calls.shared
  }

  fetch(request: Request, server: AddressSource): Response | Promise<Response> {
    const { admission, traffic } = this.#parts
    traffic.requests++
    const context = asOfThisWire(admission.context(request, server))
    const { path } = context.target
    const id = endpointAt(request.method, path)
    const weight = id === undefined ? NO_ENDPOINT_WEIGHT : WIRE_ROWS[id].weight
    const refusal = admission.admit(context, weight, id !== undefined)
    if (refusal !== undefined) return this.fail(context, refusal)
    return id === undefined ? this.fail(context, notThere(request.method, path)) : this.#answer(context, id)
  }

  /** The answer if answering failed because of a bug. */
  crash(error: unknown, context?: RequestContext): Response {
    const requestId = context?.requestId ?? 'unknown'
    this.#parts.logger.error({ requestId, err: error }, 'a request failed')
    this.#parts.traffic.refused('INTERNAL_ERROR')
    return errorAnswer(refused(refuse('INTERNAL_ERROR', { id: requestId })), context)
  }

  fail(context: RequestContext, error: Refusal | WireError): Response {
    return errorAnswer(this.#calls.failed(context, error), context)
  }

  async #answer(context: RequestContext, id: WireEndpointId): Promise<Response> {
    const { traffic } = this.#parts
    const startMs = performance.now()
    traffic.started()
    let answer: Response
    try {
      const call = await this.#callOf(context, WIRE_ROWS[id], startMs)
      answer =
        call instanceof Refusal || call instanceof WireError
          ? this.fail(context, call)
          : this.#word(context, call, await HANDLERS[id](call))
    } catch (error) {
      answer =
        error instanceof EngineFault ? this.fail(context, faultRefusal(error)) : this.crash(error, context)
    }
    traffic.answered(`BINANCE ${addressOf(WIRE_ROWS[id])}`, performance.now() - startMs)
    return answer
  }

  async #callOf(
    context: RequestContext,
    row: WireRow,
    startMs: number,
  ): Promise<WireCall | Refusal | WireError> {
    const form = headerFormFault(context.request.headers)
    if (form !== undefined) return form
    const name = row.security === 'NONE' ? undefined : keyNameOf(context.request.headers)
    if (name instanceof WireError) return name
    if (this.#parts.services() instanceof Refusal) return this.#parts.services() as Refusal
    const body = row.method === 'GET' ? '' : await this.#bodyOf(context, startMs)
    if (body instanceof Refusal) return body
    // The exchange may have stopped while the body was received.
    const services = this.#parts.services()
    if (services instanceof Refusal) return services
    const payload = payloadOf(context.target.query, body)
    if (payload instanceof Refusal) return payload
    const { parameters } = payload
    const fault = parameterFault(row, parameters, payload.signature !== undefined)
    if (fault !== undefined) return fault
    if (name === undefined) return this.#calls.make(context, parameters, services, undefined)
    const request = { ...payload, name, opens: openedBy(row), security: row.security }
    const signed = await signIn(context, request, services, this.#calls)
    return signed instanceof WireError ? signed : this.#calls.make(context, parameters, services, signed)
  }

  async #bodyOf(context: RequestContext, startMs: number): Promise<string | Refusal> {
    const { contentLength, contentType } = context.headers
    const body = await this.#parts.bodies.read(context.request, contentLength, startMs)
    return body === undefined ? '' : body instanceof Refusal ? body : formText(body, contentType)
  }

  #word(context: RequestContext, call: WireCall, answer: WireAnswer): Response {
    if (answer instanceof Refusal || answer instanceof WireError) return this.fail(context, answer)
    if (answer instanceof LongAnswer) return this.#send(context, answer)
    if (typeof answer === 'string' && answer.length > WHOLE_ANSWER_MAX)
      return this.#send(context, LongAnswer.ofText(answer))
    return success(answer, context, call.orderCounts)
  }

  /** A long answer, sent as the client reads it; refused when too much is being sent. */
  #send(context: RequestContext, answer: LongAnswer): Response {
    const { logger, limits } = this.#parts
    const release = limits.answers.reserve(context.limitKey, answer.bytes)
    if (release === undefined) {
      void answer.slices.return?.()
      return this.fail(context, refuse('ANSWERS_UNDER_WAY', { seconds: ANSWERS_RETRY_SECONDS }))
    }
    const { requestId } = context
    const onBroken = (cause: unknown): void => {
      if (!(cause instanceof EngineFault))
        logger.error({ requestId, err: cause }, 'a long answer was interrupted')
    }
    const onFault = faultLog(logger, 'a long answer', () => performance.now())
    const later: Later = (task, delayMs) => {
      const timer = setTimeout(guarded(task, onFault), delayMs)
      return () => clearTimeout(timer)
    }
    return success(bodyOf(answer, { release, onBroken, later }), context, [])
  }
}
