import { expect, test } from 'bun:test'
import {
  amount,
  DECIMALS_MAX,
  type Decimals,
  decimals,
  type Lots,
  type Price,
} from '../../../units/quantities.ts'
import { openAdminFixture } from '../admin.fixture.ts'
import { orderSizes, QUANTITY_DECIMALS_MAX, requireReachable, requireWholeUnit } from './order-sizes.ts'

const NO_LOTS = 0 as Lots
const NO_PRICE = 0 as Price

function refusalOf(work: () => void): string {
  try {
    work()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test('whatever decimals are taken, an order of one whole unit can be placed, and any more are refused', () => {
  for (let places = 0; places <= DECIMALS_MAX; places++) {
    const fraction = decimals(places)
    const { quantityMax } = orderSizes({
      baseFraction: fraction,
      quoteFraction: fraction,
      minQuantity: NO_LOTS,
    })
    const isRefused = refusalOf(() => requireWholeUnit(fraction, 'ETH')) !== ''
    expect([places, isRefused]).toEqual([places, Number(quantityMax) < 1])
  }
  expect(refusalOf(() => requireWholeUnit(decimals(18), 'ETH'))).toBe(
    'baseFraction: expected at most 15: with 18 the largest quantity of an order would be 0.009007199254740991 ETH, for good',
  )
  expect(QUANTITY_DECIMALS_MAX).toBe(15)
})

test('the sizes of an order are those of its decimals and its least quantity', () => {
  const fractions = { baseFraction: 6 as Decimals, quoteFraction: 2 as Decimals }
  expect(orderSizes({ ...fractions, minQuantity: 50 as Lots })).toEqual({
    quantityMin: '0.00005',
    quantityMax: '9007199254.740991',
    priceMin: '0.01',
    priceMax: '90071992547409.91',
  })
})

test('a least total that no order can reach at the highest price is refused', () => {
  const fractions = {
    baseFraction: 15 as Decimals,
    quoteFraction: 0 as Decimals,
    quotePrecision: 2 as Decimals,
  }
  const at = (minTotal: number, maxPrice: number) =>
    refusalOf(() =>
      requireReachable({ ...fractions, minTotal: amount(minTotal), maxPrice: maxPrice as Price }),
    )
  // 9.007199254740991 units at 3: 27.02 of the quote asset.
  expect([at(2_702, 3), at(2_703, 3)]).toEqual([
    '',
    'minTotal: expected at most 27.02, which the largest order at the highest price is worth',
  ])
  expect(at(1_000_000, NO_PRICE)).toBe('')
})

test('a symbol in which no order could be placed is not listed, and one that is says how large its orders are', async () => {
  const { done: call, error } = await openAdminFixture()
  for (const code of ['FINE', 'CASH']) await call('asset/add', { code, fraction: 18 })
  expect(
    await error('symbol/add', { symbol: 'FINE/CASH', baseFraction: 18, quoteFraction: 0 }),
  ).toMatchObject({
    reason: 'INVALID_FIELD',
    field: 'baseFraction',
  })
  expect(await call('symbol/add', { symbol: 'FINE/CASH', baseFraction: 15, quoteFraction: 0 })).toMatchObject(
    {
      sizes: { quantityMax: '9.007199254740991', priceMin: '1' },
    },
  )
  const band = { symbol: 'FINE/CASH', minPrice: '1', maxPrice: '3' }
  expect(await error('symbol/set', { ...band, minTotal: '28' })).toMatchObject({ field: 'minTotal' })
  await call('symbol/set', { ...band, minTotal: '27' })
})
