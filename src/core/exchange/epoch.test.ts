/** Numbers jump where an epoch of the journal begins (docs/recovery.md#numbers-of-orders-and-trades). */
import { expect, test } from 'bun:test'
import { type OrderNumber, uuidOf } from '../../units/ids.ts'
import { NUMBERS_JUMP, NUMBERS_JUMP_TO_MAX } from '../../units/limits.ts'
import { timeMs } from '../../units/quantities.ts'
import { Exchange } from './exchange.ts'
import { ExchangeHarness, OPERATOR } from './exchange-harness.fixture.ts'
import { NUMBER_RULES, RULES_VERSION } from './rules.ts'

function market(version = RULES_VERSION) {
  const it = new ExchangeHarness()
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version })
  const ann = it.trader('ann', { BTC: 1_000n, USDT: 1_000_000n })
  const bid = () => it.accepted({ who: ann, side: 'BUY', price: 100, quantity: 10 }).orderNumber
  const trade = () => {
    it.accepted({ who: ann, side: 'SELL', price: 100, quantity: 1 })
    return it.events.flatMap((event) => (event.kind === 'OrdersMatched' ? [event.tradeNumber] : [])).at(0)
  }
  const begin = (epoch: number) => it.give({ kind: 'BeginEpoch', epoch })
  return { it, ann, bid, trade, begin }
}

test('numbers of orders and trades continue 1,000,000,000 higher, and the epoch is kept in snapshots', () => {
  const { it, bid, trade, begin } = market()
  expect([bid(), trade(), it.exchange.epoch]).toEqual([1 as OrderNumber, 1 as never, 0])
  expect(begin(3)).toEqual({ kind: 'Done', repeated: false })
  expect([it.events, it.exchange.epoch]).toEqual([[], 3])
  const bytes = it.exchange.encodeSnapshot()
  const again = Exchange.decodeSnapshot(bytes)
  expect([again.epoch, again.encodeSnapshot()]).toEqual([3, bytes])
  expect([bid(), trade()]).toEqual([(NUMBERS_JUMP + 3) as OrderNumber, (NUMBERS_JUMP + 2) as never])
  // If the command is repeated, as after a loss in the same epoch, the numbers jump again.
  begin(3)
  expect([bid() > 2 * NUMBERS_JUMP, it.exchange.epoch]).toEqual([true, 3])
  begin(1)
  expect(it.exchange.epoch).toBe(3)
})

test('numbers jump even where the command is quarantined, and not before its rules', () => {
  const { it, bid } = market()
  it.exchange.refuse(timeMs(it.exchange.time + 1), { kind: 'BeginEpoch', epoch: 2 })
  expect([bid(), it.exchange.epoch]).toEqual([(NUMBERS_JUMP + 1) as OrderNumber, 2])
  const early = market(NUMBER_RULES - 1)
  expect(early.begin(1)).toEqual({ kind: 'Refused', reason: 'RULES_VERSION_TOO_LOW' })
  expect(early.bid()).toBe(1 as OrderNumber)
})

test('numbers jump no further than their bound, so that every id and every number of an event is exact', () => {
  const { it, bid, begin } = market()
  for (let epoch = 1; epoch <= NUMBERS_JUMP_TO_MAX / NUMBERS_JUMP; epoch++) begin(epoch)
  const last = bid()
  expect(Number(last)).toBe(281_474 * NUMBERS_JUMP + 1)
  begin(281_475)
  expect([bid(), it.exchange.epoch]).toEqual([(last + 1) as OrderNumber, 281_475])
  expect(16 * (NUMBERS_JUMP_TO_MAX + it.exchange.seq)).toBeLessThan(Number.MAX_SAFE_INTEGER)
  expect(uuidOf('order', last, timeMs(1))).not.toBe(uuidOf('order', (last - 1) as OrderNumber, timeMs(1)))
})
