import { describe, expect, test } from 'bun:test'
import type { AccountId } from '../../units/ids.ts'
import { APPROVAL_LIFETIME_MS } from '../../units/limits.ts'
import { amount, timeMs } from '../../units/quantities.ts'
import { bigintOf } from '../../units/whole.ts'
import type { Command } from '../commands/command.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import type { Balance } from '../questions/view.ts'

const START = 100n
const BTC = 0

/** Alice with 100 units of BTC. Answers are the kind of the reply, or the reason for a refusal. */
function harness() {
  const it = new ExchangeHarness()
  const alice = it.trader('alice', { BTC: START })
  for (const name of ['ann', 'bob']) it.token(name)
  const ask = (command: Command): string => {
    const reply = it.give(command)
    if (reply.kind === 'Refused') return reply.reason
    return reply.kind === 'Done' && reply.repeated ? 'Repeated' : reply.kind
  }
  const money = (
    kind: 'HoldWithdrawal' | 'Credit' | 'Debit',
    units: bigint,
    reference: string,
    who = 'ann',
  ) =>
    ask({
      kind,
      operator: { actor: who, note: '' },
      accountId: alice,
      asset: 'BTC',
      amount: amount(units),
      reference,
    })
  const end = (
    kind: 'CompleteWithdrawal' | 'CancelWithdrawal' | 'Approve' | 'Reject',
    reference: string,
    actor = 'ann',
  ) => ask({ kind, operator: { actor, note: '' }, reference })
  const move = (from: 'free' | 'freeze', to: 'free' | 'freeze', units: bigint, reference: string) =>
    ask({
      kind: 'MoveBetweenBuckets',
      operator: OPERATOR,
      accountId: alice,
      asset: 'BTC',
      from,
      to,
      amount: amount(units),
      reference,
    })
  const threshold = (units: bigint) =>
    ask({
      kind: 'SetAssetTerms',
      operator: OPERATOR,
      code: 'BTC',
      name: 'BTC',
      supplyCap: amount(0n),
      creditMax: amount(0n),
      approvalAbove: amount(units),
    })
  const balance = () => {
    const { free, freeze } = it.exchange.balances(alice)[BTC] as Balance
    return [bigintOf(free), bigintOf(freeze)]
  }
  return { it, alice, ask, money, end, move, threshold, balance }
}

describe('a withdrawal', () => {
  test('ends once: the same end again is a repeat, the other end is refused, and its money moves no more', () => {
    const { money, end, balance } = harness()
    expect(money('HoldWithdrawal', 60n, 'w')).toBe('Done')
    expect(balance()).toEqual([40n, 60n])
    expect(end('CompleteWithdrawal', 'w')).toBe('Done')
    expect([end('CompleteWithdrawal', 'w'), end('CancelWithdrawal', 'w')]).toEqual([
      'Repeated',
      'WITHDRAWAL_FINISHED',
    ])
    expect(money('HoldWithdrawal', 60n, 'w')).toBe('Repeated')
    expect(balance()).toEqual([40n, 0n])
    expect(money('HoldWithdrawal', 10n, 'v')).toBe('Done')
    expect(end('CancelWithdrawal', 'v')).toBe('Done')
    expect([end('CancelWithdrawal', 'v'), end('CompleteWithdrawal', 'v')]).toEqual([
      'Repeated',
      'WITHDRAWAL_FINISHED',
    ])
    expect(balance()).toEqual([40n, 0n])
  })

  test('has a reference of its own: no credit, debit or move may have it too, even the same move', () => {
    const { money, end, move, balance } = harness()
    money('HoldWithdrawal', 60n, 'w')
    for (const kind of ['Credit', 'Debit'] as const) expect(money(kind, 60n, 'w')).toBe('REFERENCE_CONFLICT')
    expect(move('free', 'freeze', 60n, 'w')).toBe('REFERENCE_CONFLICT')
    end('CompleteWithdrawal', 'w')
    expect(move('free', 'freeze', 60n, 'w')).toBe('REFERENCE_CONFLICT')
    expect(balance()).toEqual([40n, 0n])
    expect(move('free', 'freeze', 10n, 'm')).toBe('Done')
    expect(move('free', 'freeze', 10n, 'm')).toBe('Repeated')
    expect(money('HoldWithdrawal', 10n, 'm')).toBe('REFERENCE_CONFLICT')
    expect(end('CompleteWithdrawal', 'm')).toBe('UNKNOWN_WITHDRAWAL')
  })

  test('is not affected by a move out of freeze: what it holds cannot be moved', () => {
    const { money, move, end } = harness()
    money('HoldWithdrawal', 60n, 'w')
    move('free', 'freeze', 5n, 'm')
    expect(move('freeze', 'free', 6n, 'n')).toBe('INSUFFICIENT_FUNDS')
    expect(move('freeze', 'free', 5n, 'o')).toBe('Done')
    expect(end('CompleteWithdrawal', 'w')).toBe('Done')
  })

  test('keeps its account open until it has ended', () => {
    const { alice, ask, money, end } = harness()
    const close = () => ask({ kind: 'CloseAccount', operator: OPERATOR, accountId: alice })
    money('HoldWithdrawal', START, 'w')
    expect(close()).toBe('ACCOUNT_NOT_EMPTY')
    end('CompleteWithdrawal', 'w')
    expect(close()).toBe('Done')
    expect([money('Credit', 1n, 'c'), money('HoldWithdrawal', 1n, 'x')]).toEqual([
      'ACCOUNT_CLOSED',
      'ACCOUNT_CLOSED',
    ])
  })
})

