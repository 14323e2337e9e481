import { afterEach, expect, test } from 'bun:test'
import type { Order } from '../../../client/interface/orders.ts'
import { showLanguage } from '../../shared/texts/texts.ts'
import { leftOf, type OrderFigures, orderPhrase } from './order-phrase.ts'

const SELL: OrderFigures = { symbol: 'BTC/USDT', side: 'SELL', type: 'LIMIT', quantity: '0.5' }

const ORDER: Order = {
  id: 'order-1',
  symbol: 'BTC/USDT',
  side: 'BUY',
  type: 'LIMIT',
  price: '100',
  quantity: '2',
  executedQuantity: '0.5',
  executedTotal: '50',
  commission: '0',
  commissionAsset: 'BTC',
  status: 'PARTIALLY_FILLED',
  createdAt: 1,
  updatedAt: 2,
}

afterEach(() => showLanguage('en'))

test.each<readonly [OrderFigures, string, string]>([
  [
    { ...SELL, side: 'BUY', quantity: '1234.50', price: '59389.75' },
    'buy 1\u202f234.50 BTC at 59\u202f389.75 USDT',
    '59\u202f389.75 USDT fiyattan 1\u202f234.50 BTC alış',
  ],
  [
    { ...SELL, type: 'LIMIT_MAKER', price: '7' },
    'sell 0.5 BTC at 7 USDT, post only',
    '7 USDT fiyattan 0.5 BTC satış, post only',
  ],
  [
    { ...SELL, type: 'STOP_LOSS', trailingDelta: 150 },
    'sell 0.5 BTC at market, trails by 1.5%',
    'piyasa fiyatından 0.5 BTC satış, %1.5 mesafeden takip',
  ],
  [
    { ...SELL, type: 'STOP_LOSS_LIMIT', price: '7', stopPrice: '8', trailingDelta: 10 },
    'sell 0.5 BTC at 7 USDT, trails by 0.1% from 8 USDT',
    '7 USDT fiyattan 0.5 BTC satış, 8 USDT fiyatından sonra %0.1 mesafeden takip',
  ],
  [{ ...SELL, type: 'MARKET' }, 'sell 0.5 BTC at market', 'piyasa fiyatından 0.5 BTC satış'],
  [
    { ...SELL, side: 'BUY', type: 'MARKET', quantity: undefined, total: '20000' },
    'buy BTC for 20\u202f000 USDT at market',
    'piyasa fiyatından 20\u202f000 USDT tutarında BTC alış',
  ],
  [
    { ...SELL, type: 'STOP_LOSS', stopPrice: '58' },
    'sell 0.5 BTC at market, stop 58 USDT',
    'piyasa fiyatından 0.5 BTC satış, stop 58 USDT',
  ],
  [
    { ...SELL, type: 'STOP_LOSS_LIMIT', stopPrice: '58', price: '57' },
    'sell 0.5 BTC at 57 USDT, stop 58 USDT',
    '57 USDT fiyattan 0.5 BTC satış, stop 58 USDT',
  ],
  [
    { ...SELL, type: 'TAKE_PROFIT_LIMIT', stopPrice: '70', price: '69' },
    'sell 0.5 BTC at 69 USDT, take profit 70 USDT',
    '69 USDT fiyattan 0.5 BTC satış, kâr al 70 USDT',
  ],
  [
    { ...SELL, type: 'TAKE_PROFIT', quantity: undefined, stopPrice: '70' },
    'sell the entry’s filled quantity of BTC at market, take profit 70 USDT',
    'piyasa fiyatından girişin gerçekleşen miktarı kadar BTC satış, kâr al 70 USDT',
  ],
])('an order of %j is said in the words of traders in both languages', async (order, english, turkish) => {
  expect(orderPhrase(order)).toBe(english)
  await showLanguage('tr')
  expect(orderPhrase(order)).toBe(turkish)
})

test('the remainder of an order excludes what was executed and what self-trade prevention took off', () => {
  expect(leftOf(ORDER)).toBe('1.5')
  expect(leftOf({ ...ORDER, preventedQuantity: '0.25' })).toBe('1.25')
  const { quantity: _, ...byTotal } = ORDER
  expect(leftOf({ ...byTotal, total: '10' })).toBeUndefined()
})
