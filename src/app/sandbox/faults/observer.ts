/** Events of clients' requests that a sandbox can report, as received and as answered: for grading a bot. */
import type { FaultKind } from '../../../contract/admin/operations/faults.ts'

export type SeenRequest = {
  /** On the clock that never goes back; milliseconds. */
  readonly atMs: number
  readonly transport: 'HTTP' | 'STREAM'
  /** `POST /api/v3/order`, `order.place`, `GET /stream` for a connection. */
  readonly endpoint: string
  readonly apiKey: string | undefined
  /** Query and body of a request, one text; the frame of a message. */
  readonly text: string
  /**
   * The status of the exchange's answer; undefined if it was not asked, or if the answer to a message comes
   * separately.
   */
  readonly status: number | undefined
  /** The body of the answer, where it is a refusal. */
  readonly refusal: string | undefined
  /** The injected fault; undefined if there is none. */
  readonly fault: FaultKind | undefined
  /** Of the answer; seconds. */
  readonly retryAfterSeconds: number | undefined
}

export type Observer = (request: SeenRequest) => void
