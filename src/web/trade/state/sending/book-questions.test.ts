import { expect, test } from 'bun:test'
import type { NewOrderParameters } from '../../../../client/interface/parameters.ts'
import { bookQuestions } from './book-questions.ts'

const CODES = { baseCode: 'BTC', quoteCode: 'USDT' }
const ASKS = [
  { price: '100.00', quantity: '1.0' },
  { price: '101.00', quantity: '2.0' },
  { price: '110.00', quantity: '1.0' },
]
const BUY = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', price: '101', quantity: '1' } as const

const asked = (order: Partial<NewOrderParameters>, own: readonly string[] = [], levels = ASKS) =>
  bookQuestions(
    { ...BUY, ...order } as NewOrderParameters,
    { levels: () => levels, own: own.map((price) => ({ price })) },
    CODES,
  )

const market = (amount: Partial<NewOrderParameters>) =>
  asked({ type: 'MARKET', price: undefined, quantity: undefined, ...amount })

test('an order that would meet own orders needs confirmation with how many and the worst price, and one that ends before them does not', () => {
  expect(asked({ quantity: '2' }, ['101', '110'])).toEqual([
    { kind: 'OWN_ORDERS', count: 1, worst: '101.00' },
  ])
  expect(asked({ quantity: '1' }, ['101'])).toEqual([])
  expect(asked({ price: '99' }, ['100'])).toEqual([])
  expect(asked({ quantity: '1' }, ['100', '100'])).toMatchObject([{ count: 2, worst: '100.00' }])
  expect(asked({ type: 'LIMIT_MAKER' }, ['100'])).toEqual([])
  expect(asked({ type: 'STOP_LOSS_LIMIT', stopPrice: '100' }, ['100'])).toEqual([])
})

test('an order that cannot be filled at once needs confirmation with the available quantity and the worst price', () => {
  expect(market({ quantity: '4' })).toEqual([])
  expect(market({ quantity: '5' })).toEqual([
    { kind: 'NOT_FILLABLE', filled: '4', wanted: '5', code: 'BTC', worst: '110.00', percent: '20' },
  ])
  expect(market({ total: '412' })).toEqual([])
  expect(market({ total: '412.01' })).toMatchObject([{ filled: '412', wanted: '412.01', code: 'USDT' }])
  for (const timeInForce of ['IOC', 'FOK'] as const)
    expect(asked({ timeInForce, quantity: '4' })).toMatchObject([{ filled: '3', worst: '101.00' }])
  expect(asked({ quantity: '4' })).toEqual([])
  expect(asked({ timeInForce: 'IOC' }, [], [])).toMatchObject([
    { filled: '0', worst: undefined, percent: '100' },
  ])
})

test('a sale takes the bids from the highest down', () => {
  const bids = [
    { price: '99', quantity: '1' },
    { price: '98', quantity: '1' },
  ]
  const sale = { side: 'SELL', price: '98', quantity: '3', timeInForce: 'IOC' } as const
  expect(asked(sale, ['98', '97'], bids)).toEqual([
    { kind: 'OWN_ORDERS', count: 1, worst: '98' },
    { kind: 'NOT_FILLABLE', filled: '2', wanted: '3', code: 'BTC', worst: '98', percent: '33.34' },
  ])
})
