import { describe, expect, test } from 'bun:test'
import type { NewOrderParameters } from '../../../../client/interface/parameters.ts'
import {
  isWorse,
  marketQuestions,
  type Question,
  type QuestionLimits,
  questionsOf,
  USUAL_LIMITS,
} from './questions.ts'

const BUY = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', price: '105', quantity: '1' } as const
const AROUND = {
  ...{ baseCode: 'BTC', quoteCode: 'USDT' },
  ...{ bestBid: '99.00', bestAsk: '100.00', last: '98.00', free: '1000' },
}
const NO_LIMITS = { pricePercent: '', balancePercent: '', value: '' }

const asked = (order: Partial<NewOrderParameters>, limits: Partial<QuestionLimits> = {}, around = {}) =>
  questionsOf({ ...BUY, ...order }, { ...AROUND, ...around }, { ...USUAL_LIMITS, ...limits })
const kinds = (...order: Parameters<typeof asked>) => asked(...order).map(({ kind }) => kind)

test('an order of a market that is not open always needs confirmation, since there is nothing to measure it by', () => {
  expect(questionsOf(BUY, undefined, NO_LIMITS)).toEqual([{ kind: 'OTHER_MARKET', symbol: 'BTC/USDT' }])
})

test('an order at the edge of every limit needs no confirmation, and one beyond it does', () => {
  expect(kinds({})).toEqual([])
  expect(kinds({ price: '105.01' })).toEqual(['PRICE_FAR'])
  expect(kinds({ price: '100', quantity: '5' })).toEqual([])
  expect(kinds({ price: '100', quantity: '5.0001' })).toEqual(['SHARE_LARGE'])
  expect(kinds({}, { value: '105' })).toEqual([])
  expect(kinds({}, { value: '104.99' })).toEqual(['VALUE_LARGE'])
})

test('a question has the exact figures that it is about, and shares of them rounded up to hundredths', () => {
  const order = { price: '107.2501', quantity: '6' }
  const [far, share, value] = asked(order, { value: '640' })
  expect(far).toEqual({
    ...{ kind: 'PRICE_FAR', side: 'BUY', price: '107.2501', percent: '7.26' },
    ...{ measure: 'BEST_ASK', measured: '100', limit: '5' },
  })
  expect(share).toEqual({ kind: 'SHARE_LARGE', percent: '64.36', free: '1000', code: 'USDT', limit: '50' })
  expect(value).toMatchObject({ kind: 'VALUE_LARGE', value: '643.5006', code: 'USDT', limit: '640' })
})

test('a sale is measured by the best bid and by what is free of the base asset', () => {
  const sale = { side: 'SELL', price: '94.05' } as const
  expect(kinds(sale, {}, { free: '2' })).toEqual([])
  expect(asked({ ...sale, price: '94.04' }, {}, { free: '2' })).toMatchObject([
    { kind: 'PRICE_FAR', side: 'SELL', measure: 'BEST_BID', measured: '99', percent: '5.02' },
  ])
  expect(asked(sale, {}, { free: '1.9' })).toMatchObject([{ kind: 'SHARE_LARGE', code: 'BTC' }])
  expect(asked(sale, {}, { free: '0' })).toEqual([{ kind: 'NOTHING_FREE', given: '1', code: 'BTC' }])
})

test('a price is compared with the nearest available one: the other side, the own one, the last trade; without any it needs confirmation', () => {
  const [price, beyond] = [{ price: '105' }, { price: '110' }]
  const noAsk = { bestAsk: undefined }
  const empty = { ...noAsk, bestBid: undefined }
  const first = [{ bestAsk: '104' }, noAsk, empty]
  expect(first.map((around) => asked(beyond, {}, around)[0])).toMatchObject([
    { measure: 'BEST_ASK', measured: '104' },
    { measure: 'BEST_BID', measured: '99' },
    { measure: 'LAST', measured: '98' },
  ])
  expect(asked({ ...price, price: '99' }, {}, noAsk)).toEqual([])
  expect(asked(price, {}, { ...empty, last: undefined })).toEqual([{ kind: 'PRICE_ALONE', price: '105' }])
  expect(asked(price, { pricePercent: '' }, { ...empty, last: undefined })).toEqual([])
  const sale = { side: 'SELL', price: '90', quantity: '1' } as const
  expect(asked(sale, {}, { bestBid: undefined })).toMatchObject([{ measure: 'BEST_ASK' }])
})

