/**
 * The bodies field by field: with or without the envelope, as numbers or strings, and in which order
 * (docs/reference/http.md#answers).
 */
import { expect, test } from 'bun:test'
import type { OrderNumber, Uuid } from '../../units/ids.ts'
import { amount, decimals, lots, price, rate, timeMs, UNITS_MAX } from '../../units/quantities.ts'
import { isoTime } from '../time.ts'
import { exchangeInfoBody } from './exchange-info.ts'
import { openOrderJson, orderCanceledBody, orderCreatedBody } from './orders.ts'
import { tradeHistoryBody } from './trade-history.ts'
import { type AssetAccount, assetAccountsJson, assetFreeBody, WALLET_END, walletHead } from './wallet.ts'

const ID = '01a0c450-6c05-7100-8000-000000000001' as Uuid
const TIME = timeMs(1_790_000_000_005)
const SYMBOL = {
  name: 'BTC/USDT',
  baseCode: 'BTC',
  quoteCode: 'USDT',
  takerRate: rate(100_000),
  baseFraction: decimals(8),
  quoteFraction: decimals(2),
  quotePrecision: decimals(8),
}
const ORDER = {
  id: ID,
  orderNumber: 1 as OrderNumber,
  side: 'SELL',
  price: price(6_000_010),
  quantity: lots(1),
  total: amount(60_000n),
  time: TIME,
} as const

test('times have milliseconds and the offset +00:00', () => {
  expect(isoTime(timeMs(0))).toBe('1970-01-01T00:00:00.000+00:00')
  expect(isoTime(TIME)).toBe('2026-09-21T14:13:20.005+00:00')
})

test('exchange information is bare, with numbers for commission and decimals', () => {
  expect(exchangeInfoBody([SYMBOL])).toBe(
    '{"symbols":[{"symbol":"BTC/USDT","baseAssetCode":"BTC","quoteAssetCode":"USDT","commission":0.001,"baseFraction":8,"quoteFraction":2}]}',
  )
  expect(exchangeInfoBody([])).toBe('{"symbols":[]}')
})

test('the smallest commission is written without an exponent', () => {
  expect(exchangeInfoBody([{ ...SYMBOL, takerRate: rate(1) }])).toContain('"commission":0.00000001,')
  expect(exchangeInfoBody([{ ...SYMBOL, takerRate: rate(0) }])).toContain('"commission":0,')
})

test('a created order is enveloped and has numbers in plain notation, however small or large', () => {
  expect(orderCreatedBody(ORDER, SYMBOL, 'en')).toBe(
    '{"status":true,"code":"0000","msg":["The order has been placed."],"data":' +
      `{"id":"${ID}","symbol":"BTC/USDT","side":"SELL","price":60000.1,"qty":0.00000001,"total":0.0006,` +
      '"created_at":"2026-09-21T14:13:20.005+00:00","side_name":"Sell"}}',
  )
  const large = { ...ORDER, quantity: lots(UNITS_MAX), price: price(UNITS_MAX), total: amount(2n ** 127n) }
  const body = orderCreatedBody(large, SYMBOL, 'tr')
  expect(body).toContain('"price":90071992547409.91,"qty":90071992.54740991,')
  expect(body).toContain('"total":1701411834604692317316873037158.84105728,')
  expect(body).toContain('"side_name":"Satış"')
})

test('a canceled order is the envelope without data', () => {
  expect(orderCanceledBody('en')).toBe('{"status":true,"code":"0000","msg":["The order has been canceled."]}')
})

test('an open order has strings for all its figures', () => {
  expect(openOrderJson({ ...ORDER, executedQuantity: lots(0) }, SYMBOL)).toBe(
    `{"id":"${ID}","symbol":"BTC/USDT","side":"SELL","price":"60000.1","qty":"0.00000001","execQty":"0",` +
      '"total":"0.0006","createdAt":"2026-09-21T14:13:20.005+00:00"}',
  )
})

test('trade history is bare: items with strings, and a wrapper with integers', () => {
  const item = {
    ...ORDER,
    number: 3,
    orderId: ID,
    symbol: SYMBOL,
    commission: amount(7n),
    commissionAsset: { code: 'USDT', fraction: decimals(8) },
  }
  expect(tradeHistoryBody({ items: [item], page: 1, size: 2, total: 5 }, 'tr')).toBe(
    `{"items":[{"id":"${ID}","orderId":"${ID}","tradeAt":"2026-09-21T14:13:20.005+00:00","symbol":"BTC/USDT",` +
      '"side":"SELL","sideName":"Satış","price":"60000.1","quantity":"0.00000001","total":"0.0006",' +
      '"commission":"0.00000007","commissionAssetCode":"USDT"}],"page":1,"size":2,"total_pages":3,"total":5}',
  )
  expect(tradeHistoryBody({ items: [], page: 0, size: 100, total: 0 }, 'en')).toBe(
    '{"items":[],"page":0,"size":100,"total_pages":0,"total":0}',
  )
})

const ASSET = {
  code: 'TRY',
  name: 'Türk "Lirası"',
  fraction: decimals(2),
  free: amount(12_345n),
  freeze: amount(1n),
  locked: amount(200n),
  savings: amount(30n),
  isDeposit: true,
  isWithdraw: true,
  isTrade: false,
  isSaving: false,
}

const walletBody = (asset: AssetAccount, mayTransfer: boolean) =>
  walletHead(mayTransfer, 'en') + assetAccountsJson([asset], mayTransfer) + WALLET_END

test('the wallet has one account, Spot, with every documented field', () => {
  expect(walletBody(ASSET, true)).toBe(
    '{"status":true,"code":"0000","msg":["The balance has been read."],"data":{"acc":{"Spot":{"walletCode":"SPOT",' +
      '"transfer":1,"assetAccs":[{"asset":"TRY","name":"Türk \\"Lirası\\"","free":"123.45","freeze":"0.01",' +
      '"locked":"2","savings":"0.3","freeTransfer":"123.45","freezeTransfer":"0","lockedTransfer":"0",' +
      '"savingsTransfer":"0","isDeposit":true,"isWithdraw":true,"isTrade":false,"isSaving":false}]}}}}',
  )
})

test('what may not be withdrawn may not be transferred', () => {
  expect(walletBody({ ...ASSET, isWithdraw: false }, true)).toContain('"freeTransfer":"0"')
  const restricted = walletBody(ASSET, false)
  expect(restricted).toContain('"freeTransfer":"0"')
  expect(restricted).toContain('"transfer":0')
})

test('the answer for one asset has free alone', () => {
  expect(assetFreeBody(ASSET, 'en')).toBe(
    '{"status":true,"code":"0000","msg":["The balance has been read."],"data":{"free":"123.45"}}',
  )
})
