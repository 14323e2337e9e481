/**
 * Rules over all inputs: random traders do random things in markets whose scales make rounding matter, and
 * after every step the books must add up, with both implementations of the book.
 */

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PlainBook } from '../../../test/support/plain-book.ts'
import { ByteReader } from '../../units/bytes.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import { SELF_TRADE_MODES } from '../../units/order-enums.ts'
import { decimals, rate } from '../../units/quantities.ts'
import { bigintOf } from '../../units/whole.ts'
import type { ExchangeEvent } from '../events/event.ts'
import { FastBook } from '../market/fast-book.ts'
import type { OrderAccepted, Reply } from '../questions/reply.ts'
import { Exchange } from './exchange.ts'
import { ExchangeHarness, type OrderWords, orderOf } from './exchange-harness.fixture.ts'

/**
 * In symbol 1 a lot is worth far less than a ledger unit of the quote asset; in symbol 2 the rates are close
 * to 1.
 */
function fundedHarness(createBook: () => FastBook | PlainBook): {
  harness: ExchangeHarness
  traders: AccountId[]
} {
  const harness = new ExchangeHarness({ createBook })
  harness.asset('TRY', 2)
  harness.symbol('BTC', 'TRY', {
    baseFraction: decimals(3),
    quoteFraction: decimals(2),
    takerRate: rate(12_345_678),
  })
  harness.symbol('USDT', 'TRY', {
    baseFraction: decimals(0),
    quoteFraction: decimals(0),
    makerRate: rate(99_999_999),
    takerRate: rate(50_000_000),
  })
  const money = { BTC: 10n ** 8n, USDT: 10n ** 10n, TRY: 1_000_000n }
  return { harness, traders: ['alice', 'bob', 'carol'].map((name) => harness.trader(name, money)) }
}

const order = fc.record({
  what: fc.constant('order' as const),
  who: fc.nat(2),
  symbol: fc.nat(2),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  type: fc.oneof({ weight: 3, arbitrary: fc.constant('LIMIT' as const) }, fc.constant('MARKET' as const)),
  timeInForce: fc.constantFrom('GTC' as const, 'GTC' as const, 'IOC' as const),
  price: fc.integer({ min: 95, max: 105 }),
  quantity: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 30_000 })),
  total: fc.oneof(fc.bigInt({ min: 1n, max: 200n }), fc.bigInt({ min: 1n, max: 20_000n })),
  withBoth: fc.boolean(),
  selfTradeMode: fc.option(fc.constantFrom(...SELF_TRADE_MODES), { nil: undefined }),
})
const cancel = fc.record({ what: fc.constant('cancel' as const), who: fc.nat(2), which: fc.nat(30) })
const steps = fc.array(fc.oneof({ weight: 4, arbitrary: order }, cancel), { minLength: 20, maxLength: 120 })

type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never

function take(
  step: Step,
  harness: ExchangeHarness,
  traders: readonly AccountId[],
  placed: OrderAccepted[],
): Reply {
  const who = traders[step.who] as AccountId
  if (step.what === 'cancel') {
    const target = placed[placed.length - 1 - step.which]
    return target === undefined
      ? harness.order({ who, side: 'BUY', price: 0, quantity: 1 })
      : harness.cancel(who, target)
  }
  const reply = harness.order(wordsOf(step, who))
  if (reply.kind === 'OrderAccepted') placed.push(reply)
  return reply
}

/** The fields of an order with random figures; those that its type does not have are left out. */
function wordsOf(step: Extract<Step, { what: 'order' }>, who: AccountId): OrderWords {
  const { side, type, price, quantity, total, withBoth, selfTradeMode } = step
  const words = { who, side, type, symbol: step.symbol as SymbolId, ...(selfTradeMode && { selfTradeMode }) }
  if (type === 'LIMIT') return { ...words, price, quantity, timeInForce: step.timeInForce }
  const bound = side === 'BUY' ? { total } : { quantity }
  return withBoth ? { ...words, quantity, total } : { ...words, ...bound }
}

/** A snapshot without sequence number and time: everything that a refusal must not change. */
function essence(exchange: Exchange): string {
  const bytes = exchange.encodeSnapshot()
  const reader = new ByteReader(bytes)
  // Skips the layout; the number and the length of the first section; the rules, the sequence number and the
  // time.
  for (const skip of ['uint', 'uint', 'u32', 'uint', 'uint', 'uint'] as const) reader[skip]()
  return Buffer.from(bytes.subarray(reader.at)).toString('base64')
}

