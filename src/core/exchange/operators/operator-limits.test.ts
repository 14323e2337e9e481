/** What operators can add to has a limit: what meets it is refused with a reason; and a symbol says why it takes no order. */
import { expect, test } from 'bun:test'
import type { AccountId } from '../../../units/ids.ts'
import {
  ADDRESS_BANS_MAX,
  ADMIN_TOKENS_MAX,
  API_KEYS_PER_ACCOUNT_MAX,
  APPROVALS_MAX,
  FEE_TIERS_MAX,
  TOKEN_DIGEST_BYTES,
} from '../../../units/limits.ts'
import { amount, rate, timeMs } from '../../../units/quantities.ts'
import type { Command } from '../command.ts'
import { Desk, OPERATOR } from '../desk.contract.ts'

const FAR = timeMs(4_000_000_000_000)

function desk() {
  const it = new Desk()
  const ask = (command: Command): string => {
    const reply = it.give(command)
    return reply.kind === 'Refused' ? reply.reason : reply.kind
  }
  /** The answers to `count` commands, each once. */
  const fill = (count: number, command: (n: number) => Command): string[] => [
    ...new Set(Array.from({ length: count }, (_, n) => ask(command(n)))),
  ]
  return { it, ask, fill, alice: it.trader('alice', { BTC: 10n }) }
}

test('fee tiers: one more is refused, one that is there can still be changed', () => {
  const { ask, fill } = desk()
  const shares = { makerShare: rate(0), takerShare: rate(0) }
  const tier = (n: number): Command => ({
    kind: 'SetFeeTier',
    operator: OPERATOR,
    name: `tier-${n}`,
    ...shares,
  })
  expect(fill(FEE_TIERS_MAX, tier)).toEqual(['Done'])
  expect([ask(tier(FEE_TIERS_MAX)), ask(tier(0))]).toEqual(['LIMIT_REACHED', 'Done'])
})

test('tokens: revoked ones count, because their names stay taken', () => {
  const { ask, fill } = desk()
  const digest = new Uint8Array(TOKEN_DIGEST_BYTES)
  const token = (n: number): Command => ({
    kind: 'AddAdminToken',
    operator: OPERATOR,
    name: `token-${n}`,
    role: 'SUPPORT',
    digest,
  })
  expect(fill(ADMIN_TOKENS_MAX, token)).toEqual(['Done'])
  expect(ask({ kind: 'RevokeAdminToken', operator: OPERATOR, name: 'token-0' })).toBe('Done')
  expect(ask(token(ADMIN_TOKENS_MAX))).toBe('LIMIT_REACHED')
})

test('bans: one more is refused while all of them hold; one that is there can be made longer, and lifting makes room', () => {
  const { ask, fill } = desk()
  const ban = (n: number): Command => ({
    kind: 'BanAddress',
    operator: OPERATOR,
    address: `${n}`,
    until: FAR,
  })
  expect(fill(ADDRESS_BANS_MAX, ban)).toEqual(['Done'])
  expect([ask(ban(ADDRESS_BANS_MAX)), ask(ban(0))]).toEqual(['LIMIT_REACHED', 'Done'])
  expect(ask({ kind: 'LiftBan', operator: OPERATOR, address: '0' })).toBe('Done')
  expect(ask(ban(ADDRESS_BANS_MAX))).toBe('Done')
})

test('keys of an account: one more is refused, another account has its own', () => {
  const { it, ask, fill, alice } = desk()
  const key =
    (accountId: AccountId) =>
    (n: number): Command => ({
      kind: 'CreateApiKey',
      operator: OPERATOR,
      accountId,
      apiKey: `key ${accountId} ${n}`,
      sealedSecret: new Uint8Array(1),
      permissions: [],
      addresses: [],
      label: '',
    })
  expect(fill(API_KEYS_PER_ACCOUNT_MAX, key(alice))).toEqual(['Done'])
  expect(ask(key(alice)(API_KEYS_PER_ACCOUNT_MAX))).toBe('LIMIT_REACHED')
  expect(ask(key(it.trader('bob', {}))(0))).toBe('Done')
})

test('approvals: one more is refused, one that waits waits on, and a rejected one makes room', () => {
  const { ask, fill, alice } = desk()
  const terms = { name: 'Bitcoin', supplyCap: amount(0n), creditMax: amount(0n), approvalAbove: amount(1n) }
  expect(ask({ kind: 'SetAssetTerms', operator: OPERATOR, code: 'BTC', ...terms })).toBe('Done')
  const credit = (n: number): Command => ({
    kind: 'Credit',
    operator: OPERATOR,
    accountId: alice,
    asset: 'BTC',
    amount: amount(2n),
    reference: `waits ${n}`,
  })
  expect(fill(APPROVALS_MAX, credit)).toEqual(['ApprovalNeeded'])
  expect([ask(credit(APPROVALS_MAX)), ask(credit(0))]).toEqual(['TOO_MANY_PENDING', 'ApprovalNeeded'])
  expect(ask({ kind: 'Reject', operator: OPERATOR, reference: 'waits 0' })).toBe('Done')
  expect(ask(credit(APPROVALS_MAX))).toBe('ApprovalNeeded')
})

test('a symbol that takes no order says why: halted, for cancelling only, or delisted', () => {
  for (const [state, reason] of [
    ['HALTED', 'SYMBOL_HALTED'],
    ['CANCEL_ONLY', 'SYMBOL_CANCEL_ONLY'],
    ['DELISTED', 'SYMBOL_DELISTED'],
  ] as const) {
    const { it, ask, alice } = desk()
    const symbol = it.exchange.bootstrap().symbols[0]?.name ?? ''
    expect(ask({ kind: 'SetSymbolState', operator: OPERATOR, symbol, state })).toBe('Done')
    expect(it.order({ who: alice, side: 'SELL', price: 1, quantity: 1 })).toMatchObject({ reason })
  }
})
