import { expect, test } from 'bun:test'
import * as limits from './limits.ts'

test('limits that decide what a journal replays to are those of the release that brought them', () => {
  expect(limits).toEqual({
    ASSETS_MAX: 10_000,
    SYMBOLS_MAX: 10_000,
    ACCOUNTS_MAX: 10_000_000,
    API_KEYS_PER_ACCOUNT_MAX: 1_000,
    ADDRESSES_PER_KEY_MAX: 100,
    REFERENCES_MAX: 20_000_000,
    TEXT_MAX: 200,
    ASSET_CODE_MAX: 16,
    AMOUNT_MAX: 170_141_183_460_469_231_731_687_303_715_884_105_727n,
    SEALED_SECRET_BYTES_MAX: 1_024,
    FEE_TIERS_MAX: 100,
    ADMIN_TOKENS_MAX: 1_000,
    ADDRESS_BANS_MAX: 10_000,
    WITHDRAWALS_MAX: 5_000_000,
    PENDING_WITHDRAWALS_MAX: 100_000,
    APPROVALS_MAX: 1_000,
    APPROVAL_LIFETIME_MS: 604_800_000,
    MATCH_STEPS_MAX: 10_000,
    CANCEL_ORDERS_MAX: 500,
    NAME_MAX: 64,
    TOKEN_DIGEST_BYTES: 32,
  })
})
