/** Withdrawals, and withdrawal addresses. */

import type { AdminTransfer, AdminWithdrawal, AdminWithdrawalAddress } from '../records.ts'
import { WITHDRAWALS_PAGE_MAX } from './bounds.ts'
import { account, assetCode, decimal, flag, known, required, text, textOrEmpty, whole } from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

const asset = assetCode('code of the asset')
const reference = known('reference of the transfer')
const address = text('address or bank account that the money goes to')
const tag = textOrEmpty('memo or destination tag of the address')

export const WITHDRAWAL_OPERATIONS = {
  /** In the order of the requests, after `after` (a reference). */
  'withdrawal/list': reads({
    title: 'Pending withdrawals',
    summary: 'List the pending withdrawals, oldest first, at most 1000 at a time.',
    rights: ['read.money'],
    options: {
      account: known('only those of this account'),
      after: known('only those after the one with this reference'),
      limit: whole(1, WITHDRAWALS_PAGE_MAX, 'at most this many, {range}'),
    },
    examples: ['withdrawal list', 'withdrawal list --limit 20 --after withdrawal-78'],
    told: 'pending withdrawals, oldest first: `reference`, `account`, `asset`, `amount`, `requestedAt`, `asked` (null: created by an operator; else `address`, `tag`, `withdrawOrderId`, `claimedAt`, `claimedBy`, `approvedBy`), `waits` (null, or the request that waits for a second person: `kind`, `requestedBy`, `requestedAt`, `note`), `rejected` (null, or the last rejected request: `kind`, `requestedBy`, `rejectedBy`, `rejectedAt`, `note`)',
    answer: answers<readonly AdminWithdrawal[]>(),
  }),
  'withdrawal/hold': changes('MONEY', {
    title: 'Create withdrawal',
    summary: 'Create a withdrawal: freeze money that is to leave the exchange.',
    rights: ['withdrawals'],
    words: { account, asset, amount: decimal('how much, as a decimal') },
    options: {
      reference: required(
        text('your own id for this transfer: repeating a transfer with the same reference changes nothing'),
      ),
    },
    examples: ['withdrawal hold alice BTC 0.5 --reference withdrawal-78'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  /** After the claim, the trader who requested the withdrawal cannot cancel it. */
  'withdrawal/claim': changes('MONEY', {
    title: 'Claim withdrawal',
    summary:
      'Claim a withdrawal for payment: its trader can no longer cancel it. A large amount is claimed only after a second person approves.',
    rights: ['withdrawals'],
    words: { reference },
    examples: ['withdrawal claim 019a-... --note "paying from wallet 3"'],
    told: '`repeated`, `pending`. A [trader](withdrawals.md#paying) cannot cancel a claimed withdrawal',
    answer: answers<AdminTransfer>(),
  }),
  'withdrawal/complete': changes('MONEY', {
    title: 'Complete withdrawal',
    summary: 'Complete a withdrawal: its money leaves the ledger. Pay it only after this has succeeded.',
    rights: ['withdrawals'],
    words: { reference },
    examples: ['withdrawal complete withdrawal-78 --note "tx 5f..."'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'withdrawal/cancel': changes('MONEY', {
    title: 'Cancel withdrawal',
    summary: 'Cancel a withdrawal: its money is free again.',
    rights: ['withdrawals'],
    words: { reference },
    examples: ['withdrawal cancel withdrawal-78'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  /** Rejects a withdrawal, with the effect of a cancel; `reason` is for the trader who requested it. */
  'withdrawal/refuse': changes('MONEY', {
    title: 'Refuse withdrawal',
    summary: 'Refuse a withdrawal: its money is free again, and its trader sees the reason.',
    rights: ['withdrawals'],
    words: { reference },
    options: { reason: required(text('reason shown to the trader')) },
    examples: ['withdrawal refuse 019a-... --reason "the address is not valid"'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'address/list': reads({
    title: 'Withdrawal addresses',
    summary: 'List the withdrawal addresses of an account.',
    rights: ['read.accounts'],
    words: { account },
    examples: ['address list alice'],
    told: 'list, the oldest first: `account`, `asset`, `address`, `tag`, `label`, `addedAt`, `usableAt`',
    answer: answers<readonly AdminWithdrawalAddress[]>(),
  }),
  /** `atOnce`: without the waiting time of a new address. */
  'address/add': changes('MONEY', {
    title: 'Add withdrawal address',
    summary: 'Add a withdrawal address for an asset; it is usable after the waiting time, or at once.',
    rights: ['addresses'],
    words: { account, asset, address },
    options: {
      tag,
      label: textOrEmpty('label of the address'),
      atOnce: flag('on to skip the waiting time, at your own risk'),
    },
    examples: ['address add alice BTC bc1q... --label "cold wallet"'],
    told: 'the address',
    answer: answers<AdminWithdrawalAddress>(),
  }),
  'address/remove': changes('HARMLESS', {
    title: 'Remove withdrawal address',
    summary: 'Remove a withdrawal address. Withdrawals already requested are not affected.',
    rights: ['addresses'],
    words: { account, asset, address },
    options: { tag },
    examples: ['address remove alice BTC bc1q...'],
    told: '`removed`',
    answer: answers<{ readonly removed: boolean }>(),
  }),
} satisfies OperationRows
