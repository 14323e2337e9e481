import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { InvariantError } from '../../units/invariant.ts'
import { worthOf as exactWorthOf } from '../../units/notional.ts'
import {
  amount,
  DECIMALS_MAX,
  decimals,
  type Lots,
  lots,
  notional,
  type Price,
  price,
  RATE_ONE,
  type Rate,
  rate,
  UNITS_MAX,
} from '../../units/quantities.ts'
import { bigintOf } from '../../units/whole.ts'
import * as money from './money.ts'
import { type ExactCommission, lotScale, NO_COMMISSION, type QuoteScale, quoteScale } from './money.ts'

// The rules are stated in plain bigints; every figure is converted to the ledger's form and back.
const worthOf = (at: Price, quantity: Lots): bigint => bigintOf(exactWorthOf(at, quantity))
const paidFor = (executed: bigint, scale: QuoteScale): bigint =>
  bigintOf(money.paidFor(notional(executed), scale))
const receivedFor = (executed: bigint, scale: QuoteScale): bigint =>
  bigintOf(money.receivedFor(notional(executed), scale))
const lockedFor = (executed: bigint, resting: bigint, scale: QuoteScale): bigint =>
  bigintOf(money.lockedFor(notional(executed), notional(resting), scale))
const baseAmount = (quantity: Lots, scale: money.LotScale): bigint =>
  bigintOf(money.baseUnits(quantity, scale))
const budgetOf = (total: bigint, scale: QuoteScale): bigint => bigintOf(money.budgetOf(amount(total), scale))
const averageTicks = (executed: bigint, quantity: Lots): Price =>
  money.averageTicks(notional(executed), quantity)
const commissionAccrued = (before: ExactCommission, received: bigint, at: Rate): ExactCommission =>
  money.commissionAccrued(before, amount(received), at)
const commissionDue = (exact: ExactCommission): bigint => bigintOf(money.commissionDue(exact))

const places = fc.integer({ min: 0, max: DECIMALS_MAX }).map(decimals)
/** Every scale that a symbol can have: a price is never finer than the quote asset's ledger. */
const scales = fc
  .tuple(places, places, places)
  .filter(([, quoteFraction, precision]) => quoteFraction <= precision)
  .map(([baseFraction, quoteFraction, precision]) => quoteScale(baseFraction, quoteFraction, precision))

/** 1 to 2^53-1, small ones as likely as large ones, because small ones are rounded. */
const units = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 1, max: 10_000 }),
  fc.integer({ min: 1, max: UNITS_MAX }),
  fc.constant(UNITS_MAX),
)
const prices: fc.Arbitrary<Price> = units.map(price)
const rates: fc.Arbitrary<Rate> = fc
  .oneof(
    fc.constantFrom(0, 1, 100_000, RATE_ONE / 2, RATE_ONE - 1),
    fc.integer({ min: 0, max: RATE_ONE - 1 }),
  )
  .map(rate)
/** Notional of some fills, up to 2^70 and, in sums, far beyond. */
const worths: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: 0n, max: 1000n }),
  fc.bigInt({ min: 0n, max: 2n ** 106n }),
)
const amounts: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: 0n, max: 1000n }),
  fc.bigInt({ min: 0n, max: 2n ** 80n }),
)

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

/** The amounts that an order has moved so far, one fill at a time, as in settlement. */
class Life {
  executed = 0n
  moved = 0n
  readonly #of: (executed: bigint, scale: QuoteScale) => bigint
  readonly #scale: QuoteScale

  constructor(of: (executed: bigint, scale: QuoteScale) => bigint, scale: QuoteScale) {
    this.#of = of
    this.#scale = scale
  }

  fill(worth: bigint): bigint {
    const before = this.#of(this.executed, this.#scale)
    this.executed = this.executed + worth
    const moves = this.#of(this.executed, this.#scale) - before
    this.moved += moves
    return moves
  }
}

