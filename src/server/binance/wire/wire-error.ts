/** An error of this wire: Binance's number and text, with our reason beside them. */
import type { Reason } from '../../../contract/reasons/catalogue.ts'

export type WireErrorTerms = {
  readonly status: number
  /** Binance's error number. */
  readonly code: number
  readonly msg: string
  readonly reason: Reason
  /** Seconds after which a retry is worthwhile; undefined if this is unknown, or time does not help. */
  readonly retryAfter?: number | undefined
  /** Further members of ours in the body. */
  readonly beside?: Readonly<Record<string, unknown>> | undefined
}

export class WireError {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly reason: Reason
  readonly retryAfter: number | undefined
  readonly beside: Readonly<Record<string, unknown>> | undefined

  constructor({ status, code, msg, reason, retryAfter, beside }: WireErrorTerms) {
    this.status = status
    this.code = code
    this.msg = msg
    this.reason = reason
    this.retryAfter = retryAfter
    this.beside = beside
  }

  body(): string {
    return JSON.stringify({ code: this.code, msg: this.msg, reason: this.reason, ...this.beside })
  }
}

/** The error for a parameter that its endpoint does not accept: nothing was done. */
export function wrongParameter(parameter: string, code: number, msg: string, reason: Reason): WireError {
  return new WireError({ status: 400, code, msg, reason, beside: { parameter } })
}
