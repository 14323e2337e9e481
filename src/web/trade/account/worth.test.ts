import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Decimal } from '../../../client/decimal.ts'
import type { Balance } from '../../../client/interface/messages.ts'
import {
  countHeld,
  holdingsOf,
  isSmall,
  isZero,
  marketOf,
  PriceTable,
  unitsOf,
  valuePlaces,
} from './worth.ts'

function balance(asset: string, fields: Partial<Balance> = {}): Balance {
  return { asset, free: '0', locked: '0', freeze: '0', savings: '0', ...fields }
}

const PRICES = new PriceTable([
  { symbol: 'BTC/USDT', price: '60000.5', time: 0 },
  { symbol: 'ETH/BTC', price: '0.05', time: 0 },
  { symbol: 'USDT/TRY', price: '40', time: 0 },
  { symbol: 'NEW/USDT', time: 0 },
])

describe('what balances are worth', () => {
  test('is exact by the market of the two assets, and by way of a third one', () => {
    const held = [
      balance('USDT', { free: '1.5', locked: '0.25' }),
      balance('BTC', { free: '0.1', locked: '0.2', freeze: '0.3', savings: '0.00000001' }),
      balance('ETH', { savings: '2' }),
    ]
    const { rows, total } = holdingsOf(held, 'USDT', PRICES)
    expect(rows.map(({ worth }) => worth?.value.toString())).toEqual(['1.75', '36000.300600005', '6000.05'])
    expect([total.value.toString(), total.isRounded]).toEqual(['42002.100600005', false])
  })

  test('is rounded down where it needs a division, and says so', () => {
    const { rows, total } = holdingsOf([balance('TRY', { free: '100' })], 'USDT', PRICES)
    expect(rows[0]?.worth).toEqual({ value: Decimal.from('2.5'), isRounded: true })
    expect(total.isRounded).toBe(true)
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        fc.integer({ min: 1, max: 10 ** 9 }),
        (units, price) => {
          const table = new PriceTable([{ symbol: 'A/B', price: String(price), time: 0 }])
          const value = table.worth(Decimal.from(units), 'B', 'A')?.value ?? Decimal.from('-1')
          expect(value.times(String(price)).compare(units)).not.toBe(1)
          expect(value.plus('0.00000001').times(String(price)).compare(units)).toBe(1)
        },
      ),
    )
  })

  test('is unknown without a market, and is then in no sum', () => {
    const found = holdingsOf(
      [balance('NEW', { free: '5' }), balance('GONE'), balance('USDT', { free: '1' })],
      'USDT',
      PRICES,
    )
    expect([found.unknown, found.total.value.toString()]).toEqual([['NEW'], '1'])
    expect(found.rows.map((row) => isSmall(row, found))).toEqual([false, true, false])
  })

  test('is small below a thousandth of the whole', () => {
    const held = [balance('USDT', { free: '60000.5' }), balance('BTC', { free: '0.00099' })]
    const found = holdingsOf(held, 'USDT', PRICES)
    expect(found.rows.map((row) => isSmall(row, found))).toEqual([false, true])
  })

  test('is shown in an asset that prices are in, with two decimals, or more where all of its prices have more', () => {
    const markets = [
      { quoteCode: 'USDT', quoteFraction: 8 },
      { quoteCode: 'BTC', quoteFraction: 6 },
      { quoteCode: 'USDT', quoteFraction: 2 },
      { quoteCode: 'JPY', quoteFraction: 0 },
    ]
    const units = unitsOf(markets)
    expect(units).toEqual(['USDT', 'BTC', 'JPY'])
    expect([...units, 'GONE'].map((unit) => valuePlaces(unit, markets))).toEqual([2, 6, 2, 2])
  })

  test('counts an asset with zero everywhere as not held', () => {
    const held = [balance('A'), balance('B', { savings: '0.1' }), balance('C', { locked: '1' })]
    expect(countHeld(held)).toBe(2)
    expect(holdingsOf(held, 'USDT', PRICES).rows.map(isZero)).toEqual([true, false, false])
  })

  test('of an asset uses the market of the page’s quote asset, else any', () => {
    const symbols = ['ETH/BTC', 'ETH/USDT', 'BTC/USDT', 'USDT/TRY']
    const found = ['ETH', 'BTC', 'TRY', 'XYZ'].map((asset) => marketOf(asset, 'USDT', symbols))
    expect(found).toEqual(['ETH/USDT', 'BTC/USDT', 'USDT/TRY', undefined])
  })
})
