/**
 * The placement of an order has the effects of the command that placed it, whatever later events the same
 * batch has.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ExchangeEvent } from '../core/events/event.ts'
import { ExchangeHarness, OPERATOR, orderOf } from '../core/exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../core/exchange/rules.ts'
import type { AccountId, OrderNumber } from '../units/ids.ts'
import { SELF_TRADE_MODES, SIDES } from '../units/order-enums.ts'
import { bigintOf } from '../units/whole.ts'
import { PLACED_FILLS_MAX, WatchedPlacements } from './placements.ts'

const MONEY = { BTC: 10n ** 14n, USDT: 10n ** 16n }

function harness(matchStepsMax: number) {
  const it = new ExchangeHarness({ matchStepsMax })
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const traders = ['ann', 'ben', 'cem'].map((name) => it.trader(name, MONEY))
  return { it, traders }
}

const order = fc.record({
  who: fc.nat(2),
  side: fc.constantFrom(...SIDES),
  price: fc.integer({ min: 100, max: 104 }),
  quantity: fc.integer({ min: 1, max: 30 }),
  timeInForce: fc.constantFrom('GTC' as const, 'GTC' as const, 'IOC' as const),
  selfTradeMode: fc.constantFrom(...SELF_TRADE_MODES),
  cancels: fc.boolean(),
})

test('each order of a batch has the effects of its own command, and nothing of another', () => {
  const seen = { filled: 0, prevented: 0, canceled: 0 }
  fc.assert(
    fc.property(fc.array(order, { minLength: 2, maxLength: 25 }), (orders) => {
      const { it, traders } = harness(4)
      const placements = new WatchedPlacements()
      const watch = placements.watch(traders[0] as AccountId)
      const events: ExchangeEvent[] = []
      const wanted = new Map<OrderNumber, object>()
      for (const { who, cancels, ...words } of orders) {
        const accountId = traders[who] as AccountId
        const reply = it.give(orderOf({ who: accountId, ...words }))
        events.push(...it.events)
        if (reply.kind !== 'OrderAccepted') continue
        const { orderNumber } = reply
        const own = it.events
        const fills = own.filter((event) => event.kind === 'OrdersMatched')
        const ended = own.find((event) => event.kind === 'OrderCanceled' && event.orderNumber === orderNumber)
        const cause = ended?.kind === 'OrderCanceled' ? ended.cause : undefined
        const prevented = own.reduce((sum, event) => {
          const isOwn = 'orderNumber' in event && event.orderNumber === orderNumber
          if (!isOwn || !('quantity' in event)) return sum
          const counts = event.kind === 'OrderDecremented' || cause === 'SELF_TRADE'
          return event.kind === 'OrderPlaced' || !counts ? sum : sum + Number(event.quantity)
        }, 0)
        const commission = fills.reduce((sum, { taker }) => sum + bigintOf(taker.commission), 0n)
        if (who === 0) wanted.set(orderNumber, { fills, cause, prevented, commission })
        seen.filled += fills.length
        if (prevented > 0) seen.prevented++
        if (cancels) {
          it.cancel(accountId, reply)
          events.push(...it.events)
          seen.canceled++
        }
      }
      for (const event of events) placements.apply(event)
      for (const [number, { fills, cause, prevented, commission }] of wanted as Map<OrderNumber, never>) {
        const kept = watch.of(number)
        expect(kept).toMatchObject({ fills, cause, preventedQuantity: prevented })
        expect(bigintOf(kept?.commission ?? (0 as never))).toBe(commission)
      }
      watch.end()
      expect([placements.isWatched, [...wanted.keys()].map((number) => watch.of(number))]).toEqual([
        false,
        [...wanted.keys()].map(() => undefined),
      ])
    }),
    { numRuns: 500 },
  )
  expect(Math.min(seen.filled, seen.prevented, seen.canceled)).toBeGreaterThan(50)
})

test('the first fills of an order are kept, and all are counted', () => {
  const { it, traders } = harness(1_000)
  const [ann, ben] = traders as [AccountId, AccountId]
  const count = PLACED_FILLS_MAX + 20
  for (let i = 0; i < count; i++) it.accepted({ who: ann, side: 'SELL', price: 100 + i, quantity: 1 })
  const placements = new WatchedPlacements()
  const watch = placements.watch(ben)
  const { orderNumber } = it.accepted({ who: ben, side: 'BUY', price: 1_000, quantity: count })
  for (const event of it.events) placements.apply(event)
  expect(watch.of(orderNumber)?.fillCount).toBe(count)
  expect(watch.of(orderNumber)?.fills.map(({ price }) => price as number)).toEqual(
    Array.from({ length: PLACED_FILLS_MAX }, (_, i) => 100 + i),
  )
})
