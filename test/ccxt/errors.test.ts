/**
 * Errors that a program built on ccxt gets when the exchange refuses, does not answer, or answers in part.
 */
import { describe, expect, test } from 'bun:test'
import ccxt from 'ccxt'
import { ERROR_BY_REASON } from '../../clients/ccxt/src/error-by-reason.js'
import { REASON_NAMES, REASONS } from '../../src/contract/reasons/catalogue.ts'
import { type Answer, offline, RULES, refused, succeeded } from './support/exchange.ts'

/** An exchange that answers everything except its rules with `answer`. */
function answering(answer: () => Answer) {
  return offline(({ url }) => (url.includes('exchangeInfo') ? RULES : answer()))
}

type Told = Error & Readonly<Record<string, unknown>>

async function errorOf(action: () => Promise<unknown>): Promise<Told> {
  try {
    await action()
  } catch (error) {
    return error as Told
  }
  throw new Error('expected an error, found none')
}

const limitOrder = (exchange: ReturnType<typeof offline>['exchange']) =>
  exchange.createOrder('BTC/USDT', 'limit', 'buy', 1, 100, { clientOrderId: 'mine' })

describe('each reason', () => {
  test.each(REASON_NAMES)('%s is an error of ccxt that fits its status', async (reason) => {
    const { status, code } = REASONS[reason]
    const name = ERROR_BY_REASON[reason]
    expect([reason, name]).toEqual([reason, expect.any(String)])
    const { exchange } = answering(() => refused(reason, status, code))
    const error = await errorOf(() => exchange.fetchOpenOrders())
    expect([error.name, error.reason, error.code, error.status]).toEqual([name, reason, code, status])
    const isNotAvailable = error instanceof ccxt.ExchangeNotAvailable
    expect([reason, [400, 404, 409].includes(status) && isNotAvailable]).toEqual([reason, false])
    expect(error instanceof ccxt.RequestTimeout).toBe(reason === 'OUTCOME_UNKNOWN')
  })

  test('a reason that this release does not know is an error by its status and code', async () => {
    const cases: readonly [number, string, string][] = [
      [400, '4001', 'ExchangeError'],
      [401, '4001', 'AuthenticationError'],
      [400, '4004', 'BadRequest'],
      [429, '0014', 'RateLimitExceeded'],
      [418, '0014', 'DDoSProtection'],
      [503, '0014', 'ExchangeNotAvailable'],
    ]
    for (const [status, code, name] of cases) {
      const { exchange } = answering(() => refused('OF_TOMORROW', status, code))
      const error = await errorOf(() => exchange.fetchOpenOrders())
      expect([status, code, error.name]).toEqual([status, code, name])
    }
  })
})

describe('what the exchange says beside the reason', () => {
  test('a refusal of a number carries the nearest that would pass', async () => {
    const { exchange } = answering(() =>
      refused('QUANTITY_TOO_SMALL', 400, '4001', { nearest: '2', parameter: 'quantity' }),
    )
    const error = await errorOf(() => limitOrder(exchange))
    expect([error.name, error.nearest, error.parameter]).toEqual(['InvalidOrder', '2', 'quantity'])
  })

  test('a rate limit says how many seconds to wait', async () => {
    const { exchange } = answering(() => ({
      ...refused('RATE_LIMITED', 429, '0014'),
      headers: { 'retry-after': '12' },
    }))
    expect((await errorOf(() => exchange.fetchOpenOrders())).retryAfter).toBe(12)
  })
})

describe('a request with an uncertain outcome', () => {
  const outcomes: readonly [string, () => Answer][] = [
    ['the answer OUTCOME_UNKNOWN', () => refused('OUTCOME_UNKNOWN', 503, '0014')],
    ['a proxy that had no answer', () => ({ status: 504, body: '<html>Gateway Timeout</html>' })],
    ['a proxy that lost the server', () => ({ status: 502, body: '<html>Bad Gateway</html>' })],
    ['an answer that is cut off', () => ({ status: 200, body: '{"status":true,"co' })],
    [
      'a lost connection',
      () => {
        throw new TypeError('fetch failed')
      },
    ],
  ]

  test.each(outcomes)(
    '%s: a placement is a RequestTimeout that names the id to look up',
    async (_, answer) => {
      const { exchange } = answering(answer)
      const before = exchange.milliseconds()
      const error = await errorOf(() => limitOrder(exchange))
      expect([error.name, error.clientOrderId]).toEqual(['RequestTimeout', 'mine'])
      expect(error.deadline).toBeGreaterThanOrEqual(before + 5000)
    },
  )

  test.each(outcomes)('%s: a cancel is a RequestTimeout', async (_, answer) => {
    const { exchange } = answering(answer)
    expect((await errorOf(() => exchange.cancelOrder('an-id'))).name).toBe('RequestTimeout')
  })

  test('a body that never ends is a RequestTimeout too', async () => {
    const { exchange } = answering(() => succeeded())
    exchange.timeout = 20
    await exchange.loadMarkets()
    exchange.fetchImplementation = async () =>
      new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))
    expect((await errorOf(() => limitOrder(exchange))).name).toBe('RequestTimeout')
  })

  test('a question that is lost is a NetworkError, and not one about availability', async () => {
    const { exchange } = answering(() => {
      throw new TypeError('fetch failed')
    })
    const error = await errorOf(() => exchange.fetchOpenOrders())
    expect([error.name, error instanceof ccxt.ExchangeNotAvailable]).toEqual(['NetworkError', false])
  })

  test('a request that is tried again goes out under the same client order id, signed anew', async () => {
    let attempts = 0
    const { exchange, requests } = answering(() => {
      attempts += 1
      return attempts < 3
        ? refused('OUTCOME_UNKNOWN', 503, '0014')
        : succeeded({ id: 'placed', status: 'NEW' })
    })
    exchange.options.maxRetriesOnFailure = 2
    const { id } = await exchange.createOrder('BTC/USDT', 'limit', 'buy', 1, 100)
    const names = requests.slice(1).map(({ body }) => new URLSearchParams(body).get('newClientOrderId'))
    expect([id, names.length, new Set(names).size]).toEqual(['placed', 3, 1])
  })
})

describe('a half-done replacement', () => {
  const partly = (cancelResult: string, newOrderResult: string, newOrderResponse: object) =>
    refused('CANCEL_REPLACE_PARTLY_DONE', 409, '4001', {
      data: { cancelResult, newOrderResult, newOrderResponse },
    })

  test('the refusal of the new order is the error where the old one is canceled', async () => {
    const { exchange } = answering(() =>
      partly('SUCCESS', 'FAILURE', { status: false, reason: 'INSUFFICIENT_FUNDS' }),
    )
    const error = await errorOf(() => exchange.editOrder('old', 'BTC/USDT', 'limit', 'buy', 1, 100))
    expect([error.name, error.reason]).toEqual(['InsufficientFunds', 'CANCEL_REPLACE_PARTLY_DONE'])
    expect(error.message).toContain('"cancelResult":"SUCCESS"')
  })

  test('a new order that was placed is returned, and its still open old order is in info', async () => {
    const { exchange } = answering(() =>
      partly('FAILURE', 'SUCCESS', { status: true, data: { id: 'new', status: 'NEW' } }),
    )
    const order = await exchange.editOrder('old', 'BTC/USDT', 'limit', 'buy', 1, 100, {
      cancelReplaceMode: 'ALLOW_FAILURE',
    })
    expect([order.id, order.info.cancelResult]).toEqual(['new', 'FAILURE'])
  })
})
