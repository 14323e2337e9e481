/**
 * docs/reference/extensions.md is checked against the code: its endpoints, its words, and its examples
 * against the answers of a sandbox.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ALL_REASONS } from '../src/contract/reasons/catalogue.ts'
import { SIGNATURE_HINTS } from '../src/contract/signature-hints.ts'
import { CANCEL_CAUSES } from '../src/core/events/event.ts'
import { SYMBOL_STATES } from '../src/units/order-enums.ts'
import { type NodeProcess, startSandbox } from './acceptance/support/node-process.ts'
import {
  marked,
  reference,
  rows,
  section,
  servedEndpoints,
  shapeOf,
  statedEndpoints,
  unstatedFields,
} from './support/reference.ts'

const PAGE = reference('extensions')
/** Candles, lists of orders, timers, and an account's history have pages of their own. */
const PAGES = ['candles', 'orders', 'positions', 'order-changes', 'timers', 'order-lists', 'withdrawals']
const ENDPOINTS = [PAGE, ...PAGES.map(reference)].join('\n')
const EXAMPLES = marked(PAGE, 'answer')

test('extensions.md, candles.md, orders.md, positions.md, order-changes.md, timers.md, order-lists.md and withdrawals.md state every endpoint beside the contract with its security and weight, and no other', () =>
  expect(statedEndpoints(ENDPOINTS).toSorted()).toEqual(servedEndpoints(true).toSorted()))

test('the endpoints of the contract are the nine that it was published with', () =>
  expect(new Set(servedEndpoints(false).map(([endpoint]) => endpoint))).toEqual(
    new Set([
      'GET /api/v3/exchangeInfo',
      'GET /api/v3/depth',
      'GET /api/v3/trades',
      'POST /api/v3/order',
      'DELETE /api/v3/order',
      'GET /api/v3/order/active',
      'GET /api/v3/order/trade/history',
      // With `code` and without: two endpoints.
      'GET /api/v3/wallet/balance',
    ]),
  ))

test('every word in capitals that extensions.md names is a reason, or a value in one of its examples', () => {
  const values = [...EXAMPLES.values()].join()
  const known = [
    ...Object.keys(ALL_REASONS),
    ...Object.keys(SIGNATURE_HINTS),
    ...SYMBOL_STATES,
    ...CANCEL_CAUSES,
  ]
  for (const [, word = ''] of PAGE.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)) {
    expect([word, known.includes(word) || values.includes(`"${word}"`)]).toEqual([word, true])
  }
})

test('every field of an example in extensions.md is in the tables above it', () =>
  expect(unstatedFields(PAGE)).toEqual([]))

test('extensions.md has every hint of a signature check once, with its text, and no other', () => {
  const hints = Object.entries(SIGNATURE_HINTS)
  const documented = rows(section(PAGE, 'Signature check')).filter(([word = '']) => /^[A-Z]/.test(word))
  expect(documented).toEqual(hints.map(([hint, { en }]) => [hint, en]))
})

describe('a sandbox', () => {
  let node: NodeProcess
  beforeAll(async () => {
    node = await startSandbox()
  })
  afterAll(() => node.stop())

  test('answers in the shape of every example in extensions.md', async () => {
    const ask = async (path: string, fields = {}) =>
      JSON.parse((await node.alice.request('GET', `/api/v3/${path}`, fields)).text)
    const symbol = { symbol: 'BTC/USDT' }
    const wrong = { headers: { 'X-Signature': 'a'.repeat(64) } }
    const order = { ...symbol, type: 'LIMIT', quantity: '0.5' }
    await node.alice.place({ ...order, side: 'SELL', price: '60000.5' })
    await node.bob.place({ ...order, side: 'BUY', price: '60000.5', quantity: '0.2' })
    const resting = await node.bob.place({ ...order, side: 'BUY', price: '59990' })
    const answers: Record<string, unknown> = {
      ping: await ask('ping'),
      time: await ask('time'),
      symbolRules: await ask('exchangeInfo/rules', symbol),
      priceTicker: await ask('ticker/price', symbol),
      bookTicker: await ask('ticker/bookTicker', symbol),
      orderTest: JSON.parse(
        (
          await node.bob.request('POST', '/api/v3/order/test', {
            ...order,
            side: 'BUY',
            price: '60000.5',
            test: 'true',
          })
        ).text,
      ),
      orderBatch: JSON.parse(
        (
          await node.bob.request('POST', '/api/v3/order/batch', {
            operations: JSON.stringify([
              { method: 'DELETE', id: resting.id },
              { method: 'DELETE', id: '01a0c450-6c7b-7100-8000-000000000001' },
            ]),
          })
        ).text,
      ),
      accountCommission: await ask('account/commission', symbol),
      accountLimits: await ask('account/limits', symbol),
      historicalTrades: await ask('historicalTrades', symbol),
      aggTrades: await ask('aggTrades', symbol),
      signatureCheck: JSON.parse(
        (await node.alice.request('POST', '/api/v3/signature/check', symbol, wrong)).text,
      ),
    }
    expect([...EXAMPLES.keys()].toSorted()).toEqual(Object.keys(answers).toSorted())
    for (const [name, text] of EXAMPLES) {
      expect([name, shapeOf(JSON.parse(text))]).toEqual([name, shapeOf(answers[name])])
    }
  })
})
