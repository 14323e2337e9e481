/**
 * The body of an error at every place (docs/reference/errors.md#codes-and-statuses): code, status and reason
 * belong together.
 */
import { REASON_NAMES, REASONS, type Reason } from '../../../src/contract/reasons/catalogue.ts'
import { expectThat } from '../target.ts'

/** The members of an error, in their order (docs/reference/refusals.md). */
const BARE = 'status,code,msg,reason'
const BODIES = [BARE, `${BARE},isFinal`, `${BARE},nearest,parameter`, `${BARE},data`]

/** Reasons that are about a number. */
const OF_NUMBERS: ReadonlySet<Reason> = new Set<Reason>([
  'INVALID_PARAMETER',
  'TOO_MANY_DECIMALS',
  'VALUE_TOO_LARGE',
  'QUANTITY_TOO_SMALL',
  'TOTAL_TOO_SMALL',
  'TOTAL_MISMATCH',
  'PRICE_OUT_OF_BAND',
  'STOP_PRICE_REACHED',
  'EXPIRE_TIME_PASSED',
  'EXPIRE_TIME_TOO_FAR',
  'ICEBERG_QUANTITY_TOO_SMALL',
  'ICEBERG_QUANTITY_TOO_LARGE',
])

/**
 * Whether the members beside the reason belong to it; the nearest value to a number must be one that can be
 * sent.
 */
function isPlaced(body: {
  readonly reason: Reason
  readonly isFinal?: unknown
  readonly nearest?: unknown
  readonly data?: unknown
}): boolean {
  // The body describes a replacement only if one half of it was done.
  const isHalf = body.reason === 'CANCEL_REPLACE_PARTLY_DONE'
  if (isHalf || body.data !== undefined) return isHalf && isReplacement(body.data)
  if (body.isFinal !== undefined) {
    return body.reason === 'UNKNOWN_CLIENT_ORDER_ID' || body.reason === 'UNKNOWN_ORDER_LIST'
  }
  const { nearest } = body
  if (nearest === undefined) return true
  return OF_NUMBERS.has(body.reason) && typeof nearest === 'string' && /^\d+(\.\d+)?$/.test(nearest)
}

/** Whether one of the two was done, and each has an answer of its own. */
function isReplacement(data: unknown): boolean {
  const parts = data as Readonly<Record<string, unknown>>
  const names = Object.keys(parts).join()
  if (names !== 'cancelResult,newOrderResult,cancelResponse,newOrderResponse') return false
  const [canceled, placed] = [parts.cancelResponse, parts.newOrderResponse] as { status: boolean }[]
  const word = (isDone: boolean | undefined) => (isDone ? 'SUCCESS' : 'FAILURE')
  return (
    canceled?.status !== placed?.status &&
    parts.cancelResult === word(canceled?.status) &&
    parts.newOrderResult === word(placed?.status)
  )
}

/** The reason of the error. `status` is that of HTTP, if there is one. A 500 is a bug. */
export function reasonOf(value: unknown, status: number | undefined): string {
  const body = value as { status: boolean; code: string; msg: string[]; reason: Reason }
  const fields = Object.keys(body).join()
  const isKnown = BODIES.some((names) => names === fields)
  expectThat(isKnown && isPlaced(body), () => `fields ${fields} of ${body.reason}`)
  expectThat(body.status === false && REASON_NAMES.includes(body.reason), () => `reason ${body.reason}`)
  const { code, status: expected } = REASONS[body.reason]
  const isRight = body.code === code && (status === undefined || status === expected)
  expectThat(isRight, () => `${body.reason} with ${body.code} and ${status}`)
  // A text may contain the client's own words, including braces; the placeholders of the reason's own text
  // are filled in.
  const [text] = body.msg
  const places = REASONS[body.reason].en.match(/\{\w+\}/g) ?? []
  const isText =
    body.msg.length === 1 && typeof text === 'string' && !places.some((place) => text.includes(place))
  expectThat(isText && expected !== 500, () => `${expected} ${body.msg}`)
  return body.reason
}
