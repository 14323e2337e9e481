/** Sends errors, the same from every server: status, headers and envelope. */
import type { Language } from '../../contract/language.ts'
import { REASONS } from '../../contract/reasons/catalogue.ts'
import type { Refusal } from '../common/refusal.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'

const JSON_TYPE = 'application/json;charset=utf-8'

/**
 * Weight that the address has used in the current minute; Binance's name, so that its clients understand it.
 */
export const USED_WEIGHT_HEADER = 'X-MBX-USED-WEIGHT-1M'

/** Headers of every answer with a body. Pages of any origin may read all of them, the limits' included. */
export const EVERY_ANSWER = {
  'Content-Type': JSON_TYPE,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
} as const

/** Headers of an answer about its request: the weight used by the address, and the request id. */
export type Asked = { readonly use: { readonly weight: number }; readonly requestId: string }

/** An error with the envelope, with `Retry-After` and `Allow` if they apply. */
export function failure(refusal: Refusal, language: Language, asked: Partial<Asked> | undefined): Response {
  const { reason, args, extras } = refusal
  const { status } = REASONS[reason]
  const headers: Record<string, string> = { ...EVERY_ANSWER, 'Content-Language': language }
  if (asked?.use !== undefined) headers[USED_WEIGHT_HEADER] = String(asked.use.weight)
  if (asked?.requestId !== undefined) headers[REQUEST_ID_HEADER] = asked.requestId
  if (refusal.retryAfter !== undefined) headers['Retry-After'] = String(refusal.retryAfter)
  if (status === 405) headers.Allow = String(args.allowed)
  if (extras.isRepeat) headers['X-Repeated'] = 'true'
  // The boundary of the next request on the connection is uncertain.
  if (status === 408 || status === 417 || reason === 'DUPLICATE_HEADER') headers.Connection = 'close'
  return new Response(refusal.body(language), { status, headers })
}
