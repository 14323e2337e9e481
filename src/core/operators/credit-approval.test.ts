import { expect, test } from 'bun:test'
import type { AccountId } from '../../units/ids.ts'
import { amount } from '../../units/quantities.ts'
import { ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import type { Reply } from '../questions/reply.ts'

const wordOf = (reply: Reply): string => (reply.kind === 'Refused' ? reply.reason : reply.kind)

test('one credit is at most the asset’s limit, and a sum of exactly the approval threshold needs no second person', () => {
  const harness = new ExchangeHarness()
  harness.token(OPERATOR.actor)
  const alice = harness.trader('alice', {})
  const limits = { creditMax: amount(1_000n), approvalAbove: amount(700n) }
  const terms = { code: 'BTC', name: 'Bitcoin', supplyCap: amount(0n), ...limits }
  expect(harness.give({ kind: 'SetAssetTerms', operator: OPERATOR, ...terms }).kind).toBe('Done')
  const credit = (units: bigint): string => {
    const what = { accountId: alice, asset: 'BTC', amount: amount(units), reference: `credit of ${units}` }
    return wordOf(harness.give({ kind: 'Credit', operator: OPERATOR, ...what }))
  }
  expect([700n, 701n, 1_000n, 1_001n].map(credit)).toEqual([
    'Done',
    'ApprovalNeeded',
    'ApprovalNeeded',
    'CREDIT_LIMIT',
  ])
  expect(harness.money(alice, 0).free).toBe(700n)
})

test('what waits under a reference is asked for again only with the same account, asset, amount and kind', () => {
  const harness = new ExchangeHarness()
  harness.token(OPERATOR.actor)
  const alice = harness.trader('alice', { BTC: 1_000n, USDT: 1_000n })
  const bob = harness.trader('bob', { BTC: 1_000n })
  for (const code of ['BTC', 'USDT']) {
    const limits = { supplyCap: amount(0n), creditMax: amount(0n), approvalAbove: amount(10n) }
    harness.give({ kind: 'SetAssetTerms', operator: OPERATOR, code, name: code, ...limits })
  }
  const ask = (kind: 'Credit' | 'Debit', accountId: AccountId, asset: string, units: bigint): string =>
    wordOf(
      harness.give({ kind, operator: OPERATOR, accountId, asset, amount: amount(units), reference: 'r' }),
    )
  expect(ask('Debit', alice, 'BTC', 50n)).toBe('ApprovalNeeded')
  expect(ask('Debit', alice, 'BTC', 50n)).toBe('ApprovalNeeded')
  expect(ask('Debit', alice, 'USDT', 50n)).toBe('REFERENCE_CONFLICT')
  expect(ask('Debit', bob, 'BTC', 50n)).toBe('REFERENCE_CONFLICT')
  expect(ask('Debit', alice, 'BTC', 51n)).toBe('REFERENCE_CONFLICT')
  expect(ask('Credit', alice, 'BTC', 50n)).toBe('REFERENCE_CONFLICT')
})
