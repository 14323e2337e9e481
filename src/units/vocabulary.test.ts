/**
 * The lists whose positions are stored in journals and binary answers. A word may be added at the end of its
 * list and in this file; after a change of any other line old journals would be misread.
 */
import { expect, test } from 'bun:test'
import { ADMIN_RIGHTS } from './admin-rights.ts'
import {
  ACCOUNT_RESTRICTIONS,
  ADMIN_ROLES,
  APPROVABLE_KINDS,
  APPROVAL_STATES,
  WITHDRAWAL_CANCELERS,
  WITHDRAWAL_STATES,
  WITHDRAWAL_STEPS,
} from './operator-enums.ts'
import {
  BUCKETS,
  EXCHANGE_PHASES,
  isStopType,
  ORDER_STATUSES,
  ORDER_TYPES,
  opposite,
  PERMISSIONS,
  SELF_TRADE_MODES,
  SIDES,
  STOP_TYPES,
  SYMBOL_STATES,
  TIMES_IN_FORCE,
} from './order-enums.ts'
import { CORE_REASONS } from './reasons.ts'

test('no enum value of an order has moved', () => {
  expect(SIDES).toEqual(['BUY', 'SELL'])
  expect(ORDER_TYPES).toEqual([
    'LIMIT',
    'MARKET',
    'LIMIT_MAKER',
    'STOP_LOSS',
    'STOP_LOSS_LIMIT',
    'TAKE_PROFIT',
    'TAKE_PROFIT_LIMIT',
  ])
  expect(ORDER_STATUSES).toEqual([
    'NEW',
    'PARTIALLY_FILLED',
    'FILLED',
    'CANCELED',
    'PENDING_CANCEL',
    'REJECTED',
  ])
  expect(TIMES_IN_FORCE).toEqual(['GTC', 'IOC', 'FOK', 'GTD'])
  expect(SELF_TRADE_MODES).toEqual(['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'])
  expect(SYMBOL_STATES).toEqual(['TRADING', 'HALTED', 'CANCEL_ONLY', 'DELISTED'])
  expect(EXCHANGE_PHASES).toEqual(['TRADING', 'CANCEL_ONLY', 'CLOSED'])
  expect(BUCKETS).toEqual(['free', 'locked', 'freeze', 'savings'])
  expect(PERMISSIONS).toEqual(['TRADE', 'WALLET', 'USER_DATA', 'WITHDRAW', 'READ'])
})

test('no enum value of an operator has moved', () => {
  expect(ACCOUNT_RESTRICTIONS).toEqual(['TRADE', 'WITHDRAW', 'LOGIN'])
  expect(ADMIN_ROLES).toEqual(['READ_ONLY', 'SUPPORT', 'OPERATOR'])
  expect(ADMIN_RIGHTS).toEqual([
    'read',
    'read.accounts',
    'read.money',
    'read.operators',
    'audit',
    'events',
    'journal',
    'journal.state',
    'credit',
    'debit',
    'move',
    'payout',
    'withdrawals',
    'approve',
    'accounts.open',
    'accounts.restrict',
    'accounts.release',
    'accounts.terms',
    'accounts.close',
    'orders.cancel',
    'keys',
    'keys.stop',
    'markets',
    'phases',
    'tiers',
    'bans',
    'tokens',
    'clock',
    'rules',
    'master-key',
    'webhooks',
    'addresses',
    'customers.read',
    'customers.admit',
    'customers.reset',
  ])
  expect(WITHDRAWAL_STATES).toEqual(['PENDING', 'COMPLETED', 'CANCELED'])
  expect(WITHDRAWAL_CANCELERS).toEqual(['TRADER', 'OPERATOR'])
  expect(WITHDRAWAL_STEPS).toEqual(['CLAIM', 'REFUSE'])
  expect(APPROVABLE_KINDS).toEqual([
    'Credit',
    'Debit',
    'CompleteWithdrawal',
    'PayOutCommission',
    'ClaimWithdrawal',
    'RefuseWithdrawal',
  ])
  expect(APPROVAL_STATES).toEqual(['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'])
})

