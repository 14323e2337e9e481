/** Orders of one account that arrive at once never spend more than it has. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { PlaceOrder } from '../../core/commands/orders.ts'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import type { AccountId } from '../../units/ids.ts'
import { SELF_TRADE_MODES } from '../../units/order-enums.ts'
import { amount, type Lots } from '../../units/quantities.ts'
import { bigintOf } from '../../units/whole.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import { account, asset, credit, limit, symbol } from './commands.fixture.ts'
import { Stage } from './engine-stage.fixture.ts'

const SELLER = 3
const BUYER = 4
const ORDERS = 50

/** Mostly MARKET BUY orders by quantity, among others of the same account that compete for its money. */
const order: fc.Arbitrary<PlaceOrder> = fc
  .record({
    kind: fc.constantFrom('quantity', 'quantity', 'quantity', 'total', 'limit', 'sell'),
    quantity: fc.integer({ min: 1, max: 60 }),
    price: fc.integer({ min: 95, max: 130 }),
    selfTradeMode: fc.constantFrom(undefined, ...SELF_TRADE_MODES),
  })
  .map(({ kind, quantity, price, selfTradeMode }) => {
    const own = { ...limit(BUYER, kind === 'sell' ? 'SELL' : 'BUY', price, quantity), selfTradeMode }
    if (kind === 'limit' || kind === 'sell') return own
    const { accountId, symbolId, clientOrderId } = own
    const head = { kind: 'PlaceOrder', accountId, symbolId, selfTradeMode, clientOrderId } as const
    const market = { ...head, type: 'MARKET', side: 'BUY' } as const
    if (kind === 'total') return { ...market, total: amount(BigInt(quantity)), quantity: undefined }
    return { ...market, quantity: quantity as Lots }
  })

test('fifty orders of an account at once, by quantity and otherwise, never spend more than is free', async () => {
  const found = { filled: 0, refused: 0 }
  const race = fc.tuple(
    fc.array(order, { minLength: ORDERS, maxLength: ORDERS }),
    fc.integer({ min: 1, max: 900 }),
  )
  await fc.assert(
    fc.asyncProperty(race, async ([orders, money]) => {
      const machine = ANY_EXCHANGES.empty()
      const stage = new Stage({}, machine)
      const version = RULES_VERSION
      stage.offer(0, { kind: 'SetRulesVersion', operator: { actor: 'test', note: '' }, version })
      const listed = [asset('BTC'), asset('USDT'), symbol('BTC', 'USDT'), account('seller'), account('buyer')]
      for (const command of listed) stage.offer(0, command)
      stage.offer(0, credit(SELLER, 'BTC', 10_000n, 'a'))
      stage.offer(0, credit(BUYER, 'BTC', 1_000n, 'b'))
      stage.offer(0, credit(BUYER, 'USDT', BigInt(money), 'c'))
      for (let level = 0; level < 20; level++) stage.offer(0, limit(SELLER, 'SELL', 100 + level, 20))
      await stage.engine.flush()
      for (const [at, command] of orders.entries()) stage.offer(at + 1, command)
      await stage.engine.flush()
      const events = stage.outputs.flatMap((output) => output.events?.events ?? [])
      const matches = events.flatMap((event) => (event.kind === 'OrdersMatched' ? [event] : []))
      const bought = matches.filter(({ taker, maker }) => taker.accountId !== maker.accountId)
      const paid = bought.reduce((sum, { taker }) => sum + bigintOf(taker.total), 0n)
      const [, usdt] = machine.balances(BUYER as AccountId)
      const { free, locked } = usdt ?? { free: amount(-1n), locked: amount(-1n) }
      expect(bigintOf(free)).toBeGreaterThanOrEqual(0n)
      expect(paid).toBeLessThanOrEqual(BigInt(money))
      expect(bigintOf(locked)).toBeGreaterThanOrEqual(0n)
      const replies = stage.outputs.flatMap(({ answers }) => answers)
      for (const answer of replies) {
        if (answer.kind !== 'reply' || answer.request === 0) continue
        const { reply } = answer
        if (reply.kind === 'Refused') found.refused += Number(reply.reason === 'INSUFFICIENT_FUNDS')
        else found.filled += Number(reply.kind === 'OrderAccepted' && reply.status === 'FILLED')
      }
      expect(replies.filter(({ kind }) => kind === 'fault')).toEqual([])
    }),
    { numRuns: 60 },
  )
  expect(Math.min(found.filled, found.refused)).toBeGreaterThan(100)
})
