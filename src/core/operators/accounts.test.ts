import { expect, test } from 'bun:test'
import { amount } from '../../units/quantities.ts'
import { ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'

test('an account is closed only when no bucket of it holds a unit: savings and freeze count like free', () => {
  for (const bucket of ['savings', 'freeze'] as const) {
    const it = new ExchangeHarness()
    const flags = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true }
    it.give({ kind: 'SetAssetFlags', operator: OPERATOR, code: 'USDT', flags })
    const accountId = it.trader('alice', { USDT: 1n })
    const close = () => {
      const reply = it.give({ kind: 'CloseAccount', operator: OPERATOR, accountId })
      return reply.kind === 'Refused' ? reply.reason : reply.kind
    }
    const place = { accountId, asset: 'USDT', amount: amount(1n) }
    const move = { kind: 'MoveBetweenBuckets', operator: OPERATOR, ...place } as const
    expect(close()).toBe('ACCOUNT_NOT_EMPTY')
    expect(it.give({ ...move, from: 'free', to: bucket, reference: 'aside' }).kind).toBe('Done')
    expect(close()).toBe('ACCOUNT_NOT_EMPTY')
    expect(it.give({ ...move, from: bucket, to: 'free', reference: 'back' }).kind).toBe('Done')
    expect(it.give({ kind: 'Debit', operator: OPERATOR, ...place, reference: 'out' }).kind).toBe('Done')
    expect(close()).toBe('Done')
  }
})
