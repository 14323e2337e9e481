/**
 * docs/reference/iceberg-orders.md is checked against the code: its figures against the stated values, its
 * example against the exchange.
 */
import { expect, test } from 'bun:test'
import { ExchangeHarness, OPERATOR } from '../src/core/exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../src/core/exchange/rules.ts'
import { ICEBERG_PARTS_MAX } from '../src/core/trading/iceberg.ts'
import { MATCH_STEPS_MAX } from '../src/units/limits.ts'
import { reference, section } from './support/reference.ts'

const PAGE = reference('iceberg-orders')
const EXAMPLE = [...section(PAGE, 'Example').matchAll(/^\| (\d+) \| (.*?) \| (.*?) ?\|$/gm)]

test('iceberg-orders.md states how small a part may be, and how many an arriving order meets', () => {
  expect(PAGE).toContain(`at least 1/${ICEBERG_PARTS_MAX} of \`quantity\``)
  expect(PAGE).toContain(`[${MATCH_STEPS_MAX.toLocaleString('en')} resting orders]`)
})

test('the example in iceberg-orders.md matches the exchange', () => {
  expect(EXAMPLE.length).toBeGreaterThan(3)
  const harness = new ExchangeHarness()
  harness.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const money = { BTC: 1_000n, USDT: 1_000_000n }
  const [ann, cem, ben] = ['Ann', 'Cem', 'Ben'].map((name) => harness.trader(name, money)) as [
    never,
    never,
    never,
  ]
  harness.accepted({ who: ann, side: 'SELL', price: 100, quantity: 8, icebergQuantity: 3 })
  harness.accepted({ who: cem, side: 'SELL', price: 100, quantity: 4 })
  for (const [, bought = '', trades = '', shown = ''] of EXAMPLE) {
    harness.accepted({ who: ben, side: 'BUY', price: 100, quantity: Number(bought), timeInForce: 'IOC' })
    const made = harness.events.flatMap((event) =>
      event.kind === 'OrdersMatched'
        ? [`${event.maker.accountId === ann ? 'Ann' : 'Cem'} ${event.quantity}`]
        : [],
    )
    expect([bought, made.join(', ')]).toEqual([bought, trades])
    const sum = [...shown.matchAll(/\d+/g)].reduce((all, [part]) => all + BigInt(part), 0n)
    const level = harness.exchange.book(0 as never).sell[0]?.quantity ?? 0n
    expect([bought, level]).toEqual([bought, sum])
  }
})