describe('scales', () => {
  test('one whole base unit at one whole quote unit is worth one whole quote unit, in every scale', () => {
    fc.assert(
      fc.property(places, places, places, (base, quote, precision) => {
        const scale = quoteScale(base, quote, precision)
        expect(scale.multiply === 1 || scale.divide === 1).toBe(true)
        expect(10n ** BigInt(base + quote) * BigInt(scale.multiply)).toBe(
          10n ** BigInt(precision) * BigInt(scale.divide),
        )
      }),
    )
  })

  test('a lot is a whole number of ledger units, exact beyond 2^63', () => {
    expect(baseAmount(lots(3), lotScale(decimals(6), decimals(8)))).toBe(300n)
    expect(baseAmount(lots(3), lotScale(decimals(8), decimals(8)))).toBe(3n)
    const whole = baseAmount(lots(UNITS_MAX), lotScale(decimals(0), decimals(18)))
    expect(whole).toBe(9_007_199_254_740_991_000_000_000_000_000_000n)
    expect(() => lotScale(decimals(9), decimals(8))).toThrow(InvariantError)
  })

  test('price x quantity is exact beyond 2^53 and 2^63', () => {
    expect(worthOf(price(UNITS_MAX), lots(UNITS_MAX))).toBe((2n ** 53n - 1n) ** 2n)
    expect(worthOf(price(94_906_267), lots(94_906_267))).toBe(9_007_199_515_875_289n)
  })
})

describe('what an order pays or receives', () => {
  test('a buyer pays the exact sum rounded up, a seller receives it rounded down', () => {
    fc.assert(
      fc.property(worths, scales, (worth, scale) => {
        const exact = worth * BigInt(scale.multiply)
        const over = paidFor(worth, scale) * BigInt(scale.divide) - exact
        const under = exact - receivedFor(worth, scale) * BigInt(scale.divide)
        expect(over >= 0n && over < BigInt(scale.divide)).toBe(true)
        expect(under >= 0n && under < BigInt(scale.divide)).toBe(true)
      }),
    )
  })

  test('how an order is sliced into fills does not change what it pays or receives', () => {
    fc.assert(
      fc.property(fc.array(worths, { maxLength: 30 }), scales, (slices, scale) => {
        const whole = sum(slices)
        const buy = new Life(paidFor, scale)
        const sell = new Life(receivedFor, scale)
        for (const slice of slices) {
          expect(buy.fill(slice)).toBeGreaterThanOrEqual(0n)
          expect(sell.fill(slice)).toBeGreaterThanOrEqual(0n)
        }
        expect(buy.moved).toBe(paidFor(whole, scale))
        expect(sell.moved).toBe(receivedFor(whole, scale))
      }),
    )
  })

  test('a trader who slices one order into several never pays less and never receives more', () => {
    fc.assert(
      fc.property(fc.array(worths, { maxLength: 30 }), scales, (slices, scale) => {
        const whole = sum(slices)
        expect(sum(slices.map((s) => paidFor(s, scale)))).toBeGreaterThanOrEqual(paidFor(whole, scale))
        expect(sum(slices.map((s) => receivedFor(s, scale)))).toBeLessThanOrEqual(receivedFor(whole, scale))
      }),
    )
  })

  test('a resting order cannot be drained: hostile slices of less than a unit cost it less than one unit in all', () => {
    const scale = quoteScale(decimals(8), decimals(2), decimals(8)) // a notional of 100 is one unit
    const resting = new Life(paidFor, scale)
    const hostile: bigint[] = []
    for (let i = 0; i < 1_000; i++) {
      resting.fill(1n)
      hostile.push(new Life(receivedFor, scale).fill(1n))
    }
    expect(resting.moved).toBe(10n)
    expect(sum(hostile)).toBe(0n)
  })
})

/** Fills between some buyers and some sellers, in any order and any combination. */
const matchings = fc.array(
  fc.record({ buyer: fc.nat({ max: 5 }), seller: fc.nat({ max: 5 }), worth: worths }),
  { maxLength: 60 },
)

