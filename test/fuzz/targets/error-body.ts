/** The body of an error, wherever it comes (docs/reference/errors.md#codes-and-statuses): code, status and reason belong together. */
import { REASON_NAMES, REASONS, type Reason } from '../../../src/wire/reasons/catalogue.ts'
import { expectThat } from '../target.ts'

/** Its reason. `status`: that of HTTP, where there is one. A 500 is a bug. */
export function reasonOf(value: unknown, status: number | undefined): string {
  const body = value as { status: boolean; code: string; msg: string[]; reason: Reason }
  // Whether an order never will be placed is said beside the reason (docs/reference/client-order-ids.md#ask-what-became-of-an-order).
  const fields = Object.keys(body).filter(
    (name) => name !== 'isFinal' || body.reason !== 'UNKNOWN_CLIENT_ORDER_ID',
  )
  expectThat(fields.join() === 'status,code,msg,reason', () => `fields ${Object.keys(body)}`)
  expectThat(body.status === false && REASON_NAMES.includes(body.reason), () => `reason ${body.reason}`)
  const { code, status: expected } = REASONS[body.reason]
  const isRight = body.code === code && (status === undefined || status === expected)
  expectThat(isRight, () => `${body.reason} with ${body.code} and ${status}`)
  // A client's own words, braces too, may stand in a text; the places of the reason's own text are filled in.
  const [text] = body.msg
  const places = REASONS[body.reason].en.match(/\{\w+\}/g) ?? []
  const isText =
    body.msg.length === 1 && typeof text === 'string' && !places.some((place) => text.includes(place))
  expectThat(isText && expected !== 500, () => `${expected} ${body.msg}`)
  return body.reason
}
