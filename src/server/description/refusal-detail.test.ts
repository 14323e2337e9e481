import { expect, test } from 'bun:test'
import type { Command } from '../../core/commands/command.ts'
import { orderOf } from '../../core/exchange/exchange-harness.fixture.ts'
import type { Account, TradingSymbol } from '../../core/registry/records.ts'
import type { AccountId } from '../../units/ids.ts'
import { amount, decimals, lots } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { LimitsView } from './limits-view.ts'
import { refusalDetail } from './refusal-detail.ts'

const SYMBOL = {
  baseCode: 'BTC',
  quoteCode: 'USDT',
  baseFraction: decimals(8),
  quoteFraction: decimals(2),
  quotePrecision: decimals(4),
  minTotal: amount(0n),
  minQuantity: lots(10_000),
  openOrdersMax: 5,
  levelsMax: 9,
} as TradingSymbol
const ASSET = { code: 'BTC', fraction: decimals(8), supplyCap: amount(0n) }
const ALICE = 3 as AccountId

function detail(reason: CoreReason, command: object, account: Partial<Account> = {}): string {
  const registry = {
    symbol: () => SYMBOL,
    assetByCode: (code: string) => (code === 'BTC' ? ASSET : undefined),
    asset: () => ASSET,
    account: () => account,
  } as unknown as LimitsView['registry']
  return refusalDetail(reason, command as Command, { registry }).en
}

const order = (words: object) => orderOf({ who: ALICE, side: 'BUY', ...words })

test('a total is reported to its last digit, also where the ledger has fewer', () => {
  const dust = order({ price: 1, quantity: 3 })
  expect(detail('TOTAL_TOO_SMALL', dust)).toBe(': found 0.0000000003 USDT, expected at least 0.0001 USDT')
  const market = order({ type: 'MARKET', total: 7n })
  expect(detail('TOTAL_TOO_SMALL', market)).toBe(': found 0.0007 USDT, expected at least 0.0001 USDT')
})

test('a total that does not fit names both roundings where they differ', () => {
  const odd = order({ price: 100, quantity: 12_345_678, total: 5n })
  expect(detail('TOTAL_MISMATCH', odd)).toBe(': found 0.0005 USDT, expected 0.1234 USDT or 0.1235 USDT')
})

test('open orders are limited by the account where it has a limit of its own', () => {
  expect(detail('TOO_MANY_OPEN_ORDERS', order({ price: 1, quantity: 1 }))).toBe(': at most 5')
  expect(detail('TOO_MANY_OPEN_ORDERS', order({ price: 1, quantity: 1 }), { openOrdersMax: 2 })).toBe(
    ': at most 2',
  )
})

test('an asset without a supply cap names the largest possible amount', () => {
  const credit = { kind: 'Credit', asset: 'BTC', amount: amount(5n) }
  expect(detail('SUPPLY_LIMIT', credit)).toBe(
    ': found 0.00000005 BTC, the limit is 1701411834604692317316873037158.84105727 BTC',
  )
})

test('a full list is reported with its capacity', () => {
  const limits = [
    ['ListAsset', 'LIMIT_REACHED', 10_000],
    ['ListSymbol', 'LIMIT_REACHED', 10_000],
    ['CreateAccount', 'LIMIT_REACHED', 10_000_000],
    ['CreateApiKey', 'LIMIT_REACHED', 1_000],
    ['SetFeeTier', 'LIMIT_REACHED', 100],
    ['AddAdminToken', 'LIMIT_REACHED', 1_000],
    ['BanAddress', 'LIMIT_REACHED', 10_000],
    ['Credit', 'TOO_MANY_PENDING', 1_000],
    ['HoldWithdrawal', 'TOO_MANY_PENDING', 100_000],
    ['Credit', 'TOO_MANY_REFERENCES', 20_000_000],
    ['HoldWithdrawal', 'TOO_MANY_REFERENCES', 5_000_000],
  ] as const
  for (const [kind, reason, limit] of limits) expect(detail(reason, { kind })).toBe(`: at most ${limit}`)
})

test('a refusal without a limit, or of something unknown, adds nothing', () => {
  expect(detail('INSUFFICIENT_FUNDS', order({ price: 1, quantity: 1 }))).toBe('')
  expect(detail('SUPPLY_LIMIT', { kind: 'Credit', asset: 'ETH', amount: amount(5n) })).toBe('')
  expect(detail('QUANTITY_TOO_SMALL', { kind: 'CancelOrder' })).toBe('')
})
