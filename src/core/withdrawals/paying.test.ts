/**
 * Two people and a withdrawal requested by a trader: the second one approves before it is claimed
 * (docs/reference/withdrawals.md#paying).
 */
import { describe, expect, test } from 'bun:test'
import { amount, timeMs } from '../../units/quantities.ts'
import type { Command } from '../commands/command.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../exchange/rules.ts'

const PLACE = { asset: 'BTC', address: 'bc1qalice', tag: '' }

/** Alice has requested 40 of her 100 units; an amount above 30 needs two of ann, ben and col. */
function payHarness() {
  const it = new ExchangeHarness()
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const alice = it.trader('alice', { BTC: 100n })
  const give = (command: Command): string => {
    const reply = it.give(command)
    if (reply.kind === 'Refused') return reply.reason
    return 'repeated' in reply && reply.repeated ? 'repeated' : reply.kind
  }
  for (const [at, name] of ['ann', 'ben', 'col'].entries()) {
    const digest = new Uint8Array(32).fill(at + 1)
    give({ kind: 'AddAdminToken', operator: OPERATOR, name, role: 'OPERATOR', digest })
  }
  const above = (units: bigint) => {
    const limits = { supplyCap: amount(0n), creditMax: amount(0n), approvalAbove: amount(units) }
    return give({ kind: 'SetAssetTerms', operator: OPERATOR, code: 'BTC', name: 'BTC', ...limits })
  }
  above(30n)
  const allowed = { isAllowed: true, label: '', isAtOnce: true }
  give({ kind: 'SetAccountAddress', operator: OPERATOR, accountId: alice, ...PLACE, ...allowed })
  const ask = (units: bigint) =>
    give({
      kind: 'AskWithdrawal',
      accountId: alice,
      ...PLACE,
      amount: amount(units),
      withdrawOrderId: undefined,
    })
  ask(40n)
  const newest = () => {
    const [withdrawal] = it.exchange.accountWithdrawals(alice).withdrawals
    if (withdrawal === undefined) throw new Error('nothing was asked for')
    return withdrawal
  }
  const by = (actor: string, note = '') => ({ operator: { actor, note }, reference: newest().reference })
  const handle = (step: 'CLAIM' | 'REFUSE', actor: string, reason = step === 'CLAIM' ? '' : 'no') =>
    give({ kind: 'HandleWithdrawal', ...by(actor), step, reason })
  const say = (
    kind: 'Approve' | 'Reject' | 'CompleteWithdrawal' | 'CancelWithdrawal',
    actor: string,
    note = '',
  ) => give({ kind, ...by(actor, note) })
  const retract = () =>
    give({
      kind: 'RetractWithdrawal',
      accountId: alice,
      name: { kind: 'ID', reference: newest().reference },
    })
  const handling = () => it.exchange.bootstrap().backOffice?.handlings?.[0]
  const money = () => {
    const { free, freeze } = it.exchange.balance(alice, 0 as never)
    return [Number(free), Number(freeze)]
  }
  return { it, give, above, ask, newest, handle, say, retract, handling, money }
}

