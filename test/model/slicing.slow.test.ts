/**
 * An account gains no unit by slicing an order: the same trade as one order or as many, compared by its
 * effect, in markets where a lot is worth from a small part of a ledger unit to many. Core and reference
 * exchange agree on every step.
 */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { SymbolTerms } from '../../src/core/registry/terms.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { FEES_ACCOUNT } from '../../src/units/ids.ts'
import { opposite, type Side } from '../../src/units/order-enums.ts'
import { decimals, rate } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { Comparison } from './run.ts'
import { marketSteps, type OrderWords, orderStep, TRADER } from './scenario.ts'

const GOLD = 0
const COIN = 1
const ROUNDING = 2 as AccountId

/** Decimals of quantity and price: ticks x lots are 10^-5 to 1 coins, a ledger unit is 10^-2. */
const scale = fc.record({
  baseFraction: fc.integer({ min: 0, max: 3 }),
  quoteFraction: fc.integer({ min: 0, max: 2 }),
})
const price = fc.integer({ min: 1, max: 400 })
/** Largest number of resting orders that an arriving order reaches. */
const SLICES_MOST = 25
const slices = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 2, maxLength: SLICES_MOST })
const side = fc.constantFrom<Side>('BUY', 'SELL')

type Purse = { readonly gold: bigint; readonly coin: bigint }

/** Gains of the accounts after these orders. */
function gains(terms: Partial<SymbolTerms>, orders: readonly OrderWords[]) {
  const comparison = new Comparison(SLICES_MOST)
  for (const step of marketSteps(terms)) comparison.take(step)
  const purse = (account: AccountId): Purse => {
    const [gold, coin] = comparison.core.balances(account)
    const all = (balance: typeof gold) =>
      balance === undefined ? 0n : bigintOf(balance.free) + bigintOf(balance.locked)
    return { gold: all(gold), coin: all(coin) }
  }
  const before = purse(TRADER.ann)
  let accepted = 0
  for (const words of orders)
    if (comparison.take(orderStep(words)).reply?.kind === 'OrderAccepted') accepted++
  const since = (account: AccountId) => {
    const { gold, coin } = purse(account)
    const isTrader = account !== FEES_ACCOUNT && account !== ROUNDING
    return isTrader ? { gold: gold - before.gold, coin: coin - before.coin } : { gold, coin }
  }
  return {
    accepted,
    ann: since(TRADER.ann),
    ben: since(TRADER.ben),
    fees: since(FEES_ACCOUNT),
    house: since(ROUNDING),
  }
}

function termsOf(
  at: { readonly baseFraction: number; readonly quoteFraction: number },
  commission = 0,
): Partial<SymbolTerms> {
  const rates = { makerRate: rate(commission), takerRate: rate(commission) }
  return { ...rates, baseFraction: decimals(at.baseFraction), quoteFraction: decimals(at.quoteFraction) }
}

/**
 * One resting order of Ann's, and Ben's orders that take all of it; undefined if some are too small to be
 * orders.
 */
function taking(
  at: Parameters<typeof termsOf>[0],
  ticks: number,
  makerSide: Side,
  parts: readonly number[],
  commission = 0,
) {
  const quantity = parts.reduce((sum, part) => sum + part, 0)
  const maker = { accountId: TRADER.ann, side: makerSide, price: ticks, quantity } as const
  const taker = {
    accountId: TRADER.ben,
    side: opposite(makerSide),
    type: 'MARKET',
    timeInForce: 'IOC',
  } as const
  const bounds = (lots: number) =>
    taker.side === 'BUY' ? { quantity: lots, total: 10n ** 12n } : { quantity: lots }
  const orders = [maker, ...parts.map((lots) => ({ ...taker, ...bounds(lots) }))]
  const result = gains(termsOf(at, commission), orders)
  return result.accepted === orders.length ? result : undefined
}

test('an arriving order in slices pays no less and receives no more; the resting order gets the same to the unit', () => {
  let compared = 0
  const rule = fc.property(scale, price, side, slices, (at, ticks, makerSide, parts) => {
    const sliced = taking(at, ticks, makerSide, parts)
    const whole = taking(at, ticks, makerSide, [parts.reduce((sum, part) => sum + part, 0)])
    if (sliced === undefined || whole === undefined) return
    compared++
    expect(sliced.ann).toEqual(whole.ann)
    expect(sliced.ben.gold).toBe(whole.ben.gold)
    expect(sliced.ben.coin).toBeLessThanOrEqual(whole.ben.coin)
    expect(sliced.house.coin).toBe(-sliced.ann.coin - sliced.ben.coin)
    expect(sliced.house.coin).toBeGreaterThanOrEqual(whole.house.coin)
  })
  fc.assert(rule, { numRuns: 250 })
  expect(compared).toBeGreaterThan(100)
})

