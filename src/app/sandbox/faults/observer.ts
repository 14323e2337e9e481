/** Clients' requests as a sandbox can report them, as received and as answered: for grading a bot. */
import type { FaultKind } from '../../../contract/admin/operations/faults.ts'

export type SeenRequest = {
  /** By the monotonic clock, in milliseconds. */
  readonly atMs: number
  readonly transport: 'HTTP' | 'STREAM'
  /** `POST /api/v3/order`, `order.place`, `GET /stream` for a connection. */
  readonly endpoint: string
  readonly apiKey: string | undefined
  /** The query and body of a request as one text, or the frame of a message. */
  readonly text: string
  /**
   * The status of the exchange's answer; undefined if the request did not reach the exchange, or if the
   * answer to a message comes separately.
   */
  readonly status: number | undefined
  /** The body of the answer, if it is a refusal. */
  readonly refusal: string | undefined
  /** The injected fault; undefined if there is none. */
  readonly fault: FaultKind | undefined
  /** From the answer's header, in seconds. */
  readonly retryAfterSeconds: number | undefined
}

export type Observer = (request: SeenRequest) => void
