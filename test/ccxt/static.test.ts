/**
 * The requests of unified methods and their parsed answers, in files of the form that ccxt's own tests read:
 * `clients/ccxt/test/static`.
 */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ccxt from 'ccxt'
import { type Answer, Bourse, offline, type Request } from './support/exchange.ts'

const FOLDER = path.join(import.meta.dir, '../../clients/ccxt/test/static')

function read<T>(kind: string): T {
  return JSON.parse(readFileSync(path.join(FOLDER, kind, 'bourse.json'), 'utf8')) as T
}

type Case = {
  readonly description: string
  readonly input: readonly unknown[]
  readonly method: string
  readonly url: string
  readonly output?: string
  readonly httpResponse: unknown
  readonly parsedResponse: unknown
}
type File = {
  readonly skipKeys: readonly string[]
  readonly methods: Readonly<Record<string, readonly Case[]>>
}

const casesOf = ({ methods }: File) =>
  Object.entries(methods).flatMap(([method, cases]) =>
    cases.map((one) => [`${method}: ${one.description}`, method, one] as const),
  )

/** An exchange with the stored markets, so that it does not request any. */
function prepared(answer: (request: Request) => Answer) {
  const made = offline(answer)
  const { exchange } = made
  exchange.setMarkets(read('markets'), read('currencies'))
  exchange.marketsLoading = Promise.resolve(exchange.markets ?? {})
  return made
}

async function call(exchange: object, method: string, input: readonly unknown[]): Promise<unknown> {
  const unified = (exchange as Record<string, (...given: unknown[]) => Promise<unknown>>)[method]
  if (unified === undefined) throw new Error(`expected a method ${method}`)
  return unified.call(exchange, ...input.map((value) => value ?? undefined))
}

function parameters(text: string, skipKeys: readonly string[]): Record<string, string> {
  const given = Object.fromEntries(new URLSearchParams(text))
  for (const name of skipKeys) if (given[name] !== undefined) given[name] = '(any)'
  return given
}

describe('a request', () => {
  const file = read<File>('request')

  test.each(casesOf(file))(
    '%s is requested as stored',
    async (_, method, { input, method: verb, url, output }) => {
      const { exchange, requests } = prepared(() => {
        throw new TypeError('no network here')
      })
      await call(exchange, method, input).catch(() => {})
      expect(requests.map((request) => request.method)).toEqual([verb])
      const [path, query = ''] = requests[0]?.url.split('?') ?? []
      const [wantedPath, wantedQuery = ''] = url.split('?')
      expect(path).toBe(wantedPath)
      expect(parameters(query, file.skipKeys)).toEqual(parameters(wantedQuery, file.skipKeys))
      expect(parameters(requests[0]?.body ?? '', file.skipKeys)).toEqual(
        parameters(output ?? '', file.skipKeys),
      )
    },
  )
})

describe('an answer', () => {
  test.each(casesOf(read<File>('response')))(
    '%s is read as stored',
    async (_, method, { input, httpResponse, parsedResponse }) => {
      const { exchange } = prepared(() => ({ body: JSON.stringify(httpResponse) }))
      const found = await call(exchange, method, input)
      const plain = JSON.stringify(found, (_name, value) => value ?? null)
      expect(JSON.parse(plain)).toEqual(parsedResponse)
    },
  )
})

test('every unified method that the class claims to have is in the files, or in the list of exceptions', () => {
  const { exchange } = prepared(() => ({ body: '{}' }))
  const tested = new Set([...Object.keys(read<File>('request').methods), ...MADE_OF_OTHERS])
  const present = Object.entries(exchange.has).flatMap(([name, has]) => (has === true ? [name] : []))
  const methods = present.filter((name) => /^(create|edit|cancel|fetch)/.test(name) && !name.endsWith('Ws'))
  expect(methods.filter((name) => !tested.has(name))).toEqual([])
  for (const name of present.filter((method) =>
    /^(create|edit|cancel|fetch|watch|unWatch)[A-Z]/.test(method),
  )) {
    expect([name, typeof Reflect.get(exchange, name)]).toEqual([name, 'function'])
  }
})

/** Methods that ccxt, or the class, builds from others that are in the files. */
const MADE_OF_OTHERS = [
  ...['createLimitOrder', 'createMarketOrder', 'createMarketOrderWithCost', 'createPostOnlyOrder'],
  'createTrailingPercentOrder',
  ...['createTriggerOrder', 'createStopOrder', 'createStopLimitOrder', 'createStopMarketOrder'],
  ...['createStopLossOrder', 'createTakeProfitOrder', 'createOrderWithTakeProfitAndStopLoss'],
  ...['editOrderWithClientOrderId', 'cancelOrderWithClientOrderId', 'cancelOrdersWithClientOrderIds'],
  ...['fetchOrderWithClientOrderId', 'fetchCanceledAndClosedOrders', 'fetchL2OrderBook'],
]

/** Methods of ccxt that exchanges are meant to define, in addition to those named in `has`. */
const HOOKS = [
  ...[
    'constructor',
    'describe',
    'nonce',
    'sign',
    'fetch',
    'handleErrors',
    'handleRestResponse',
    'afterConstruct',
  ],
  ...['calculateRateLimiterCost', 'calculateWsBackoffDelay', 'getHttpAgentIfNeeded', 'handleMessage'],
]

test('the class hides no method of ccxt except those that exchanges define', () => {
  const { exchange } = prepared(() => ({ body: '{}' }))
  const layers: object[] = []
  for (
    let layer = Bourse.prototype;
    layer !== ccxt.Exchange.prototype;
    layer = Object.getPrototypeOf(layer)
  ) {
    layers.push(layer)
  }
  const own = [...new Set(layers.flatMap((layer) => Object.getOwnPropertyNames(layer)))]
  const hiding = own.filter((name) => name in ccxt.Exchange.prototype && !HOOKS.includes(name))
  const odd = hiding.filter((name) => exchange.has[name] !== true && !name.startsWith('parse'))
  expect(odd).toEqual([])
  expect(own.length).toBeGreaterThan(100)
})
