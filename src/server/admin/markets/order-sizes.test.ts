import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  amount,
  DECIMALS_MAX,
  type Decimals,
  decimals,
  type Lots,
  type Price,
  UNITS_MAX,
} from '../../../units/quantities.ts'
import { openAdminFixture } from '../admin.fixture.ts'
import {
  type OrderTerms,
  orderSizes,
  QUANTITY_DECIMALS_MAX,
  requirePlaceable,
  requireWholeUnit,
} from './order-sizes.ts'

const NO_LOTS = 0 as Lots

function refusalOf(work: () => void): string {
  try {
    work()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test('an order of one whole unit of either asset can be placed with any accepted decimals, and more decimals are refused', () => {
  for (let places = 0; places <= DECIMALS_MAX; places++)
    for (let quotePlaces = 0; quotePlaces <= DECIMALS_MAX; quotePlaces++) {
      const fractions = { baseFraction: decimals(places), quoteFraction: decimals(quotePlaces) }
      const { quantityMax } = orderSizes({ ...fractions, minQuantity: NO_LOTS })
      const isWorthOne = BigInt(UNITS_MAX) ** 2n >= 10n ** BigInt(places + quotePlaces)
      const isRefused = refusalOf(() => requireWholeUnit(fractions, 'ETH')) !== ''
      expect([fractions, isRefused]).toEqual([fractions, Number(quantityMax) < 1 || !isWorthOne])
    }
  const of = (baseFraction: number, quoteFraction: number) => ({
    baseFraction: decimals(baseFraction),
    quoteFraction: decimals(quoteFraction),
  })
  expect(refusalOf(() => requireWholeUnit(of(18, 0), 'ETH'))).toBe(
    'baseFraction: expected at most 15: with 18 the largest quantity of an order would be 0.009007199254740991 ETH, and this cannot be changed later',
  )
  expect(refusalOf(() => requireWholeUnit(of(15, 17), 'ETH'))).toBe(
    'quoteFraction: expected at most 16: with 17, and 15 for quantities, the largest order would be worth less than 1, and this cannot be changed later',
  )
  expect(QUANTITY_DECIMALS_MAX).toBe(15)
})

test('the sizes of an order follow from its decimals and its least quantity', () => {
  const fractions = { baseFraction: 6 as Decimals, quoteFraction: 2 as Decimals }
  expect(orderSizes({ ...fractions, minQuantity: 50 as Lots })).toEqual({
    quantityMin: '0.00005',
    quantityMax: '9007199254.740991',
    priceMin: '0.01',
    priceMax: '90071992547409.91',
  })
})

const TERMS: OrderTerms = {
  baseFraction: 15 as Decimals,
  quoteFraction: 0 as Decimals,
  quotePrecision: 2 as Decimals,
  minTotal: amount(0),
  minQuantity: NO_LOTS,
}

test('a least total that no order can reach at the highest price is refused', () => {
  const at = (minTotal: number, maxPrice: number) =>
    refusalOf(() =>
      requirePlaceable(
        {
          ...TERMS,
          minTotal: amount(minTotal),
          priceBand: maxPrice === 0 ? undefined : { min: 1 as Price, max: maxPrice as Price },
        },
        { minTotal: 'named' },
      ),
    )
  // 9.007199254740991 units at 3: 27.02 of the quote asset.
  expect([at(2_702, 3), at(2_703, 3)]).toEqual([
    '',
    'minTotal: expected at most 27.02, the value of the largest order at the highest price',
  ])
  expect(at(1_000_000, 0)).toBe('')
})

/** Whether small terms allow any order at all, found by trying each price and quantity. */
function isAnyOrder(
  { minTotal, minQuantity, priceBand, increments }: OrderTerms,
  [low, high]: readonly number[],
): boolean {
  const { tickSize = 1, stepSize = 1 } = increments ?? {}
  const quantities = [low as number, high as number].flatMap((end) =>
    Array.from({ length: 40 }, (_, i) => end - 20 + i),
  )
  for (const quantity of quantities)
    for (let price = priceBand?.min ?? 1; price <= (priceBand?.max ?? 30); price++) {
      const fits =
        quantity >= Math.max(1, minQuantity) &&
        quantity <= UNITS_MAX &&
        quantity % stepSize === 0 &&
        price % tickSize === 0
      if (fits && BigInt(quantity) * BigInt(price) >= BigInt(minTotal)) return true
    }
  return false
}

test('terms are refused if and only if no order fits them, whichever of them are set', () => {
  const whole = { baseFraction: 0 as Decimals, quoteFraction: 0 as Decimals, quotePrecision: 0 as Decimals }
  const seen = { taken: 0, refused: 0 }
  const near = fc.integer({ min: -12, max: 0 })
  fc.assert(
    fc.property(
      fc.record({
        quantity: near,
        isLarge: fc.boolean(),
        step: fc.integer({ min: 1, max: 12 }),
        tick: fc.integer({ min: 1, max: 4 }),
        max: fc.integer({ min: 4, max: 20 }),
        total: near,
      }),
      ({ quantity, isLarge, step, tick, max, total }) => {
        const minQuantity = (isLarge ? UNITS_MAX + quantity : -quantity) as Lots
        const top = BigInt(max - (max % tick)) * BigInt(UNITS_MAX)
        const terms: OrderTerms = {
          ...whole,
          minQuantity,
          minTotal: amount(top + BigInt(total)),
          priceBand: { min: 1 as Price, max: max as Price },
          increments: { tickSize: tick as Price, stepSize: step as Lots },
        }
        const isTaken = refusalOf(() => requirePlaceable(terms, { minTotal: 'named' })) === ''
        expect([terms, isTaken]).toEqual([terms, isAnyOrder(terms, [minQuantity, UNITS_MAX])])
        seen[isTaken ? 'taken' : 'refused']++
      },
    ),
    { numRuns: 300 },
  )
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(10)
})

test('a refusal names the field of the request, and a request without these fields is not affected by them', () => {
  const terms: OrderTerms = {
    ...TERMS,
    minQuantity: UNITS_MAX as Lots,
    increments: { tickSize: 1 as Price, stepSize: 2 as Lots },
  }
  const blamed = (named: object) =>
    refusalOf(() => requirePlaceable(terms, named as Record<string, unknown>)).split(':')[0]
  expect(blamed({ stepSize: '2' })).toBe('stepSize')
  expect(blamed({ minQuantity: '9', levelsMax: 5 })).toBe('minQuantity')
  expect(blamed({ levelsMax: 5 })).toBe('')
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

test('no operation makes a market in which no order can be placed, in whatever order its terms are set', async () => {
  const { done: call, error } = await openAdminFixture()
  for (const code of ['A', 'B']) await call('asset/add', { code, fraction: 18 })
  const most = '9007199254740991'
  const added = { symbol: 'A/B', baseFraction: 0, quoteFraction: 0 }
  expect(await error('symbol/add', { symbol: 'A/B', baseFraction: 15, quoteFraction: 18 })).toMatchObject({
    field: 'quoteFraction',
  })
  await call('symbol/add', added)
  const set = { symbol: 'A/B' }
  await call('symbol/increments', { ...set, stepSize: '2' })
  expect(await error('symbol/set', { ...set, minQuantity: most })).toMatchObject({
    ...{ reason: 'INVALID_FIELD', field: 'minQuantity' },
    message: expect.stringContaining('at most 9007199254740990'),
  })
  await call('symbol/set', { ...set, minQuantity: '9007199254740990' })
  expect(await error('symbol/increments', { ...set, stepSize: '4' })).toMatchObject({ field: 'stepSize' })
  // 2^53 units of A at 2^53 B and 18 decimals: no account holds that much.
  expect(await error('symbol/set', { ...set, minPrice: most, maxPrice: most })).toMatchObject({
    ...{ field: 'maxPrice', message: expect.stringContaining('the smallest order at the lowest price') },
  })
  await call('symbol/set', {
    ...set,
    minQuantity: '0',
    minPrice: '1',
    maxPrice: '3',
    minTotal: '20000000000000000',
  })
  expect(await error('symbol/increments', { ...set, tickSize: '2' })).toMatchObject({ field: 'tickSize' })
  expect(await error('symbol/increments', { ...set, tickSize: '2', stepSize: '3' })).toMatchObject({
    field: 'stepSize',
  })
  await call('symbol/increments', { ...set, tickSize: '3' })
  await call('symbol/set', { ...set, levelsMax: 7 })
})