describe('a large withdrawal', () => {
  test('is claimed once a second person approves, and completed without a third', () => {
    const { handle, say, newest, handling, money, it } = payHarness()
    expect([handle('CLAIM', 'ann'), handle('CLAIM', 'ben'), say('Approve', 'ann')]).toEqual([
      'ApprovalNeeded',
      'ApprovalNeeded',
      'SELF_APPROVAL',
    ])
    expect([newest().asked.claimedAt, handling(), say('CompleteWithdrawal', 'ann')]).toEqual([
      undefined,
      undefined,
      'WITHDRAWAL_NOT_CLAIMED',
    ])
    expect(say('Approve', 'ben')).toBe('Done')
    expect(newest().asked.claimedAt).toBe(it.exchange.time)
    expect(handling()).toMatchObject({ claimedBy: 'ann', approvedBy: ['ben'], rejected: undefined })
    expect([money(), say('CompleteWithdrawal', 'col'), money(), handling()]).toEqual([
      [60, 40],
      'Done',
      [60, 0],
      undefined,
    ])
    it.mustAddUp()
  })

  test('that is claimed is released by two people, and never by one', () => {
    for (const first of ['HandleWithdrawal', 'CancelWithdrawal'] as const) {
      const { handle, say, newest, above, money, it } = payHarness()
      const refuse = (actor: string) =>
        first === 'HandleWithdrawal' ? handle('REFUSE', actor) : say('CancelWithdrawal', actor)
      handle('CLAIM', 'ann')
      say('Approve', 'ben')
      // A threshold that was raised since then does not make one person sufficient.
      above(1_000n)
      const answers = [refuse('ann'), refuse('ann'), say('Approve', 'ann'), money()]
      expect(answers).toEqual(['ApprovalNeeded', 'ApprovalNeeded', 'SELF_APPROVAL', [60, 40]])
      expect([say('Approve', 'col'), money()]).toEqual(['Done', [100, 0]])
      const reason = first === 'HandleWithdrawal' ? 'no' : ''
      expect(newest().asked.end).toMatchObject({ canceledBy: 'OPERATOR', reason })
      it.mustAddUp()
    }
  })

  test('that was claimed under a higher threshold is released by two people', () => {
    const { handle, say, above, money } = payHarness()
    above(50n)
    expect(handle('CLAIM', 'ann')).toBe('Done')
    above(30n)
    expect([handle('REFUSE', 'ann'), money()]).toEqual(['ApprovalNeeded', [60, 40]])
    expect([say('CompleteWithdrawal', 'ann'), say('Reject', 'ben')]).toEqual(['REFERENCE_CONFLICT', 'Done'])
    expect([say('CompleteWithdrawal', 'ann'), handle('REFUSE', 'ann')]).toEqual([
      'ApprovalNeeded',
      'APPROVAL_WAITS',
    ])
    expect([say('Approve', 'ben'), money()]).toEqual(['Done', [60, 0]])
  })

  test('whose claim waits is neither refused nor canceled by an operator, and its trader still may cancel it', () => {
    const { handle, say, retract, it, money } = payHarness()
    handle('CLAIM', 'ann')
    expect([handle('REFUSE', 'ann'), say('CancelWithdrawal', 'ben')]).toEqual([
      'APPROVAL_WAITS',
      'APPROVAL_WAITS',
    ])
    expect([retract(), say('Approve', 'ben'), money()]).toEqual(['Done', 'UNKNOWN_APPROVAL', [100, 0]])
    expect(it.exchange.bootstrap().backOffice?.approvals).toEqual([])
  })

  test('whose claim is rejected waits as before, and shows who rejected it and why', () => {
    const { handle, say, newest, handling, it, retract, ask } = payHarness()
    handle('CLAIM', 'ann')
    expect(say('Reject', 'ben', 'not his wallet')).toBe('Done')
    const rejected = {
      ...{ kind: 'ClaimWithdrawal', askedBy: 'ann', rejectedBy: 'ben', note: 'not his wallet' },
      at: it.exchange.time,
    }
    const reference = newest().reference
    expect(handling()).toEqual({ reference, claimedBy: undefined, approvedBy: [], rejected } as never)
    // The request is made again and carried out, and the rejection is void.
    expect([handle('CLAIM', 'ann'), say('Approve', 'ben')]).toEqual(['ApprovalNeeded', 'Done'])
    expect(handling()).toMatchObject({ claimedBy: 'ann', rejected: undefined })
    say('CompleteWithdrawal', 'ann')
    // Money without an approved claim was not paid: one person returns it, or its trader cancels.
    for (const end of [() => handle('REFUSE', 'ann'), retract]) {
      ask(40n)
      handle('CLAIM', 'ann')
      say('Reject', 'ben')
      expect([end(), newest().state, handling()]).toEqual(['Done', 'CANCELED', undefined])
    }
    it.mustAddUp()
  })

  test('that an operator holds keeps the trace of a rejected completion, and cannot be canceled past one that waits', () => {
    const { give, it, handling, above } = payHarness()
    const by = { operator: { actor: 'ann', note: '' }, reference: 'tx-1' }
    above(5n)
    give({ kind: 'HoldWithdrawal', ...by, accountId: 3 as never, asset: 'BTC', amount: amount(10n) })
    expect(give({ kind: 'CompleteWithdrawal', ...by })).toBe('ApprovalNeeded')
    expect(give({ kind: 'CancelWithdrawal', ...by })).toBe('APPROVAL_WAITS')
    expect(give({ kind: 'Reject', ...by, operator: { actor: 'ben', note: '' } })).toBe('Done')
    expect(handling()?.rejected).toMatchObject({ kind: 'CompleteWithdrawal', rejectedBy: 'ben' })
    expect([give({ kind: 'CancelWithdrawal', ...by }), handling()]).toEqual(['Done', undefined])
    it.mustAddUp()
  })
})

test('a small withdrawal is claimed, refused and completed by one person, and shows who claimed it', () => {
  const { handle, above, handling, money } = payHarness()
  above(40n)
  expect([handle('CLAIM', 'ann'), handling()?.claimedBy, handling()?.approvedBy]).toEqual(['Done', 'ann', []])
  expect([handle('REFUSE', 'ben'), money()]).toEqual(['Done', [100, 0]])
})

test('the claims of each operator are part of the state', () => {
  const { it, handle, say, ask } = payHarness()
  handle('CLAIM', 'ann')
  say('Approve', 'ben')
  ask(35n)
  handle('CLAIM', 'ben')
  say('Reject', 'col', 'why')
  handle('CLAIM', 'ben')
  const bytes = it.exchange.encodeSnapshot()
  const again = Exchange.decodeSnapshot(bytes)
  expect(again.encodeSnapshot()).toEqual(bytes)
  expect(again.bootstrap()).toEqual(it.exchange.bootstrap())
  expect(again.bootstrap().backOffice?.handlings).toHaveLength(2)
  const time = timeMs(it.exchange.time + 1)
  const [waiting] = it.exchange.bootstrap().backOffice?.approvals ?? []
  const approve = { kind: 'Approve', operator: { actor: 'col', note: '' } } as const
  for (const exchange of [it.exchange, again])
    exchange.apply({ ...approve, reference: waiting?.reference ?? '' }, time, () => {})
  expect(again.encodeSnapshot()).toEqual(it.exchange.encodeSnapshot())
})