test('a resting order in many slices pays no less and receives no more', () => {
  let compared = 0
  const rule = fc.property(scale, price, side, slices, (at, ticks, makerSide, parts) => {
    const sum = parts.reduce((total, part) => total + part, 0)
    const taker = { accountId: TRADER.ben, side: opposite(makerSide), price: ticks, quantity: sum } as const
    const resting = (lots: number) => ({
      accountId: TRADER.ann,
      side: makerSide,
      price: ticks,
      quantity: lots,
    })
    const [sliced, whole] = [parts, [sum]].map((lots) => gains(termsOf(at), [...lots.map(resting), taker]))
    if (sliced?.accepted !== parts.length + 1 || whole?.accepted !== 2) return
    compared++
    expect(sliced.ben).toEqual(whole.ben)
    expect(sliced.ann.gold).toBe(whole.ann.gold)
    expect(sliced.ann.coin).toBeLessThanOrEqual(whole.ann.coin)
  })
  fc.assert(rule, { numRuns: 250 })
  expect(compared).toBeGreaterThan(50)
})

test('a total that is spent in parts buys no more than spent at once, and never costs more than it is', () => {
  const totals = fc.array(fc.bigInt({ min: 1n, max: 4_000n }), { minLength: 2, maxLength: 12 })
  const rule = fc.property(scale, price, totals, (at, ticks, parts) => {
    const maker = { accountId: TRADER.ann, side: 'SELL', price: ticks, quantity: 1_000_000 } as const
    const taker = { accountId: TRADER.ben, side: 'BUY', type: 'MARKET', timeInForce: 'IOC' } as const
    const sum = parts.reduce((total, part) => total + part, 0n)
    const sliced = gains(termsOf(at), [maker, ...parts.map((total) => ({ ...taker, total }))])
    const whole = gains(termsOf(at), [maker, { ...taker, total: sum }])
    expect(sliced.ben.gold).toBeLessThanOrEqual(whole.ben.gold)
    expect(-sliced.ben.coin).toBeLessThanOrEqual(sum)
    expect(-whole.ben.coin).toBeLessThanOrEqual(sum)
  })
  fc.assert(rule, { numRuns: 200 })
})

test('commission does not depend on how others slice, and slicing one’s own order moves it by at most half a unit an order', () => {
  let compared = 0
  const commissions = fc.constantFrom(1, 100_000, 333_333, 12_345_678, 50_000_000, 99_999_999)
  const rule = fc.property(
    scale,
    price,
    side,
    slices,
    commissions,
    (at, ticks, makerSide, parts, commission) => {
      const sliced = taking(at, ticks, makerSide, parts, commission)
      const whole = taking(at, ticks, makerSide, [parts.reduce((sum, part) => sum + part, 0)], commission)
      if (sliced === undefined || whole === undefined) return
      compared++
      expect(sliced.ann).toEqual(whole.ann)
      const asset = makerSide === 'SELL' ? 'gold' : 'coin'
      const saved = whole.fees[asset] - sliced.fees[asset]
      expect(2n * saved).toBeLessThanOrEqual(
        BigInt(parts.length) + 1n + (asset === 'coin' ? 2n * sliced.house.coin : 0n),
      )
    },
  )
  fc.assert(rule, { numRuns: 250 })
  expect(compared).toBeGreaterThan(100)
})

test('placing and canceling, however often, moves nothing', () => {
  const comparison = new Comparison()
  for (const step of marketSteps()) comparison.take(step)
  const before = comparison.core.balances(TRADER.ann)
  for (let i = 0; i < 300; i++) {
    const words = {
      accountId: TRADER.ann,
      side: i % 2 === 0 ? 'BUY' : 'SELL',
      price: 301,
      quantity: 37 + i,
    } as const
    const reply = comparison.take(orderStep(words)).reply
    if (reply?.kind !== 'OrderAccepted') throw new Error('the order must rest')
    const { orderNumber, time: orderTime } = reply
    comparison.take({
      kind: 'apply',
      command: { kind: 'CancelOrder', accountId: TRADER.ann, orderNumber, orderTime },
      afterMs: 1,
    })
  }
  expect(comparison.core.balances(TRADER.ann)).toEqual(before)
  expect([GOLD, COIN].map((asset) => before[asset]?.locked)).toEqual([0 as never, 0 as never])
})