describe('random trading', () => {
  test('books add up after every step; a refusal changes nothing; both books agree to the bit', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const fast = fundedHarness(() => new FastBook())
        const plain = fundedHarness(() => new PlainBook())
        const placed: OrderAccepted[] = []
        for (const step of list) {
          const before = essence(fast.harness.exchange)
          const reply = take(step, fast.harness, fast.traders, placed)
          const other = take(
            step,
            plain.harness,
            plain.traders,
            placed.slice(0, reply.kind === 'OrderAccepted' ? -1 : undefined),
          )
          expect(other).toEqual(reply)
          expect(plain.harness.events).toEqual(fast.harness.events)
          fast.harness.mustAddUp()
          mustNotBeCrossed(fast.harness.exchange)
          if (reply.kind !== 'Refused') continue
          expect(essence(fast.harness.exchange)).toBe(before)
          expect(fast.harness.events).toEqual([])
        }
        expect(essence(plain.harness.exchange)).toBe(essence(fast.harness.exchange))
      }),
      { numRuns: 150 },
    )
  })

  test('a snapshot is the state: an exchange read from it continues like the original', () => {
    fc.assert(
      fc.property(steps, fc.nat(100), (list, cut) => {
        const { harness, traders } = fundedHarness(() => new FastBook())
        const placed: OrderAccepted[] = []
        const at = Math.min(cut, list.length)
        for (const step of list.slice(0, at)) take(step, harness, traders, placed)
        const bytes = harness.exchange.encodeSnapshot()
        const copy = Exchange.decodeSnapshot(bytes)
        expect(Buffer.compare(copy.encodeSnapshot(), bytes)).toBe(0)
        for (const step of list.slice(at)) {
          if (step.what !== 'order') continue
          const command = orderOf(wordsOf(step, traders[step.who] as AccountId))
          const events: ExchangeEvent[] = []
          const reply = copy.apply(command, (copy.time + 1) as typeof copy.time, (event) =>
            events.push(event),
          )
          expect(reply).toEqual(harness.give(command))
          expect(events).toEqual(harness.events)
        }
        expect(Buffer.compare(copy.encodeSnapshot(), harness.exchange.encodeSnapshot())).toBe(0)
      }),
      { numRuns: 100 },
    )
  })

  test('the generator reaches the important cases often enough', () => {
    const seen = new Map<string, number>()
    const count = (cell: string) => seen.set(cell, (seen.get(cell) ?? 0) + 1)
    for (const list of fc.sample(steps, { numRuns: 400, seed: 7 })) {
      const { harness, traders } = fundedHarness(() => new FastBook())
      const placed: OrderAccepted[] = []
      for (const step of list) {
        const reply = take(step, harness, traders, placed)
        const outcome =
          reply.kind === 'Refused' ? reply.reason : 'status' in reply ? reply.status : reply.kind
        count(step.what === 'order' ? `${step.type} ${step.side} ${outcome}` : `cancel ${outcome}`)
        for (const event of harness.events) count(event.kind)
      }
    }
    for (const side of ['BUY', 'SELL']) {
      for (const status of ['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'INSUFFICIENT_FUNDS']) {
        expect([`LIMIT ${side} ${status}`, seen.get(`LIMIT ${side} ${status}`) ?? 0]).toSatisfy(isCovered)
      }
      for (const outcome of ['FILLED', 'CANCELED', 'NO_LIQUIDITY', 'TOTAL_BELOW_BEST_PRICE']) {
        expect([`MARKET ${side} ${outcome}`, seen.get(`MARKET ${side} ${outcome}`) ?? 0]).toSatisfy(isCovered)
      }
    }
    for (const cell of ['cancel Done', 'cancel UNKNOWN_ORDER', 'OrdersMatched', 'OrderDecremented']) {
      expect([cell, seen.get(cell) ?? 0]).toSatisfy(isCovered)
    }
  })

  test('over its life a buy has paid its exact sum rounded up, a sell received it rounded down', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const { harness, traders } = fundedHarness(() => new FastBook())
        const placed: OrderAccepted[] = []
        const lives = new Map<number, { exact: bigint; moved: bigint; isBuy: boolean; symbol: number }>()
        for (const step of list) {
          take(step, harness, traders, placed)
          for (const event of harness.events) addToLives(event, lives)
        }
        const scale = [100n, 1_000n, 1n] // ticks x lots in one ledger unit of the quote asset
        const multiply = [1n, 1n, 100n]
        for (const { exact, moved, isBuy, symbol } of lives.values()) {
          const units = exact * (multiply[symbol] as bigint)
          const per = scale[symbol] as bigint
          expect(moved).toBe(isBuy ? (units + per - 1n) / per : units / per)
        }
      }),
      { numRuns: 100 },
    )
  })
})

function isCovered([, times]: (string | number)[]): boolean {
  return (times as number) >= 20
}

function addToLives(
  event: ExchangeEvent,
  lives: Map<number, { exact: bigint; moved: bigint; isBuy: boolean; symbol: number }>,
): void {
  if (event.kind !== 'OrdersMatched') return
  for (const party of [event.maker, event.taker]) {
    const isBuy = (party === event.taker) === (event.takerSide === 'BUY')
    const life = lives.get(party.orderNumber) ?? { exact: 0n, moved: 0n, isBuy, symbol: event.symbolId }
    life.exact += BigInt(event.price) * BigInt(event.quantity)
    life.moved += bigintOf(party.total)
    lives.set(party.orderNumber, life)
  }
}

function mustNotBeCrossed(exchange: Exchange): void {
  for (const { sell, buy } of exchange.bootstrap().books) {
    const [ask, bid] = [sell[0], buy[0]]
    if (ask !== undefined && bid !== undefined) expect(bid.price).toBeLessThan(ask.price)
  }
}
