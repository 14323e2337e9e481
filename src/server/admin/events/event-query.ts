/**
 * The query of `GET /admin/v1/events` as the operation's request: the same names, numbers and lists written
 * as text.
 */
import type { AdminEventRequest } from '../../../contract/admin/admin.ts'
import { invalid } from '../context.ts'
import { parseRequest } from '../requests.ts'

const NUMBERS = ['after', 'limit', 'wait']
const WHOLE = /^(0|[1-9][0-9]{0,15})$/

/** Throws `AdminRequestError`, which names the parameter. */
export function eventRequestOf(query: string): AdminEventRequest {
  const body: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    if (Object.hasOwn(body, name)) throw invalid(name, 'is given twice')
    body[name] = readValue(name, value)
  }
  return parseRequest('event/list', body)
}

function readValue(name: string, value: string): unknown {
  if (name === 'kinds') return value.split(',')
  if (!NUMBERS.includes(name)) return value
  if (!WHOLE.test(value))
    throw invalid(name, `expected a whole number in decimal digits, found ${value.slice(0, 40)}`)
  return Number(value)
}
