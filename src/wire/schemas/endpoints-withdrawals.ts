/** Endpoints by which money comes and goes: withdrawals, the addresses that they go to, deposits. */
import { z } from 'zod'
import type { EndpointRow } from './endpoint.ts'
import { done, successOf } from './envelope.ts'
import { assetCode, clientOrderId, decimal, decimalParameter, timeMs, uuidParameter } from './forms.ts'
import { CANCEL, READING } from './reasons.ts'

const coin = assetCode.meta({ description: 'The code of an asset.' })
const address = z
  .string()
  .regex(/^[!-~]{1,128}$/)
  .meta({ description: 'Where money goes: visible ASCII characters.' })
const addressTag = z
  .string()
  .regex(/^[!-~]{0,64}$/)
  .optional()
  .meta({ description: 'The memo or destination tag of the address, where it has one.' })

const withdrawal = z
  .object({
    id: z.string().meta({ description: 'Of one that an operator holds, or has held: its reference.' }),
    withdrawOrderId: clientOrderId.optional(),
    coin,
    amount: decimal,
    address: address.optional(),
    addressTag,
    status: z.enum(['WAITING', 'CLAIMED', 'COMPLETED', 'CANCELED']),
    canceledBy: z.enum(['TRADER', 'OPERATOR']).optional(),
    reason: z.string().optional().meta({ description: 'Why it was refused.' }),
    createdAt: timeMs.optional(),
    claimedAt: timeMs.optional(),
    endedAt: timeMs.optional(),
  })
  .meta({ id: 'Withdrawal', description: 'Money on its way out of the exchange.' })

const deposit = z
  .object({ id: z.string(), coin, amount: decimal, time: timeMs })
  .meta({ id: 'Deposit', description: 'Money that came in.' })

const withdrawalAddress = z
  .object({
    coin,
    address,
    addressTag,
    label: z.string().optional(),
    addedAt: timeMs,
    usableAt: timeMs.meta({ description: 'From then on money may go there.' }),
  })
  .meta({ id: 'WithdrawalAddress', description: 'Where an account may withdraw an asset to.' })

const next = z
  .string()
  .optional()
  .meta({ description: 'before of the request that goes on; absent at the end.' })

const page = {
  coin: coin.optional().meta({ description: 'Left out: all.' }),
  before: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .optional()
    .meta({ description: 'next of the page before.' }),
  limit: z.int().min(1).max(100).default(50).meta({ description: 'Most that have ended of one page.' }),
}

const SHARED = { tag: 'Account', isExtension: true, weight: 20, answers: [] } as const
const CHANGE = { ...SHARED, security: 'WITHDRAW' } as const
const READ = { ...SHARED, method: 'GET', security: 'WALLET' } as const
const ADDRESS = [...CANCEL, 'UNKNOWN_ASSET'] as const

