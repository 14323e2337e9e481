/**
 * Random requests, generated from the published file: valid, or invalid in one way. Ids from answers are used
 * again; a number selects the id, so that a run can be repeated and shrunk.
 */
import * as fc from 'fast-check'
import { type Json, resolved } from './strict.ts'

/** The deliberate error in a request. */
const FLAWS = [
  ...['NO_KEY', 'UNKNOWN_KEY', 'NO_SIGNATURE', 'WRONG_SIGNATURE', 'OLD', 'AHEAD', 'NO_TIME'],
  ...['LEFT_OUT', 'TWICE', 'FOREIGN', 'WRONG_VALUE', 'WRONG_TYPE', 'BROKEN_ENCODING', 'CONTROL'],
] as const
export type Flaw = (typeof FLAWS)[number]

/** Ids from answers: orders, lists and positions in lists; and ids that clients give. */
export type Known = 'order' | 'list' | 'next' | 'clientId'

/** A value, or the place of an id from an answer. */
export type Value = string | { readonly known: Known; readonly place: number }

export type MadeRequest = {
  readonly method: string
  readonly path: string
  readonly isForm: boolean
  readonly fields: readonly (readonly [name: string, value: Value])[]
  readonly flaw: Flaw | undefined
  /** The field with the flaw. */
  readonly flawAt: number
  readonly junk: string
  readonly isTurkish: boolean
}

/** Both accounts send the same number of requests. */
export type SentRequest = MadeRequest & { readonly isAlice: boolean }

const SYMBOLS = ['BTC/USDT', 'ETH/USDT', 'ETH/BTC', 'USDT/TRY']
const FIGURES = [
  '0.01',
  '0.5',
  '1',
  '2',
  '9.99',
  '10',
  '0.00000001',
  '100',
  '60000',
  '60000.5',
  '0.001',
  '99999999999999999',
]
const JUNK = [
  ...[
    '',
    '-1',
    '1e5',
    '0',
    '.5',
    '5.',
    ' 1',
    'NaN',
    'null',
    'buy',
    'limit',
    'BTCUSDT',
    '9'.repeat(40),
    '1.123456789',
  ],
  ...[
    '{}',
    '[]',
    '[{}]',
    '[{"method":"GET"}]',
    '[{"method":"POST"}]',
    'ğ',
    '🦊',
    '%',
    "' OR 1=1 --",
    '<script>',
    '__proto__',
  ],
]

const KNOWN: Readonly<Record<string, Known>> = {
  ...{ id: 'order', orderId: 'order', cancelId: 'order', listId: 'list', cancelListId: 'list' },
  ...{ origClientOrderId: 'clientId', cancelOrigClientOrderId: 'clientId', newClientOrderId: 'clientId' },
  ...{ listClientOrderId: 'clientId', cancelListClientOrderId: 'clientId', before: 'next' },
}

/** A value according to its schema; preferably one that exists in a sandbox. */
function fieldValue(name: string, schema: Json): fc.Arbitrary<Value> {
  const known = KNOWN[name] ?? (name.endsWith('ClientOrderId') ? 'clientId' : undefined)
  if (known !== undefined) {
    const place = fc.nat({ max: 7 })
    const given = place.map((at): Value => ({ known, place: at }))
    return fc.oneof({ weight: 4, arbitrary: given }, { weight: 1, arbitrary: plainValue(schema) })
  }
  if (name === 'symbol') return fc.constantFrom(...SYMBOLS)
  if (name === 'operations') return operations
  if (name === 'expireTime') return fc.nat({ max: 100_000 }).map((ahead) => `+${ahead}`)
  return plainValue(schema)
}

function plainValue(schema: Json): fc.Arbitrary<string> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum.map(String))
  if (schema.const !== undefined) return fc.constant(String(schema.const))
  if (schema.type === 'integer') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema as {
      minimum?: number
      maximum?: number
    }
    return fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 53 - 1) }).map(String)
  }
  if (typeof schema.pattern === 'string' && schema.pattern.includes('(?=.*[1-9])'))
    return fc.constantFrom(...FIGURES)
  if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern))
  return fc.constantFrom('BTC', 'USDT', 'TRY', 'DOGE')
}