test('no reason has moved', () => {
  expect(CORE_REASONS).toEqual([
    'INTERNAL_ERROR',
    'UNKNOWN_ASSET',
    'UNKNOWN_SYMBOL',
    'UNKNOWN_ACCOUNT',
    'UNKNOWN_API_KEY',
    'UNKNOWN_ORDER',
    'ASSET_EXISTS',
    'SYMBOL_EXISTS',
    'ACCOUNT_EXISTS',
    'API_KEY_EXISTS',
    'INVALID_COMMAND',
    'SYMBOL_HALTED',
    'ASSET_NOT_TRADABLE',
    'INSUFFICIENT_FUNDS',
    'QUANTITY_TOO_SMALL',
    'TOTAL_TOO_SMALL',
    'TOTAL_MISMATCH',
    'TOO_MANY_OPEN_ORDERS',
    'TOO_MANY_PRICE_LEVELS',
    'NO_LIQUIDITY',
    'TOTAL_BELOW_BEST_PRICE',
    'SELF_TRADE_PREVENTED',
    'REFERENCE_CONFLICT',
    'TOO_MANY_REFERENCES',
    'SUPPLY_LIMIT',
    'LIMIT_REACHED',
    'UNKNOWN_RULES_VERSION',
    'ACCOUNT_RESTRICTED',
    'ACCOUNT_CLOSED',
    'ACCOUNT_NOT_EMPTY',
    'SYMBOL_CANCEL_ONLY',
    'SYMBOL_DELISTED',
    'SYMBOL_NOT_EMPTY',
    'PRICE_OUT_OF_BAND',
    'ASSET_NOT_WITHDRAWABLE',
    'ASSET_NOT_SAVABLE',
    'CREDIT_LIMIT',
    'UNKNOWN_WITHDRAWAL',
    'WITHDRAWAL_FINISHED',
    'API_KEY_REVOKED',
    'UNKNOWN_FEE_TIER',
    'UNKNOWN_TOKEN',
    'TOKEN_EXISTS',
    'UNKNOWN_APPROVAL',
    'SELF_APPROVAL',
    'TOO_MANY_PENDING',
    'ASSET_NOT_DEPOSITABLE',
    'NAMED_TOKEN_NEEDED',
    'TOKEN_TOO_NEW',
    'RULES_VERSION_TOO_LOW',
    'FOK_NOT_FILLABLE',
    'LIMIT_MAKER_WOULD_TAKE',
    'DUPLICATE_CLIENT_ORDER_ID',
    'TOO_MANY_CLIENT_ORDER_IDS',
    'STOP_PRICE_REACHED',
    'ICEBERG_QUANTITY_TOO_SMALL',
    'ICEBERG_QUANTITY_TOO_LARGE',
    'ORDER_NOT_AMENDABLE',
    'AMENDED_QUANTITY_TOO_LARGE',
    'AMENDED_QUANTITY_TOO_SMALL',
    'AMENDED_QUANTITY_TOO_PRECISE',
    'EXPIRE_TIME_PASSED',
    'EXPIRE_TIME_TOO_FAR',
    'CANCEL_RESTRICTED',
    'TOO_MANY_MASS_CANCELS',
    'TOO_MANY_COUNTDOWNS',
    'UNKNOWN_ORDER_LIST',
    'LIST_PRICES_CROSSED',
    'UNKNOWN_SESSION',
    'TOO_MANY_SESSIONS',
    'PRICE_NOT_ON_TICK',
    'QUANTITY_NOT_ON_STEP',
    'EXCHANGE_CANCEL_ONLY',
    'EXCHANGE_CLOSED',
    'PHASE_SEQUENCE',
    'PHASE_TIME_OUT_OF_RANGE',
    'CUSTOMER_ID_TAKEN',
    'UNKNOWN_ROLE',
    'ROLE_IN_USE',
    'ROLE_LIMIT',
    'WITHDRAWAL_TOO_SMALL',
    'WITHDRAWAL_TOO_LARGE',
    'UNKNOWN_WITHDRAWAL_ADDRESS',
    'WITHDRAWAL_ADDRESS_TOO_NEW',
    'TOO_MANY_WITHDRAWAL_ADDRESSES',
    'TOO_MANY_WITHDRAWALS',
    'DUPLICATE_WITHDRAW_ORDER_ID',
    'WITHDRAWAL_CLAIMED',
    'WITHDRAWAL_NOT_CLAIMED',
    'APPROVAL_WAITS',
    'BINANCE_NAME_TAKEN',
  ])
})

test('no list has a value twice', () => {
  const lists = [ORDER_STATUSES, SELF_TRADE_MODES, BUCKETS, PERMISSIONS, CORE_REASONS] as const
  for (const list of lists) expect(new Set<string>(list).size).toBe(list.length)
})

test('the other side of a side is the opposite one', () => {
  expect(SIDES.map(opposite)).toEqual(['SELL', 'BUY'])
})

test('the types that wait for a trigger are exactly those listed as such', () => {
  expect(ORDER_TYPES.filter(isStopType)).toEqual([...STOP_TYPES])
})