export const WITHDRAWAL_ENDPOINTS: readonly EndpointRow[] = [
  {
    ...CHANGE,
    id: 'askWithdrawal',
    method: 'POST',
    path: '/capital/withdraw/apply',
    summary: 'Ask for a withdrawal',
    page: 'withdrawals.md#ask',
    parameters: z.object({
      coin,
      amount: decimalParameter,
      address,
      addressTag,
      withdrawOrderId: clientOrderId
        .optional()
        .meta({ description: 'A name of your own, so that what is asked for twice is done once.' }),
    }),
    answer: successOf(z.object({ id: z.string(), createdAt: timeMs })),
    reasons: [
      ...ADDRESS,
      ...(['TOO_MANY_DECIMALS', 'VALUE_TOO_LARGE', 'CLOCK_NOT_TRUSTED', 'ACCOUNT_CLOSED'] as const),
      ...(['ACCOUNT_RESTRICTED', 'INSUFFICIENT_FUNDS', 'ASSET_NOT_WITHDRAWABLE'] as const),
      ...(['WITHDRAWAL_TOO_SMALL', 'WITHDRAWAL_TOO_LARGE', 'UNKNOWN_WITHDRAWAL_ADDRESS'] as const),
      ...(['WITHDRAWAL_ADDRESS_TOO_NEW', 'TOO_MANY_WITHDRAWALS', 'DUPLICATE_WITHDRAW_ORDER_ID'] as const),
    ],
    example: { coin: 'BTC', amount: '0.5', address: 'bc1qexample', withdrawOrderId: 'w-1' },
  },
  {
    ...CHANGE,
    id: 'cancelWithdrawal',
    method: 'DELETE',
    path: '/capital/withdraw/apply',
    summary: 'Cancel a withdrawal while it waits',
    page: 'withdrawals.md#cancel',
    parameters: z.object({
      cancelWithdrawId: uuidParameter
        .optional()
        .meta({ description: 'The withdrawal; one of the two is required.' }),
      cancelWithdrawOrderId: clientOrderId
        .optional()
        .meta({ description: 'The same, by the id that you gave it.' }),
    }),
    answer: done,
    reasons: [...CANCEL, 'UNKNOWN_WITHDRAWAL', 'WITHDRAWAL_FINISHED', 'WITHDRAWAL_CLAIMED'],
    example: { cancelWithdrawOrderId: 'w-1' },
  },
  {
    ...CHANGE,
    id: 'addWithdrawalAddress',
    method: 'POST',
    path: '/capital/withdraw/address',
    summary: 'Add an address that an asset may be withdrawn to',
    page: 'withdrawals.md#addresses',
    parameters: z.object({
      coin,
      newAddress: address,
      addressTag,
      label: z.string().max(200).optional().meta({ description: 'What you call it.' }),
    }),
    answer: successOf(z.object({ usableAt: timeMs })),
    reasons: [
      ...ADDRESS,
      ...(['CLOCK_NOT_TRUSTED', 'ACCOUNT_CLOSED', 'ACCOUNT_RESTRICTED'] as const),
      'TOO_MANY_WITHDRAWAL_ADDRESSES',
    ],
    example: { coin: 'BTC', newAddress: 'bc1qexample' },
  },
  {
    ...CHANGE,
    id: 'removeWithdrawalAddress',
    method: 'DELETE',
    path: '/capital/withdraw/address',
    summary: 'Remove such an address',
    page: 'withdrawals.md#addresses',
    parameters: z.object({ coin, removeAddress: address, addressTag }),
    answer: done,
    reasons: [...ADDRESS, 'UNKNOWN_WITHDRAWAL_ADDRESS'],
    example: { coin: 'BTC', removeAddress: 'bc1qexample' },
  },
  {
    ...READ,
    id: 'withdrawalAddresses',
    path: '/capital/withdraw/address/list',
    summary: 'The addresses that you may withdraw to',
    page: 'withdrawals.md#addresses',
    parameters: z.object({ coin: page.coin }),
    answer: successOf(z.object({ addresses: z.array(withdrawalAddress) })),
    reasons: ['UNKNOWN_ASSET', ...READING],
    example: {},
  },
  {
    ...READ,
    id: 'withdrawalHistory',
    path: '/capital/withdraw/history',
    summary: 'Withdrawals: those that wait, and those that have ended, newest first',
    page: 'withdrawals.md#lists',
    parameters: z.object(page),
    answer: successOf(z.object({ withdrawals: z.array(withdrawal), next })),
    reasons: ['UNKNOWN_ASSET', ...READING],
    example: { limit: 10 },
  },
  {
    ...READ,
    id: 'depositHistory',
    path: '/capital/deposit/hisrec',
    summary: 'Deposits, newest first',
    page: 'withdrawals.md#lists',
    parameters: z.object(page),
    answer: successOf(z.object({ deposits: z.array(deposit), next })),
    reasons: ['UNKNOWN_ASSET', ...READING],
    example: { limit: 10 },
  },
]