test('an order that waits for a stop price is compared with that price', () => {
  const stop = { type: 'STOP_LOSS_LIMIT', stopPrice: '200' } as const
  expect(asked({ ...stop, price: '210', quantity: '0.1' })).toEqual([])
  expect(asked({ ...stop, price: '211', quantity: '0.1' })).toMatchObject([{ measure: 'STOP_PRICE' }])
})

test('an order with a stop price and a limit is worth what it costs at its limit, and one without a limit what it costs at its stop price', () => {
  const stop = { type: 'STOP_LOSS_LIMIT', stopPrice: '100', price: '104', quantity: '1' } as const
  const worth = (order: Partial<NewOrderParameters>) =>
    asked(order, { value: '90', pricePercent: '', balancePercent: '' })
  expect(worth(stop)).toMatchObject([{ kind: 'VALUE_LARGE', value: '104' }])
  expect(worth({ ...stop, type: 'STOP_LOSS', price: undefined })).toMatchObject([{ value: '100' }])
  expect(asked({ ...stop, quantity: '5' }, { pricePercent: '' })).toMatchObject([
    { kind: 'SHARE_LARGE', percent: '52' },
  ])
})

test('an unreadable limit counts as exceeded by every order, and an empty one as none', () => {
  const order = { price: '100.01', quantity: '0.001' }
  for (const limits of [{ pricePercent: '5,0' }, { balancePercent: 'half' }, { value: '1.000,00' }])
    expect(kinds(order, limits)).toEqual(['LIMIT_UNREADABLE'])
  expect(kinds({ quantity: '9' }, NO_LIMITS)).toEqual([])
})

test('a market order needs confirmation where its average price is far from the best one, or not known', () => {
  const at = (average: string | undefined, pricePercent = '5', around = AROUND) =>
    marketQuestions('BUY', average, around, { ...USUAL_LIMITS, pricePercent })
  expect(at('105')).toEqual([])
  expect(at('105.001')).toEqual([
    { kind: 'AVERAGE_FAR', side: 'BUY', average: '105.001', percent: '5.01', best: '100', limit: '5' },
  ])
  expect(at(undefined)).toEqual([{ kind: 'AVERAGE_UNKNOWN' }])
  expect([at(undefined, ''), at('200', '')]).toEqual([[], []])
})

test('where there are no prices and a sum is set, an order without a price needs confirmation of its value', () => {
  const market = { type: 'MARKET', side: 'SELL', price: undefined } as const
  expect(kinds(market, { value: '10' }, { bestBid: undefined })).toEqual(['VALUE_UNKNOWN'])
  expect(kinds(market, {}, { bestBid: undefined })).toEqual([])
})

describe('the question has become worse', () => {
  const far = (percent: string): Question => ({
    ...{
      kind: 'PRICE_FAR',
      side: 'BUY',
      price: '110',
      percent,
      measure: 'BEST_ASK',
      measured: '100',
      limit: '5',
    },
  })
  const large: Question = { kind: 'SHARE_LARGE', percent: '60', free: '1', code: 'BTC', limit: '50' }

  test('where a new question has come up, or a figure is further by more than one percent', () => {
    expect(isWorse([far('6')], [])).toBe(true)
    expect(isWorse([far('6'), large], [far('6')])).toBe(true)
    expect(isWorse([far('6'), far('6')], [far('6')])).toBe(true)
    expect(isWorse([far('7.01')], [far('6')])).toBe(true)
  })

  test('not where it is the same, less, or nothing any more', () => {
    expect(isWorse([far('7')], [far('6')])).toBe(false)
    expect(isWorse([far('5.5')], [far('6'), large])).toBe(false)
    expect(isWorse([], [far('6')])).toBe(false)
  })
})
