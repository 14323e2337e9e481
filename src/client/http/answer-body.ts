/** Bodies of answers: numbers with decimals as text, and refusals. */
import type { Refusal } from '../errors.ts'
import type { ErrorBody, Replacement } from '../interface/orders.ts'

/**
 * A member's name, the colon and a number. Within a string a quote is preceded by a backslash, so no part of
 * a string is taken for a member.
 */
const MEMBER = /"(\w+)":(\d+(?:\.\d+)?)/g
const VALUE = /":(\d+(?:\.\d+)?)/g

/**
 * The same JSON, with the numbers of these members as strings of their own digits: as numbers, those of more
 * than 15 digits would lose some (docs/reference/http.md#answers). `*` stands for every value of the answer.
 */
export function textOfNumbers(json: string, members: readonly string[]): string {
  if (members.length === 0) return json
  if (members.includes('*')) return json.replace(VALUE, '":"$1"')
  return json.replace(MEMBER, (whole, name: string, digits: string) =>
    members.includes(name) ? `"${name}":"${digits}"` : whole,
  )
}

type RefusalBody = ErrorBody & { readonly data?: Replacement }

/** Undefined if the body is not a refusal. */
export function refusalOf(
  body: unknown,
  status: number,
  headers: { get(name: string): string | null },
): Refusal | undefined {
  if (typeof body !== 'object' || body === null || (body as { status?: unknown }).status !== false)
    return undefined
  const { code, msg, reason, isFinal, nearest, parameter, data } = body as RefusalBody
  if (typeof code !== 'string' || typeof reason !== 'string' || !Array.isArray(msg)) return undefined
  return {
    ...{ reason, status, code, messages: msg.map(String), isFinal, nearest, parameter },
    replacement: data,
    requestId: headers.get('X-Request-Id') ?? undefined,
  }
}

/** `Retry-After` in milliseconds; undefined if the header is absent. */
export function retryAfterMs(headers: { get(name: string): string | null }): number | undefined {
  const text = headers.get('Retry-After')
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) * 1000 : undefined
}
