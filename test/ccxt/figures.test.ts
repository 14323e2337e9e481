/** Quotients that ccxt shows are computed from exact sums, never from a figure that the exchange rounded. */
import { expect, test } from 'bun:test'
import { offline, RULES, succeeded } from './support/exchange.ts'

const answering = (path: string, data: unknown) =>
  offline(({ url }) => (url.includes(path) ? succeeded(data) : RULES)).exchange

test('the average of an order is its total divided by its quantity, and not the average in the answer', async () => {
  const filled = { executedQuantity: '3', executedTotal: '100', averagePrice: '33.33333333' }
  const order = { id: 'a', symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '3', price: '40' }
  const exchange = answering('/order', { ...order, ...filled, status: 'FILLED' })
  const shown = await exchange.fetchOrder('a', 'BTC/USDT')
  expect([shown.average, shown.cost, shown.filled]).toEqual([100 / 3, 100, 3])
})

test('an order of which nothing was executed has no average', async () => {
  const open = { id: 'a', symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '3', price: '40' }
  const exchange = answering('/order', { ...open, executedQuantity: '0', executedTotal: '0', status: 'NEW' })
  expect((await exchange.fetchOrder('a', 'BTC/USDT')).average).toBeUndefined()
})

test('the average of a day is its total divided by its quantity, and there is none for a day without trades', async () => {
  const day = { symbol: 'BTC/USDT', volume: '3', quoteVolume: '100', weightedAvgPrice: '33.33333333' }
  expect((await answering('/ticker', day).fetchTicker('BTC/USDT')).vwap).toBe(100 / 3)
  const empty = { symbol: 'BTC/USDT', volume: '0', quoteVolume: '0' }
  expect((await answering('/ticker', empty).fetchTicker('BTC/USDT')).vwap).toBeUndefined()
})
