import { expect, test } from 'bun:test'
import type { NewOrderParameters } from '../../../client/interface/parameters.ts'
import { type QuestionLimits, questionsOf, USUAL_LIMITS } from './questions.ts'

const BUY = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', price: '105', quantity: '1' } as const
const AROUND = { bestBid: '99', bestAsk: '100', free: '1000' }

test('an order of a market that is not looked at is always asked about, since there is nothing to measure it by', () => {
  expect(questionsOf(BUY, undefined, { pricePercent: '', balancePercent: '', value: '' })).toEqual([
    'OTHER_MARKET',
  ])
})

const asked = (order: Partial<NewOrderParameters>, limits: Partial<QuestionLimits> = {}, around = {}) =>
  questionsOf({ ...BUY, ...order }, { ...AROUND, ...around }, { ...USUAL_LIMITS, ...limits })

test('an order at the edge of every limit is not asked about, and one beyond it is', () => {
  expect(asked({})).toEqual([])
  expect(asked({ price: '105.01' })).toEqual(['PRICE_FAR'])
  expect(asked({ price: '100', quantity: '5' })).toEqual([])
  expect(asked({ price: '100', quantity: '5.0001' })).toEqual(['SHARE_LARGE'])
  expect(asked({}, { value: '105' })).toEqual([])
  expect(asked({}, { value: '104.99' })).toEqual(['VALUE_LARGE'])
})

test('a sale is measured by the best bid and by what is free of the base asset', () => {
  const sale = { side: 'SELL', price: '94.05' } as const
  expect(asked(sale, {}, { free: '2' })).toEqual([])
  expect(asked({ ...sale, price: '94.04' }, {}, { free: '2' })).toEqual(['PRICE_FAR'])
  expect(asked(sale, {}, { free: '1.9' })).toEqual(['SHARE_LARGE'])
})

test('a limit that cannot be read is one that every order is beyond, and an empty one is none', () => {
  const order = { price: '100.01', quantity: '0.001' }
  const limits = { pricePercent: '5,0', balancePercent: 'half', value: '1.000,00' }
  expect(asked(order, limits)).toEqual(['PRICE_FAR', 'SHARE_LARGE', 'VALUE_LARGE'])
  expect(asked({ quantity: '9' }, { pricePercent: '', balancePercent: '', value: '' })).toEqual([])
})

test('where nobody trades and a sum is set, what an order without a price is worth is asked about', () => {
  const market = { type: 'MARKET', side: 'SELL', price: undefined } as const
  expect(asked(market, { value: '10' }, { bestBid: undefined })).toEqual(['NO_BEST_PRICE'])
  expect(asked(market, {}, { bestBid: undefined })).toEqual([])
})
