import { describe, expect, test } from 'bun:test'
import type { AccountId } from '../../units/ids.ts'
import { FEES_ACCOUNT } from '../../units/ids.ts'
import { AMOUNT_MAX, TEXT_MAX } from '../../units/limits.ts'
import { amount } from '../../units/quantities.ts'
import { ALL_FLAGS, ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import type { Reply } from '../questions/reply.ts'

const CAP = 21_000_000n
const CAPPED = 2

/** Alice, and an asset with a supply cap of `CAP` units. */
function harness() {
  const it = new ExchangeHarness()
  const terms = { code: 'CAPPED', name: 'Capped', fraction: 0 as never, flags: ALL_FLAGS }
  it.give({ kind: 'ListAsset', operator: OPERATOR, ...terms, supplyCap: amount(CAP) })
  const alice = it.trader('alice', {})
  let count = 0
  type Words = { asset?: string; accountId?: AccountId; reference?: string }
  const transfer = (kind: 'Credit' | 'Debit', units: bigint, words: Words = {}): string => {
    const place = { accountId: alice, asset: 'CAPPED', reference: `t${count++}`, ...words }
    return wordOf(it.give({ kind, operator: OPERATOR, ...place, amount: amount(units) }))
  }
  const credit = (units: bigint, words?: Words) => transfer('Credit', units, words)
  const debit = (units: bigint, words?: Words) => transfer('Debit', units, words)
  return { it, alice, credit, debit, free: () => it.money(alice, CAPPED).free }
}

function wordOf(reply: Reply): string {
  return reply.kind === 'Refused' ? reply.reason : reply.kind
}

describe('the supply cap', () => {
  test('is met to the unit: the total in the exchange may reach it and not exceed it', () => {
    const { credit, free } = harness()
    expect(credit(CAP - 1n)).toBe('Done')
    expect(credit(2n)).toBe('SUPPLY_LIMIT')
    expect(credit(1n)).toBe('Done')
    expect(credit(1n)).toBe('SUPPLY_LIMIT')
    expect(free()).toBe(CAP)
  })

  test('counts the present total: a debit makes room', () => {
    const { credit, debit } = harness()
    expect([credit(CAP), debit(5n), credit(6n), credit(5n)]).toEqual(['Done', 'Done', 'SUPPLY_LIMIT', 'Done'])
  })

  test('of an asset without one is the largest amount there is', () => {
    const { credit } = harness()
    const asset = 'BTC'
    expect(credit(AMOUNT_MAX, { asset })).toBe('Done')
    expect(credit(1n, { asset })).toBe('SUPPLY_LIMIT')
  })
})

test('a debit takes at most the free balance, to the unit', () => {
  const { credit, debit, free } = harness()
  credit(7n)
  expect([debit(8n), debit(7n), debit(1n)]).toEqual(['INSUFFICIENT_FUNDS', 'Done', 'INSUFFICIENT_FUNDS'])
  expect(free()).toBe(0n)
})

test('an amount is 1 to the largest, and a reference has 1 to the maximum of characters', () => {
  const { credit } = harness()
  for (const units of [-1n, 0n, AMOUNT_MAX + 1n]) {
    expect(credit(units, { asset: 'BTC' })).toBe('INVALID_COMMAND')
  }
  for (const reference of ['', 'x'.repeat(TEXT_MAX + 1)])
    expect(credit(1n, { reference })).toBe('INVALID_COMMAND')
  for (const reference of ['x', 'x'.repeat(TEXT_MAX)]) expect(credit(1n, { reference })).toBe('Done')
})

test('money moves to and from traders alone: not to the house, the outside world or an unknown account', () => {
  const { credit } = harness()
  expect(credit(1n, { accountId: FEES_ACCOUNT })).toBe('INVALID_COMMAND')
  expect(credit(1n, { accountId: 0 as AccountId })).toBe('INVALID_COMMAND')
  expect(credit(1n, { accountId: 99 as AccountId })).toBe('UNKNOWN_ACCOUNT')
})

test('a transfer is published once, with the sign of what came in; a repeat is not published', () => {
  const { it, credit, debit } = harness()
  credit(7n, { reference: 'in' })
  expect(it.events).toMatchObject([{ kind: 'ExternalTransfer', amount: 7, reference: 'in' }])
  credit(7n, { reference: 'in' })
  expect(it.events).toEqual([])
  debit(3n, { reference: 'out' })
  expect(it.events).toMatchObject([{ kind: 'ExternalTransfer', amount: -3, reference: 'out' }])
})
