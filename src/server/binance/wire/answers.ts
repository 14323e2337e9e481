/** Sends answers with the status and headers that Binance's clients expect. */
import type { OrderCount } from '../../access/limits/order-limits.ts'
import { type Asked, USED_WEIGHT_HEADER } from '../../listener/failure.ts'
import { REQUEST_ID_HEADER } from '../../listener/request-id.ts'
import type { WireError } from './wire-error.ts'

/** The same figure without the interval: some clients read this one. */
const WEIGHT_HEADER = 'X-MBX-USED-WEIGHT'

const EVERY_ANSWER = {
  'Content-Type': 'application/json;charset=UTF-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const

function headersOf({ use, requestId }: Asked): Record<string, string> {
  const weight = String(use.weight)
  return {
    ...EVERY_ANSWER,
    [WEIGHT_HEADER]: weight,
    [USED_WEIGHT_HEADER]: weight,
    [REQUEST_ID_HEADER]: requestId,
  }
}

export function success(
  body: string | Blob | ReadableStream<Uint8Array>,
  asked: Asked,
  orderCounts: readonly OrderCount[],
): Response {
  const headers = headersOf(asked)
  for (const { header, count } of orderCounts) headers[header] = String(count)
  return new Response(body, { headers })
}

export function errorAnswer(error: WireError, asked: Asked | undefined): Response {
  const headers: Record<string, string> = asked === undefined ? { ...EVERY_ANSWER } : headersOf(asked)
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter)
  // The boundary of the next request on the connection is uncertain.
  const { status } = error
  if (status === 408 || status === 417 || error.reason === 'DUPLICATE_HEADER') headers.Connection = 'close'
  return new Response(error.body(), { status, headers })
}
