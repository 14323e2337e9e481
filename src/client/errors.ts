/**
 * The errors. A program distinguishes them by `kind` and `reason`, and by `outcome`, which shows whether the
 * request was carried out. None contains a secret or a key.
 */
import type { ErrorBody, Order, Replacement } from './interface/orders.ts'
import type { KnownReason } from './interface/words.ts'
import type { OtherWord } from './values.ts'

/** A reason of the catalogue (docs/reference/errors.md), or one that was added later. */
export type Reason = KnownReason | OtherWord

/**
 * Whether the request was carried out. `UNKNOWN`: it may have been, or may still be. `PARTLY_DONE`: one half
 * of a replacement was. For a request that only reads it is NOT_DONE.
 */
export type Outcome = 'NOT_DONE' | 'DONE' | 'PARTLY_DONE' | 'UNKNOWN'

/**
 * `REFUSED`: the exchange refused the request, with a reason. `NO_ANSWER`: no answer arrived. `UNREADABLE`:
 * the answer is not one of the exchange. `ABORTED`: the caller aborted it. `BUSY`: too many requests wait in
 * this client, or the exchange has requested a pause. `USAGE`: the call itself is wrong; nothing was sent.
 */
export type ErrorKind = 'REFUSED' | 'NO_ANSWER' | 'UNREADABLE' | 'ABORTED' | 'BUSY' | 'USAGE'

/** Fields of every error besides its message. */
export type ErrorDetail = {
  readonly outcome: Outcome
  /** Method and path. */
  readonly request?: string | undefined
  /**
   * For the placement of an order or a list: the id by which it can be queried (`resolveOrder`,
   * `resolveOrderList`).
   */
  readonly clientOrderId?: string | undefined
  /**
   * With `clientOrderId`: the latest time at which the request may have taken effect, by the server's time.
   */
  readonly deadline?: number | undefined
  /** With `clientOrderId`: the time at which the request was first sent. */
  readonly firstAttempt?: number | undefined
  /** With DONE: the order that was found. */
  readonly order?: Order | undefined
  /** The pause that the server requested. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

export class BourseError extends Error {
  override readonly name: string = 'BourseError'
  readonly kind: ErrorKind
  readonly outcome: Outcome
  readonly request: string | undefined
  readonly clientOrderId: string | undefined
  readonly deadline: number | undefined
  readonly firstAttempt: number | undefined
  readonly order: Order | undefined
  readonly retryAfterMs: number | undefined

  constructor(kind: ErrorKind, message: string, detail: ErrorDetail) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.kind = kind
    this.outcome = detail.outcome
    this.request = detail.request
    this.clientOrderId = detail.clientOrderId
    this.deadline = detail.deadline
    this.firstAttempt = detail.firstAttempt
    this.order = detail.order
    this.retryAfterMs = detail.retryAfterMs
  }

  /** The same error, with more details of the outcome; `hint` is appended to its message. */
  with(detail: Partial<ErrorDetail>, hint?: string): BourseError {
    const message = hint === undefined ? this.message : `${this.message} ${hint}`
    return new BourseError(this.kind, message, { ...detailOf(this), ...detail })
  }
}

/** Fields of an error besides its message, to be passed on. */
export function detailOf(error: BourseError): ErrorDetail {
  const { outcome, request, clientOrderId, deadline, firstAttempt, order, retryAfterMs, cause } = error
  return { outcome, request, clientOrderId, deadline, firstAttempt, order, retryAfterMs, cause }
}

/** Fields of a refusal besides its reason. */
export type Refusal = {
  readonly reason: Reason
  /** HTTP status. */
  readonly status: number
  readonly code: ErrorBody['code']
  /** For people, in the language of the client. */
  readonly messages: readonly string[]
  /** For a missing order or list: whether it will never exist. */
  readonly isFinal?: boolean | undefined
  /** The nearest acceptable value, and the parameter to send it in. */
  readonly nearest?: string | undefined
  readonly parameter?: string | undefined
  /** With PARTLY_DONE: the completed part, and the other part. */
  readonly replacement?: Replacement | undefined
  /** To be quoted in questions to the operator. */
  readonly requestId?: string | undefined
  /** For a wrong signature: the text that was signed, to be compared with the result of `signatureCheck`. */
  readonly signedText?: string | undefined
}

/** The exchange refused the request. */
export class RefusedError extends BourseError implements Refusal {
  override readonly name = 'RefusedError'
  readonly reason: Reason
  readonly status: number
  readonly code: ErrorBody['code']
  readonly messages: readonly string[]
  readonly isFinal: boolean | undefined
  readonly nearest: string | undefined
  readonly parameter: string | undefined
  readonly replacement: Replacement | undefined
  readonly requestId: string | undefined
  readonly signedText: string | undefined
  readonly #hint: string | undefined

  /** `hint`: the remedy, if the reason alone does not state it. */
  constructor(refusal: Refusal, detail: ErrorDetail, hint?: string) {
    const text = `${detail.request ?? 'request'} refused, ${refusal.reason}: ${refusal.messages.join(' ')}`
    super('REFUSED', hint === undefined ? text : `${text} ${hint}`, detail)
    this.reason = refusal.reason
    this.status = refusal.status
    this.code = refusal.code
    this.messages = refusal.messages
    this.isFinal = refusal.isFinal
    this.nearest = refusal.nearest
    this.parameter = refusal.parameter
    this.replacement = refusal.replacement
    this.requestId = refusal.requestId
    this.signedText = refusal.signedText
    this.#hint = hint
  }

  override with(detail: Partial<ErrorDetail>, hint?: string): RefusedError {
    return new RefusedError(this, { ...detailOf(this), ...detail }, hint ?? this.#hint)
  }
}

/** The call itself is wrong: nothing was sent. */
export function usageError(message: string): BourseError {
  return new BourseError('USAGE', message, { outcome: 'NOT_DONE' })
}
