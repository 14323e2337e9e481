/**
 * The frame of bodies: headers of answers, and the meaning of their statuses
 * (docs/reference/http.md#answers).
 */
import type { EndpointRow } from '../endpoints/row.ts'
import type { JsonSchema } from './json-schema.ts'

const whole = { type: 'integer', minimum: 0 }

export const HEADERS = {
  UsedWeight: {
    description: 'Weight that your address has used in this minute.',
    required: true,
    schema: whole,
  },
  RequestId: {
    description: 'The id of this request: quote it when you report a problem.',
    required: true,
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Whole seconds to wait.', schema: whole },
  StaleMs: {
    description: 'While no engine leads: the age of the data, in milliseconds.',
    schema: whole,
  },
  Repeated: {
    description: 'The answer to an order that was placed before under its client order id.',
    schema: { type: 'string', const: 'true' },
  },
  Next: {
    description: 'For a table: the parameter with which the next request continues; absent at the end.',
    schema: { type: 'string' },
  },
  ContentLanguage: { description: 'The language of msg.', schema: { type: 'string', enum: ['en', 'tr'] } },
} as const satisfies Readonly<Record<string, JsonSchema>>

/** The name of the header that each component describes. */
const NAMES: Readonly<Record<keyof typeof HEADERS, string>> = {
  UsedWeight: 'X-MBX-USED-WEIGHT-1M',
  RequestId: 'X-Request-Id',
  RetryAfter: 'Retry-After',
  StaleMs: 'X-Bourse-Stale-Ms',
  Repeated: 'X-Repeated',
  Next: 'X-Next',
  ContentLanguage: 'Content-Language',
}

/** The headers of an answer with this status. */
export function headersOf(
  { isCsv, security, tag }: Pick<EndpointRow, 'isCsv' | 'security' | 'tag'>,
  status: number,
): JsonSchema {
  const isOrder =
    (security === 'TRADE' || security === 'READ') && (tag === 'Trading' || tag === 'Order lists')
  const isWaiting = status === 429 || status === 418 || status === 503
  const given: readonly (keyof typeof HEADERS)[] = [
    'UsedWeight',
    'RequestId',
    ...(status === 200 ? (['StaleMs'] as const) : (['ContentLanguage'] as const)),
    ...(isWaiting ? (['RetryAfter'] as const) : []),
    ...(isOrder && (status === 200 || status === 409) ? (['Repeated'] as const) : []),
    ...(isCsv && status === 200 ? (['Next'] as const) : []),
  ]
  const headers = given.map((name) => [NAMES[name], { $ref: `#/components/headers/${name}` }])
  return Object.fromEntries(headers)
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'Malformed or refused',
  401: 'Key, signature, permission, address or time window',
  403: 'Blocked: looks like an attack, or too many malformed requests',
  408: 'The body came too slowly',
  409: 'Partly carried out',
  413: 'The body is too large',
  418: 'Banned; see Retry-After',
  429: 'A rate limit; see Retry-After',
  431: 'Address or headers are too large',
  500: "A bug in the service; the text has an id that is also in the service's log",
  503: 'The service cannot do it now',
}

export function statusWord(status: number): string {
  return STATUS_WORDS[status] ?? 'Refused'
}

/** The description of an operation, with its answers by status. */
export type Operation = JsonSchema & { readonly responses: Readonly<Record<string, JsonSchema>> }

/** Operations by path and method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** The same operations, with answers common to several of them as components. */
export function sharedResponses(paths: Paths): { readonly paths: Paths; readonly responses: JsonSchema } {
  const uses = new Map<string, number>()
  const all = Object.values(paths).flatMap((operations) => Object.values(operations))
  for (const { responses } of all) {
    for (const response of Object.values(responses)) {
      const text = JSON.stringify(response)
      uses.set(text, (uses.get(text) ?? 0) + 1)
    }
  }
  const names = new Map<string, string>()
  const shared = (status: string, response: JsonSchema): JsonSchema => {
    const text = JSON.stringify(response)
    if (uses.get(text) === 1) return response
    const name = names.get(text) ?? nameFor(status, [...names.values()])
    names.set(text, name)
    return { $ref: `#/components/responses/${name}` }
  }
  const withShared = mapPaths(paths, (operation) => {
    const responses = Object.entries(operation.responses).map(([status, each]) => [
      status,
      shared(status, each),
    ])
    return { ...operation, responses: Object.fromEntries(responses) }
  })
  const components = [...names].map(([text, name]) => [name, JSON.parse(text)] as const)
  return {
    paths: withShared,
    responses: Object.fromEntries(components.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function mapPaths(paths: Paths, change: (operation: Operation) => Operation): Paths {
  const items = Object.entries(paths).map(([path, operations]) => [
    path,
    Object.fromEntries(Object.entries(operations).map(([method, each]) => [method, change(each)])),
  ])
  return Object.fromEntries(items)
}

/** `Status401`, then `Status401_2` and so on. */
function nameFor(status: string, taken: readonly string[]): string {
  const count = taken.filter((name) => name.startsWith(`Status${status}`)).length
  return count === 0 ? `Status${status}` : `Status${status}_${count + 1}`
}
