/** Endpoints for withdrawals, withdrawal addresses and deposits. */
import { ADDRESS_ALLOWED, ADDRESSES, DEPOSITS, WITHDRAWAL_ASKED, WITHDRAWALS } from '../api/withdrawals.ts'
import { DONE, successOf } from '../envelope.ts'
import { ADDRESS, ADDRESS_TAG } from './address-forms.ts'
import {
  assetCode,
  clientOrderId,
  decimal,
  limit,
  optional,
  type Parameter,
  pattern,
  uuid,
} from './parameter.ts'
import { CANCEL, READING } from './reasons.ts'
import type { EndpointRows } from './row.ts'

const coin = assetCode('The code of an asset.')
const address = pattern(ADDRESS.pattern, ADDRESS.doc)
const addressTag = optional(pattern(ADDRESS_TAG.pattern, ADDRESS_TAG.doc))
const label: Parameter = {
  form: { is: 'text', lengthMax: 200 },
  description: 'Your name for the address.',
  isOptional: true,
}

const page = {
  coin: optional(assetCode('Default: all.')),
  before: optional(pattern(/^[1-9]\d{0,15}$/, 'The next of the previous page.')),
  limit: limit(100, 50, 'The largest number of ended withdrawals on a page.'),
}

const SHARED = { tag: 'Account', isExtension: true, weight: 20, answers: [] } as const
const CHANGE = { ...SHARED, security: 'WITHDRAW' } as const
const READ = { ...SHARED, method: 'GET', security: 'WALLET' } as const
const OF_ADDRESS = [...CANCEL, 'UNKNOWN_ASSET'] as const

export const WITHDRAWAL_ENDPOINTS = {
  askWithdrawal: {
    ...CHANGE,
    method: 'POST',
    path: '/capital/withdraw/apply',
    summary: 'Request a withdrawal',
    page: 'withdrawals.md#ask',
    parameters: {
      coin,
      amount: decimal(),
      address,
      addressTag,
      withdrawOrderId: optional(
        clientOrderId('Your own id, so that a repeated request is carried out only once.'),
      ),
    },
    answer: successOf(WITHDRAWAL_ASKED),
    reasons: [
      ...OF_ADDRESS,
      ...(['TOO_MANY_DECIMALS', 'VALUE_TOO_LARGE', 'CLOCK_NOT_TRUSTED', 'ACCOUNT_CLOSED'] as const),
      ...(['ACCOUNT_RESTRICTED', 'INSUFFICIENT_FUNDS', 'ASSET_NOT_WITHDRAWABLE'] as const),
      ...(['WITHDRAWAL_TOO_SMALL', 'WITHDRAWAL_TOO_LARGE', 'UNKNOWN_WITHDRAWAL_ADDRESS'] as const),
      ...(['WITHDRAWAL_ADDRESS_TOO_NEW', 'TOO_MANY_WITHDRAWALS', 'DUPLICATE_WITHDRAW_ORDER_ID'] as const),
    ],
    example: { coin: 'BTC', amount: '0.5', address: 'bc1qexample', withdrawOrderId: 'w-1' },
  },
  cancelWithdrawal: {
    ...CHANGE,
    method: 'DELETE',
    path: '/capital/withdraw/apply',
    summary: 'Cancel a withdrawal while it waits',
    page: 'withdrawals.md#cancel',
    parameters: {
      cancelWithdrawId: optional(uuid('The withdrawal; one of the two ids is required.')),
      cancelWithdrawOrderId: optional(clientOrderId("Your own id, in place of the exchange's.")),
    },
    answer: DONE,
    reasons: [...CANCEL, 'UNKNOWN_WITHDRAWAL', 'WITHDRAWAL_FINISHED', 'WITHDRAWAL_CLAIMED'],
    example: { cancelWithdrawOrderId: 'w-1' },
  },
  addWithdrawalAddress: {
    ...CHANGE,
    method: 'POST',
    path: '/capital/withdraw/address',
    summary: 'Add an address to which an asset may be withdrawn',
    page: 'withdrawals.md#addresses',
    parameters: {
      coin,
      newAddress: address,
      addressTag,
      label,
    },
    answer: successOf(ADDRESS_ALLOWED),
    reasons: [
      ...OF_ADDRESS,
      ...(['CLOCK_NOT_TRUSTED', 'ACCOUNT_CLOSED', 'ACCOUNT_RESTRICTED'] as const),
      'TOO_MANY_WITHDRAWAL_ADDRESSES',
    ],
    example: { coin: 'BTC', newAddress: 'bc1qexample' },
  },
  removeWithdrawalAddress: {
    ...CHANGE,
    method: 'DELETE',
    path: '/capital/withdraw/address',
    summary: 'Remove such an address',
    page: 'withdrawals.md#addresses',
    parameters: { coin, removeAddress: address, addressTag },
    answer: DONE,
    reasons: [...OF_ADDRESS, 'UNKNOWN_WITHDRAWAL_ADDRESS'],
    example: { coin: 'BTC', removeAddress: 'bc1qexample' },
  },
  withdrawalAddresses: {
    ...READ,
    path: '/capital/withdraw/address/list',
    summary: 'The addresses to which you may withdraw',
    page: 'withdrawals.md#addresses',
    parameters: { coin: page.coin },
    answer: successOf(ADDRESSES),
    reasons: ['UNKNOWN_ASSET', ...READING],
    example: {},
  },
  withdrawalHistory: {
    ...READ,
    path: '/capital/withdraw/history',
    summary: 'Pending and ended withdrawals, newest first',
    page: 'withdrawals.md#lists',
    parameters: page,
    answer: successOf(WITHDRAWALS),
    reasons: ['UNKNOWN_ASSET', ...READING],
    example: { limit: 10 },
  },
  depositHistory: {
    ...READ,
    path: '/capital/deposit/hisrec',
    summary: 'Deposits, newest first',
    page: 'withdrawals.md#lists',
    parameters: page,
    answer: successOf(DEPOSITS),
    reasons: ['UNKNOWN_ASSET', ...READING],
    example: { limit: 10 },
  },
} satisfies EndpointRows
