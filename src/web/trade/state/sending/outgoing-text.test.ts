import { expect, test } from 'bun:test'
import { BourseError, RefusedError } from '../../../../client/errors.ts'
import type { ErrorBody, Replacement } from '../../../../client/interface/orders.ts'
import type { Subject } from './outgoing.ts'
import { neverText, placedText, refusedText } from './outgoing-text.ts'

const LIMIT = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '100' } as const
const STOP = {
  symbol: 'BTC/USDT',
  side: 'BUY',
  type: 'STOP_LOSS',
  quantity: '0.1',
  stopPrice: '120',
} as const
const ORDER: Subject = { kind: 'ORDER', order: LIMIT }
const LIST: Subject = { kind: 'LIST', list: 'OCO', orders: [LIMIT, STOP] }
const REPLACEMENT: Subject = { kind: 'REPLACEMENT', before: LIMIT, order: { ...LIMIT, price: '99.5' } }

function refusal(
  outcome: 'NOT_DONE' | 'PARTLY_DONE',
  messages: readonly string[],
  replacement?: Replacement,
) {
  const said = { reason: 'INSUFFICIENT_FUNDS', status: 400, code: '4001', messages, replacement } as const
  return new RefusedError(said, { outcome })
}

test('an order that was placed, and one that never will be, is named by its figures', () => {
  expect([ORDER, LIST, REPLACEMENT].map(placedText)).toEqual([
    'Placed: buy 0.1 BTC at 100 USDT',
    'Placed, OCO: buy 0.1 BTC at 100 USDT · buy 0.1 BTC at market, stop 120 USDT',
    'Edited: buy 0.1 BTC at 99.5 USDT (before: buy 0.1 BTC at 100 USDT)',
  ])
  expect([ORDER, REPLACEMENT].map(neverText)).toEqual([
    'Not placed, and never will be: buy 0.1 BTC at 100 USDT',
    'Not edited, and never will be: buy 0.1 BTC at 100 USDT',
  ])
})

test('a refusal says which order it is about, and why', () => {
  const error = refusal('NOT_DONE', ['The balance is too small.'])
  expect([ORDER, REPLACEMENT].map((subject) => refusedText(subject, error))).toEqual([
    'Not placed: buy 0.1 BTC at 100 USDT. Insufficient balance.',
    'Not edited: buy 0.1 BTC at 100 USDT. Insufficient balance.',
  ])
})

test('a replacement that was half done says that the old order is canceled, why there is no new one, and what to do', () => {
  const why: ErrorBody = {
    status: false,
    code: '4001',
    msg: ['The order would trade at once.'],
    reason: 'LIMIT_MAKER_WOULD_TAKE',
  }
  const half = refusal('PARTLY_DONE', ['Only one of the two was done.'], {
    cancelResult: 'SUCCESS',
    newOrderResult: 'FAILURE',
    cancelResponse: { status: true, code: '0000', msg: [] },
    newOrderResponse: why,
  })
  expect(refusedText(REPLACEMENT, half)).toBe(
    'Canceled, and not placed again: buy 0.1 BTC at 100 USDT. The new order was refused: Post only: at this price the order would trade at once. Neither is open now: place a new order if you still want one.',
  )
  const lost = new BourseError('NO_ANSWER', 'none came', { outcome: 'PARTLY_DONE' })
  expect(refusedText(REPLACEMENT, lost)).toBe(
    'Canceled, and not placed again: buy 0.1 BTC at 100 USDT. Neither order is open now: place a new one if you still want it.',
  )
})