describe('a request that waits for a second person', () => {
  test('is checked again when it is approved: a refused one keeps waiting, and nothing has moved', () => {
    const { money, end, threshold, balance } = harness()
    threshold(50n)
    expect(money('Debit', 80n, 'd')).toBe('ApprovalNeeded')
    expect(money('Debit', 50n, 'small')).toBe('Done')
    expect(end('Approve', 'd', 'bob')).toBe('INSUFFICIENT_FUNDS')
    expect(balance()).toEqual([50n, 0n])
    money('Credit', 40n, 'c')
    expect([end('Approve', 'd', 'ann'), end('Approve', 'd', 'bob')]).toEqual(['SELF_APPROVAL', 'Done'])
    expect([end('Approve', 'd', 'bob'), money('Debit', 80n, 'd')]).toEqual(['UNKNOWN_APPROVAL', 'Repeated'])
    expect(balance()).toEqual([10n, 0n])
  })

  test('does not reach an account that has been closed meanwhile', () => {
    const { alice, ask, money, end, threshold } = harness()
    threshold(50n)
    money('Credit', 80n, 'c')
    for (const [i, units] of [50n, 50n].entries()) money('Debit', units, `out${i}`)
    expect(ask({ kind: 'CloseAccount', operator: OPERATOR, accountId: alice as AccountId })).toBe('Done')
    expect(end('Approve', 'c', 'bob')).toBe('ACCOUNT_CLOSED')
  })

  test('reserves its reference, and a waiting withdrawal is canceled once its request is rejected', () => {
    const { money, end, move, threshold, balance } = harness()
    threshold(50n)
    money('Debit', 80n, 'd')
    expect(move('free', 'freeze', 1n, 'd')).toBe('REFERENCE_CONFLICT')
    expect(money('HoldWithdrawal', 1n, 'd')).toBe('REFERENCE_CONFLICT')
    expect(money('Debit', 79n, 'd')).toBe('REFERENCE_CONFLICT')
    money('HoldWithdrawal', 60n, 'w')
    expect(end('CompleteWithdrawal', 'w')).toBe('ApprovalNeeded')
    expect(end('CancelWithdrawal', 'w')).toBe('APPROVAL_WAITS')
    expect([end('Reject', 'w', 'bob'), end('CancelWithdrawal', 'w')]).toEqual(['Done', 'Done'])
    expect(end('Approve', 'w', 'bob')).toBe('UNKNOWN_APPROVAL')
    expect(balance()).toEqual([START, 0n])
  })

  test('is forgotten by journal time, to the millisecond, and a snapshot before that changes nothing', () => {
    for (const isRestarted of [false, true]) {
      const { it, money, threshold } = harness()
      threshold(50n)
      money('Debit', 80n, 'd')
      const asked = it.exchange.time
      const exchange = isRestarted ? Exchange.decodeSnapshot(it.exchange.encodeSnapshot()) : it.exchange
      const approve = (at: number) =>
        exchange.apply(
          { kind: 'Approve', operator: { actor: 'ann', note: '' }, reference: 'd' },
          timeMs(at),
          () => {},
        )
      expect(approve(asked + APPROVAL_LIFETIME_MS - 1)).toMatchObject({ reason: 'SELF_APPROVAL' })
      expect(approve(asked + APPROVAL_LIFETIME_MS)).toMatchObject({ reason: 'UNKNOWN_APPROVAL' })
    }
  })
})
