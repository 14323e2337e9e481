/**
 * Every list to which operators add has a limit, at which it refuses: no holder of a token can fill the
 * memory.
 */
import { expect, test } from 'bun:test'
import type { AccountId } from '../../units/ids.ts'
import {
  ADDRESS_BANS_MAX,
  ADMIN_TOKENS_MAX,
  API_KEYS_PER_ACCOUNT_MAX,
  APPROVAL_LIFETIME_MS,
  APPROVALS_MAX,
  FEE_TIERS_MAX,
  PENDING_WITHDRAWALS_MAX,
  TOKEN_DIGEST_BYTES,
} from '../../units/limits.ts'
import { amount, RATE_ONE, type Rate, type TimeMs, timeMs } from '../../units/quantities.ts'
import type { Command } from '../commands/command.ts'
import { ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import type { Reply } from '../questions/reply.ts'

const wordOf = (reply: Reply): string => (reply.kind === 'Refused' ? reply.reason : reply.kind)

/** The answers to commands 0 to `max`, one more than the limit allows. All are equal except the last. */
function answersOf(
  harness: ExchangeHarness,
  max: number,
  command: (at: number) => Command,
): (string | undefined)[] {
  const answers = Array.from({ length: max + 1 }, (_, at) => wordOf(harness.give(command(at))))
  expect(new Set(answers.slice(0, max)).size).toBe(1)
  return [answers[0], answers.at(-1)]
}

test('fee tiers: an existing one can still be changed', () => {
  const harness = new ExchangeHarness()
  const share = RATE_ONE as Rate
  const tier = (at: number): Command => ({
    kind: 'SetFeeTier',
    operator: OPERATOR,
    name: `tier-${at}`,
    makerShare: share,
    takerShare: share,
  })
  expect(answersOf(harness, FEE_TIERS_MAX, tier)).toEqual(['Done', 'LIMIT_REACHED'])
  expect(wordOf(harness.give(tier(0)))).toBe('Done')
})

test('tokens: revoked ones count, because their names stay taken', () => {
  const harness = new ExchangeHarness()
  const add = (at: number): Command => ({
    kind: 'AddAdminToken',
    operator: OPERATOR,
    name: `token-${at}`,
    role: 'SUPPORT',
    digest: new Uint8Array(TOKEN_DIGEST_BYTES),
  })
  expect(answersOf(harness, ADMIN_TOKENS_MAX, add)).toEqual(['Done', 'LIMIT_REACHED'])
  harness.give({ kind: 'RevokeAdminToken', operator: OPERATOR, name: 'token-0' })
  expect(wordOf(harness.give(add(ADMIN_TOKENS_MAX)))).toBe('LIMIT_REACHED')
})

test('keys of an account: another account has its own', () => {
  const harness = new ExchangeHarness()
  const key =
    (accountId: AccountId) =>
    (at: number): Command => ({
      kind: 'CreateApiKey',
      operator: OPERATOR,
      accountId,
      apiKey: `key ${accountId} ${at}`,
      sealedSecret: new Uint8Array(1),
      permissions: [],
      addresses: [],
      label: '',
    })
  const alice = harness.trader('alice', {})
  expect(answersOf(harness, API_KEYS_PER_ACCOUNT_MAX, key(alice))).toEqual(['Done', 'LIMIT_REACHED'])
  expect(wordOf(harness.give(key(harness.trader('bob', {}))(0)))).toBe('Done')
})

test('bans: expired and lifted ones make room, and nothing else; an existing one can be extended', () => {
  const harness = new ExchangeHarness()
  const end = timeMs(2 ** 40)
  const ban = (until: TimeMs) => (at: number) =>
    ({ kind: 'BanAddress', operator: OPERATOR, address: `10.${at}`, until }) as const
  harness.give(ban(timeMs(harness.exchange.time + 2))(-1))
  expect(answersOf(harness, ADDRESS_BANS_MAX, ban(end))).toEqual(['Done', 'LIMIT_REACHED'])
  expect(wordOf(harness.give(ban(timeMs(end + 1))(0)))).toBe('Done')
  harness.give({ kind: 'LiftBan', operator: OPERATOR, address: '10.0' })
  expect(wordOf(harness.give(ban(end)(ADDRESS_BANS_MAX)))).toBe('Done')
})

test('waiting approvals: rejected and expired ones make room; a waiting one stays', () => {
  const harness = new ExchangeHarness()
  harness.token(OPERATOR.actor)
  const alice = harness.trader('alice', {})
  const terms = { code: 'BTC', name: 'Bitcoin', supplyCap: amount(0n), creditMax: amount(0n) }
  harness.give({ kind: 'SetAssetTerms', operator: OPERATOR, ...terms, approvalAbove: amount(1n) })
  const credit = (at: number): Command => ({
    kind: 'Credit',
    operator: OPERATOR,
    accountId: alice,
    asset: 'BTC',
    amount: amount(2n),
    reference: `waits-${at}`,
  })
  expect(answersOf(harness, APPROVALS_MAX, credit)).toEqual(['ApprovalNeeded', 'TOO_MANY_PENDING'])
  expect(wordOf(harness.give(credit(1)))).toBe('ApprovalNeeded')
  harness.give({ kind: 'Reject', operator: OPERATOR, reference: 'waits-0' })
  expect(wordOf(harness.give(credit(APPROVALS_MAX)))).toBe('ApprovalNeeded')
  expect(wordOf(harness.give(credit(-3)))).toBe('TOO_MANY_PENDING')
  harness.exchange.apply(credit(-1), timeMs(harness.exchange.time + APPROVAL_LIFETIME_MS), () => {})
  expect(wordOf(harness.give(credit(-2)))).toBe('ApprovalNeeded')
})

test('waiting withdrawals: one that ends makes room', () => {
  const harness = new ExchangeHarness()
  const alice = harness.trader('alice', { BTC: 1_000_000n })
  const hold = (at: number): Command => ({
    kind: 'HoldWithdrawal',
    operator: OPERATOR,
    accountId: alice,
    asset: 'BTC',
    amount: amount(1n),
    reference: `out-${at}`,
  })
  expect(answersOf(harness, PENDING_WITHDRAWALS_MAX, hold)).toEqual(['Done', 'TOO_MANY_PENDING'])
  harness.give({ kind: 'CancelWithdrawal', operator: OPERATOR, reference: 'out-0' })
  expect(wordOf(harness.give(hold(-1)))).toBe('Done')
})