const operations = fc
  .array(
    fc.oneof(
      fc.record({
        method: fc.constant('POST'),
        symbol: fc.constantFrom(...SYMBOLS),
        side: fc.constantFrom('BUY', 'SELL'),
        type: fc.constantFrom('LIMIT', 'MARKET', 'LIMIT_MAKER'),
        quantity: fc.constantFrom(...FIGURES),
        price: fc.constantFrom(...FIGURES),
      }),
      fc.record({ method: fc.constant('DELETE'), id: fc.uuid() }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) => JSON.stringify(list))

/** Requests to every endpoint of the document. */
export function requestsOf(document: Json): fc.Arbitrary<SentRequest> {
  const paths = Object.entries(document.paths as Readonly<Record<string, Json>>)
  const endpoints = paths.flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      requestTo(document, method.toUpperCase(), path, operation as Json),
    ),
  )
  return fc.oneof(...endpoints)
}

function requestTo(document: Json, method: string, path: string, operation: Json): fc.Arbitrary<SentRequest> {
  const { isForm, names } = parametersOf(document, operation)
  const anything = names.map(({ name, schema, isRequired }) => {
    const field = fieldValue(name, schema).map((value) => [name, value] as const)
    return isRequired ? field : fc.option(field, { nil: undefined, freq: 1 })
  })
  return fc.record({
    method: fc.constant(method),
    path: fc.constant(path),
    isForm: fc.constant(isForm),
    fields: fc.oneof(
      {
        weight: 1,
        arbitrary: fc.tuple(...anything).map((given) => given.filter((field) => field !== undefined)),
      },
      { weight: 2, arbitrary: likeTheExample(names) },
    ),
    flaw: fc.oneof(
      { weight: 2, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...FLAWS) },
    ),
    flawAt: fc.nat({ max: 20 }),
    junk: fc.oneof(fc.constantFrom(...JUNK), fc.string({ maxLength: 12 })),
    isTurkish: fc.boolean(),
    isAlice: fc.boolean(),
  })
}

/**
 * The file states in words and by its example which parameters belong together: takes the example, with some
 * other values.
 */
function likeTheExample(names: readonly Parameter[]): fc.Arbitrary<(readonly [string, Value])[]> {
  const shown = names.filter(({ example }) => example !== undefined)
  const others = fc.subarray([...names], { maxLength: Math.min(2, names.length) })
  const base = shown.map(({ name, schema, example }) =>
    name in KNOWN ? fieldValue(name, schema) : fc.constant<Value>(String(example)),
  )
  return fc.tuple(fc.tuple(...base), others).chain(([values, changed]) =>
    fc.tuple(...changed.map(({ name, schema }) => fieldValue(name, schema))).map((given) => {
      const fields = new Map(shown.map(({ name }, place) => [name, values[place] ?? '']))
      for (const [place, { name }] of changed.entries()) fields.set(name, given[place] ?? '')
      return [...fields]
    }),
  )
}

type Parameter = {
  readonly name: string
  readonly schema: Json
  readonly isRequired: boolean
  readonly example: unknown
}

/** Without `timestamp`, which the sender adds. */
function parametersOf(document: Json, operation: Json): { isForm: boolean; names: readonly Parameter[] } {
  const body = operation.requestBody as Json | undefined
  if (body !== undefined) {
    const content = body.content as Readonly<Record<string, Json>>
    const form = content['application/x-www-form-urlencoded']
    const schema = form?.schema as Json
    const example = (form?.example ?? {}) as Json
    const required = (schema.required ?? []) as readonly string[]
    const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Json>>)
    const names = properties.map(([name, each]) => ({
      name,
      schema: each,
      isRequired: required.includes(name),
      example: example[name],
    }))
    return { isForm: true, names: names.filter(({ name }) => name !== 'timestamp') }
  }
  const given = (operation.parameters as readonly Json[]).map((each) => resolved(document, each))
  const names = given
    .filter((each) => each.in === 'query' && each.name !== 'timestamp')
    .map(({ name, schema, required, example }) => ({
      name: String(name),
      schema: schema as Json,
      isRequired: required === true,
      example,
    }))
  return { isForm: false, names }
}
