/** Every list that operators keep is full at its limit, and says so: nobody with a token fills memory. */
import { expect, test } from 'bun:test'
import {
  ADDRESS_BANS_MAX,
  ADMIN_TOKENS_MAX,
  APPROVAL_LIFETIME_MS,
  APPROVALS_MAX,
  FEE_TIERS_MAX,
  PENDING_WITHDRAWALS_MAX,
} from '../../../units/limits.ts'
import { amount, RATE_ONE, type Rate, type TimeMs, timeMs } from '../../../units/quantities.ts'
import type { Command } from '../command.ts'
import { Desk, OPERATOR } from '../desk.contract.ts'
import type { Reply } from '../reply.ts'

const wordOf = (reply: Reply): string => (reply.kind === 'Refused' ? reply.reason : reply.kind)

/** The answers to commands 0, 1, ... up to one beyond the limit: all alike but for the last. */
function answersOf(desk: Desk, max: number, command: (at: number) => Command): (string | undefined)[] {
  const answers = Array.from({ length: max + 1 }, (_, at) => wordOf(desk.give(command(at))))
  expect(new Set(answers.slice(0, max)).size).toBe(1)
  return [answers[0], answers.at(-1)]
}

test('fee tiers', () => {
  const share = RATE_ONE as Rate
  const answers = answersOf(new Desk(), FEE_TIERS_MAX, (at) => ({
    kind: 'SetFeeTier',
    operator: OPERATOR,
    name: `tier-${at}`,
    makerShare: share,
    takerShare: share,
  }))
  expect(answers).toEqual(['Done', 'LIMIT_REACHED'])
})

test('tokens, revoked ones included', () => {
  const desk = new Desk()
  const add = (at: number): Command => ({
    kind: 'AddAdminToken',
    operator: OPERATOR,
    name: `token-${at}`,
    role: 'SUPPORT',
    digest: new Uint8Array(32),
  })
  expect(answersOf(desk, ADMIN_TOKENS_MAX, add)).toEqual(['Done', 'LIMIT_REACHED'])
  desk.give({ kind: 'RevokeAdminToken', operator: OPERATOR, name: 'token-0' })
  expect(wordOf(desk.give(add(ADMIN_TOKENS_MAX)))).toBe('LIMIT_REACHED')
})

test('bans: what is over makes room, and nothing else', () => {
  const desk = new Desk()
  const end = timeMs(2 ** 40)
  const ban = (until: TimeMs) => (at: number) =>
    ({ kind: 'BanAddress', operator: OPERATOR, address: `10.${at}`, until }) as const
  desk.give(ban(timeMs(desk.exchange.time + 2))(-1))
  expect(answersOf(desk, ADDRESS_BANS_MAX, ban(end))).toEqual(['Done', 'LIMIT_REACHED'])
})

test('what waits for approval: what nobody approves in time makes room', () => {
  const desk = new Desk()
  const alice = desk.trader('alice', {})
  const terms = { code: 'BTC', name: 'Bitcoin', supplyCap: amount(0n), creditMax: amount(0n) }
  desk.give({ kind: 'SetAssetTerms', operator: OPERATOR, ...terms, approvalAbove: amount(1n) })
  const credit = (at: number): Command => ({
    kind: 'Credit',
    operator: OPERATOR,
    accountId: alice,
    asset: 'BTC',
    amount: amount(2n),
    reference: `waits-${at}`,
  })
  expect(answersOf(desk, APPROVALS_MAX, credit)).toEqual(['ApprovalNeeded', 'TOO_MANY_PENDING'])
  desk.exchange.apply(credit(-1), timeMs(desk.exchange.time + APPROVAL_LIFETIME_MS), () => {})
  expect(wordOf(desk.give(credit(-2)))).toBe('ApprovalNeeded')
})

test('withdrawals that wait: one that ends makes room', () => {
  const desk = new Desk()
  const alice = desk.trader('alice', { BTC: 1_000_000n })
  const hold = (at: number): Command => ({
    kind: 'HoldWithdrawal',
    operator: OPERATOR,
    accountId: alice,
    asset: 'BTC',
    amount: amount(1n),
    reference: `out-${at}`,
  })
  expect(answersOf(desk, PENDING_WITHDRAWALS_MAX, hold)).toEqual(['Done', 'TOO_MANY_PENDING'])
  desk.give({ kind: 'CancelWithdrawal', operator: OPERATOR, reference: 'out-0' })
  expect(wordOf(desk.give(hold(-1)))).toBe('Done')
})
