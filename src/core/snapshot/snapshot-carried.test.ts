import { expect, test } from 'bun:test'
import { ByteReader, BytesFault } from '../../units/bytes.ts'
import type { OrderNumber } from '../../units/ids.ts'
import { CANCEL_ORDERS_MAX, MASS_CANCEL_STEPS_MAX, MATCH_STEPS_MAX } from '../../units/limits.ts'
import { orderOf } from '../exchange/exchange-harness.fixture.ts'
import { KEY_NUMBER_RULES, RULES_VERSION } from '../exchange/rules.ts'
import { FastBook } from '../market/fast-book.ts'
import { REGISTRY_LIMITS } from '../registry/registry.ts'
import { CLIENT_ORDER_ID_LIMITS } from '../trading/client-order-ids.ts'
import { LOT, scene } from '../trading/lists/lists.fixture.ts'
import { SESSION_LIMITS } from '../trading/timers/sessions.ts'
import { readState } from './snapshot.ts'
import { carriedPart } from './snapshot-carried.ts'

const OPTIONS = {
  createBook: () => new FastBook(),
  matchStepsMax: MATCH_STEPS_MAX,
  clientOrderIdLimits: CLIENT_ORDER_ID_LIMITS,
  massCancelSteps: { first: CANCEL_ORDERS_MAX, next: MASS_CANCEL_STEPS_MAX },
  sessionLimits: SESSION_LIMITS,
  registryLimits: REGISTRY_LIMITS,
}

/** Reads the section of keys into a state with the orders 1 and 2, which have no key. */
function keysRead(rules: number, ...bytes: readonly number[]): (number | undefined)[] {
  const s = scene({}, rules)
  for (const price of [11_000, 12_000]) {
    s.it.give(orderOf({ who: s.ann, side: 'SELL', price, quantity: LOT }))
  }
  const state = readState(new ByteReader(s.it.exchange.encodeSnapshot()), OPTIONS)
  carriedPart('keyNumber').read(new ByteReader(Uint8Array.from(bytes)), state)
  return [1, 2].map((number) => state.orders.get(number as OrderNumber)?.keyNumber)
}

test('the keys of open orders are read by number of the order', () => {
  expect(keysRead(RULES_VERSION, 1, 2, 7)).toEqual([undefined, 7])
  expect(keysRead(RULES_VERSION, 2, 1, 7, 1, 9)).toEqual([7, 9])
})

test('keys of an unknown order, key 0, two keys of an order, and keys under earlier rules are faults', () => {
  for (const bytes of [
    [1, 3, 7],
    [1, 1, 0],
    [2, 1, 7, 0, 9],
  ]) {
    expect(() => keysRead(RULES_VERSION, ...bytes)).toThrow(BytesFault)
  }
  expect(() => keysRead(KEY_NUMBER_RULES - 1, 1, 1, 7)).toThrow('the keyNumber of order 1')
})