describe('the rounding account', () => {
  test('never falls below zero and moves by at most one unit a fill, however orders meet', () => {
    fc.assert(
      fc.property(matchings, scales, (fills, scale) => {
        const buyers = Array.from({ length: 6 }, () => new Life(paidFor, scale))
        const sellers = Array.from({ length: 6 }, () => new Life(receivedFor, scale))
        let rounding = 0n
        for (const { buyer, seller, worth } of fills) {
          const leftOver = (buyers[buyer] as Life).fill(worth) - (sellers[seller] as Life).fill(worth)
          expect(leftOver >= -1n && leftOver <= 1n).toBe(true)
          rounding += leftOver
          expect(rounding).toBeGreaterThanOrEqual(0n)
        }
        expect(rounding).toBe(sum(buyers.map((b) => b.moved)) - sum(sellers.map((s) => s.moved)))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('what a LIMIT BUY holds', () => {
  test('always covers its fills at its price or better, and every fill frees what is left over', () => {
    const fills = fc.array(fc.tuple(units, fc.nat({ max: 100 })), { maxLength: 20 })
    fc.assert(
      fc.property(prices, fills, units, scales, (limit, parts, rest, scale) => {
        let remaining = sum(parts.map(([quantity]) => BigInt(quantity))) + BigInt(rest)
        const resting = (): bigint => BigInt(limit) * remaining
        const life = new Life(paidFor, scale)
        let held: bigint = lockedFor(life.executed, resting(), scale)
        expect(held).toBe(paidFor(resting(), scale))
        for (const [quantity, improvement] of parts) {
          const at = Math.max(1, limit - improvement)
          held -= life.fill(BigInt(at) * BigInt(quantity))
          remaining -= BigInt(quantity)
          const needed = lockedFor(life.executed, resting(), scale)
          expect(held).toBeGreaterThanOrEqual(needed)
          held = needed
        }
        expect(lockedFor(life.executed, 0n, scale)).toBe(0n)
      }),
    )
  })
})

describe('a MARKET order by total', () => {
  test('may spend the largest worth whose cost rounded up fits, and not one more', () => {
    fc.assert(
      fc.property(amounts, scales, (total, scale) => {
        const budget = budgetOf(total, scale)
        expect(paidFor(budget, scale)).toBeLessThanOrEqual(total)
        expect(paidFor(budget + 1n, scale)).toBeGreaterThan(total)
      }),
    )
  })

  test('may sell the largest worth whose exact proceeds do not exceed it, and not one more', () => {
    fc.assert(
      fc.property(amounts, scales, (total, scale) => {
        const budget = budgetOf(total, scale)
        expect(budget * BigInt(scale.multiply)).toBeLessThanOrEqual(total * BigInt(scale.divide))
        expect((budget + 1n) * BigInt(scale.multiply)).toBeGreaterThan(total * BigInt(scale.divide))
      }),
    )
  })
})

const fillsOfReceipts = fc.array(fc.tuple(amounts, rates), { maxLength: 30 })

describe('commission', () => {
  test('of a fill is never negative and never more than the fill received', () => {
    fc.assert(
      fc.property(fillsOfReceipts, (fills) => {
        let exact: ExactCommission = NO_COMMISSION
        for (const [received, at] of fills) {
          const before = commissionDue(exact)
          exact = commissionAccrued(exact, received, at)
          const charged = commissionDue(exact) - before
          expect(charged >= 0n && charged <= received).toBe(true)
        }
      }),
    )
  })

  test('over an order is the exact sum of rate x received, rounded half up, however it was filled', () => {
    fc.assert(
      fc.property(fillsOfReceipts, (fills) => {
        const exact = fills.reduce<ExactCommission>(
          (e, [received, at]) => commissionAccrued(e, received, at),
          NO_COMMISSION,
        )
        const sumOfProducts = sum(fills.map(([received, at]) => received * BigInt(at)))
        const twice = 2n * commissionDue(exact) * BigInt(RATE_ONE)
        // Half up: due - 1/2 <= exact < due + 1/2.
        expect(twice - BigInt(RATE_ONE) <= 2n * sumOfProducts).toBe(true)
        expect(2n * sumOfProducts < twice + BigInt(RATE_ONE)).toBe(true)
      }),
    )
  })

  test('rounds one half up and just less than a half down', () => {
    const of = (received: bigint, at: number) =>
      commissionDue(commissionAccrued(NO_COMMISSION, received, rate(at)))
    expect(of(1n, RATE_ONE / 2)).toBe(1n)
    expect(of(1n, RATE_ONE / 2 - 1)).toBe(0n)
    expect(of(500n, 100_000)).toBe(1n)
    expect(of(499n, 100_000)).toBe(0n)
    expect(of(1_499n, 100_000)).toBe(1n)
    expect(of(1_500n, 100_000)).toBe(2n)
  })

  test('of many small fills equals that of one large fill: a thousand dust fills are not free', () => {
    let exact: ExactCommission = NO_COMMISSION
    for (let i = 0; i < 1_000; i++) exact = commissionAccrued(exact, 1n, rate(100_000))
    expect(commissionDue(exact)).toBe(1n)
  })
})

describe('average price', () => {
  const trades = fc.array(fc.tuple(prices, fc.integer({ min: 1, max: 2 ** 40 }).map(lots)), {
    minLength: 1,
    maxLength: 20,
  })
  const executedBy = (fills: readonly (readonly [Price, Lots])[]) => ({
    executed: sum(fills.map(([at, quantity]) => worthOf(at, quantity))),
    quantity: lots(fills.reduce((total, [, q]) => total + q, 0)),
  })

  test('in ticks is the nearest one to the exact average, half up, between the lowest and highest price', () => {
    fc.assert(
      fc.property(trades, (fills) => {
        const { executed, quantity } = executedBy(fills)
        const average = averageTicks(executed, quantity)
        expect(average).toBeGreaterThanOrEqual(Math.min(...fills.map(([at]) => at)))
        expect(average).toBeLessThanOrEqual(Math.max(...fills.map(([at]) => at)))
        const off = 2n * (BigInt(average) * BigInt(quantity) - executed)
        expect(off > -BigInt(quantity) && off <= BigInt(quantity)).toBe(true)
      }),
    )
  })

  test('is the nearest ledger unit of the quote asset to the exact average, half up, whatever decimals a price has', () => {
    const ledgers = fc.tuple(places, places).filter(([fraction, precision]) => fraction <= precision)
    fc.assert(
      fc.property(trades, ledgers, (fills, [quoteFraction, quotePrecision]) => {
        const { executed, quantity } = executedBy(fills)
        const average = money.averagePrice(notional(executed), quantity, { quoteFraction, quotePrecision })
        const unitsOfTick = 10n ** BigInt(quotePrecision - quoteFraction)
        const off = 2n * (bigintOf(average ?? 0) * BigInt(quantity) - executed * unitsOfTick)
        expect(off > -BigInt(quantity) && off <= BigInt(quantity)).toBe(true)
      }),
    )
  })

  test('rounds half a tick or a unit up, and of nothing is no price', () => {
    expect(averageTicks(5n, lots(2))).toBe(price(3))
    expect(averageTicks(4n, lots(3))).toBe(price(1))
    expect(averageTicks(5n, lots(3))).toBe(price(2))
    expect(averageTicks(0n, lots(0))).toBe(price(0))
    const cents = { quoteFraction: decimals(1), quotePrecision: decimals(2) }
    expect(bigintOf(money.averagePrice(notional(5n), lots(2), cents) ?? 0)).toBe(25n)
    expect(bigintOf(money.averagePrice(notional(1n), lots(16), cents) ?? 0)).toBe(1n)
    expect(money.averagePrice(notional(0n), lots(0), cents)).toBeUndefined()
  })
})
