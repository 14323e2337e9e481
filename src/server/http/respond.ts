/** Sends successful answers: status and headers around a body that is already text. */
import type { OrderCount } from '../access/limits/order-limits.ts'
import { type Asked, EVERY_ANSWER, USED_WEIGHT_HEADER } from '../listener/failure.ts'
import { REQUEST_ID_HEADER } from '../listener/request-id.ts'
import type { CsvAnswer } from '../trading/csv-answer.ts'

/** Marks an answer that was given before (docs/reference/client-order-ids.md#repeats). */
const REPEATED_HEADER = 'X-Repeated'

/**
 * Answers with HTTP 200. Their headers are kept and filled in for each answer, which copies them: half the
 * time of creating them (`npm run bench -- order-to-ack`).
 */
export class Successes {
  readonly #headers = new Headers(EVERY_ANSWER)
  readonly #orderHeaders = new Headers(EVERY_ANSWER)
  readonly #repeatHeaders = new Headers({ ...EVERY_ANSWER, [REPEATED_HEADER]: 'true' })

  /**
   * `orderCounts`: empty, or of the same windows in every answer. `isRepeat`: the answer was given before.
   */
  answer(
    body: string | Blob | ReadableStream<Uint8Array>,
    { use, requestId }: Asked,
    orderCounts: readonly OrderCount[],
    isRepeat = false,
  ): Response {
    const plain = orderCounts.length === 0 ? this.#headers : this.#orderHeaders
    const headers = isRepeat ? this.#repeatHeaders : plain
    headers.set(USED_WEIGHT_HEADER, String(use.weight))
    headers.set(REQUEST_ID_HEADER, requestId)
    for (const { header, count } of orderCounts) headers.set(header, String(count))
    return new Response(body, { headers })
  }
}

/** The position at which a table continues (docs/reference/orders.md#csv). */
const NEXT_HEADER = 'X-Next'

/** `response`, whose body is the text of `answer` unless it is a refusal, as a file to be saved. */
export function asCsv(response: Response, { name, hasHeader, next }: CsvAnswer): Response {
  if (response.status !== 200) return response
  const header = hasHeader ? 'present' : 'absent'
  response.headers.set('Content-Type', `text/csv; charset=utf-8; header=${header}`)
  response.headers.set('Content-Disposition', `attachment; filename="${name}.csv"`)
  if (next !== undefined) response.headers.set(NEXT_HEADER, next)
  return response
}

/** The answer to OPTIONS: the allowed methods, and CORS's preflight in the same words. */
export function options(allow: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      Allow: allow,
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': allow,
      'Access-Control-Allow-Headers': 'Content-Type, X-Apikey, X-Signature, X-Timestamp, X-Nonce',
      'Access-Control-Max-Age': '86400',
    },
  })
}
