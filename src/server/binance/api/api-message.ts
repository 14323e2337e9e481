/**
 * A message of the WebSocket API: its id, the name of its request, and its parameters as texts. Numbers keep
 * the digits that were sent, since the signature covers them. The signed text has all parameters except the
 * signature, sorted by name and joined unchanged.
 */
import { type JsonBounds, parseJsonAsWritten, WrittenNumber } from '../../../units/bounded-json.ts'
import { Parameters } from '../../common/parameters.ts'
import { invalid } from '../endpoints/check.ts'
import { missing } from '../wire/refused.ts'
import { WireError, wrongParameter } from '../wire/wire-error.ts'

const BOUNDS: JsonBounds = { depthMax: 3, elementsMax: 1_000, membersMax: 64, valuesMax: 1_100 }
const ID_LENGTH_MAX = 64
const VERSION = 'v3/'

export type MessageId = string | number | null

export type ApiMessage = {
  readonly id: MessageId
  readonly method: string
  /** The parameters other than the members below. */
  readonly parameters: Parameters
  readonly apiKey: string | undefined
  readonly signature: string | undefined
  /** Whether the answer includes the use of the limits; if undefined, the connection's setting applies. */
  readonly returnRateLimits: boolean | undefined
  /** The text that the signature covers. */
  readonly text: string
}

/** A message that cannot be read, with its `id` as far as it is known. */
export type MessageFault = { readonly id: MessageId; readonly error: WireError }

export function readMessage(text: string): ApiMessage | MessageFault {
  const value = parsed(text)
  if (!isObject(value)) return { id: null, error: unreadable('Invalid JSON Request') }
  const id = idOf(value.id)
  if (id === undefined) return { id: null, error: invalid('id') }
  const { method, params = {} } = value
  if (typeof method !== 'string') return { id, error: missingMethod() }
  if (!isObject(params)) return { id, error: unreadable("JSON sent for parameter 'params' is not valid") }
  const taken = takenFrom(params)
  if (taken instanceof WireError) return { id, error: taken }
  return { id, method: method.startsWith(VERSION) ? method.slice(VERSION.length) : method, ...taken }
}

type Json = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Json {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber)
  )
}

/** Undefined if it is not JSON or exceeds the bounds. */
function parsed(text: string): unknown {
  try {
    return parseJsonAsWritten(text, BOUNDS)
  } catch {
    return undefined
  }
}

function idOf(id: unknown): MessageId | undefined {
  if (id === undefined || id === null) return null
  if (typeof id === 'string') return id.length <= ID_LENGTH_MAX ? id : undefined
  const number = id instanceof WrittenNumber ? Number(id.text) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

function takenFrom(params: Json): Omit<ApiMessage, 'id' | 'method'> | WireError {
  const textByName = new Map<string, string>()
  for (const name of Object.keys(params).toSorted(byUnits)) {
    const text = textOf(params[name])
    if (text === undefined) return unreadable(`JSON sent for parameter '${name.slice(0, 64)}' is not valid`)
    textByName.set(name, text)
  }
  const [apiKey, signature] = [textByName.get('apiKey'), textByName.get('signature')]
  const returned = textByName.get('returnRateLimits')
  if (returned !== undefined && returned !== 'true' && returned !== 'false')
    return invalid('returnRateLimits')
  textByName.delete('signature')
  const text = [...textByName].map(([name, value]) => `${name}=${value}`).join('&')
  for (const name of ['apiKey', 'returnRateLimits']) textByName.delete(name)
  const parameters = new Parameters([...textByName.keys()], [...textByName.values()])
  const returnRateLimits = returned === undefined ? undefined : returned === 'true'
  return { parameters, apiKey, signature, returnRateLimits, text }
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Undefined if no parameter can have this value. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value instanceof WrittenNumber) return value.text
  if (typeof value === 'boolean') return String(value)
  if (!Array.isArray(value)) return undefined
  return value.every((each) => typeof each === 'string') ? JSON.stringify(value) : undefined
}

function unreadable(msg: string): WireError {
  return new WireError({ status: 400, code: -1135, msg, reason: 'UNREADABLE_MESSAGE' })
}

function missingMethod(): WireError {
  return wrongParameter('method', -1102, missing('method'), 'MISSING_PARAMETER')
}
