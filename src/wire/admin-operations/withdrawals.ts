/** Withdrawals, and the addresses that they go to. */

import type { AdminTransfer, AdminWithdrawal, AdminWithdrawalAddress } from '../admin-records.ts'
import { WITHDRAWALS_PAGE_MAX } from './bounds.ts'
import { account, assetCode, decimal, flag, known, required, text, textOrEmpty, whole } from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

const asset = assetCode('code of the asset')
const reference = known('the reference it was made with')
const address = text('where money goes, on its chain or at its bank')
const tag = textOrEmpty('memo or destination tag of the address')

export const WITHDRAWAL_OPERATIONS = {
  /** In the order in which they were asked for, those behind `after` (a reference). */
  'withdrawal/list': reads({
    summary:
      'List the withdrawals that wait, up to 1000 at a time, in the order in which they were asked for.',
    rights: ['read.money'],
    options: {
      account: known('only of this account'),
      after: known('only those behind the one of this reference'),
      limit: whole(1, WITHDRAWALS_PAGE_MAX, 'most of them, 1 to 1000'),
    },
    examples: ['withdrawal list', 'withdrawal list --limit 20 --after withdrawal-78'],
    told: 'those that wait, in the order in which they were asked for: `reference`, `account`, `asset`, `amount`, `requestedAt`, `asked` (null: an operator holds it; else `address`, `tag`, `withdrawOrderId`, `claimedAt`, `claimedBy`, `approvedBy`), `waits` (null, or what is asked of it and waits for a second person: `kind`, `requestedBy`, `requestedAt`, `note`), `rejected` (null, or the last that was: `kind`, `requestedBy`, `rejectedBy`, `rejectedAt`, `note`)',
    answer: answers<readonly AdminWithdrawal[]>(),
  }),
  'withdrawal/hold': changes('MONEY', {
    summary: 'Take money that is to leave the exchange from free into freeze.',
    rights: ['withdrawals'],
    words: { account, asset, amount: decimal('how much, as a decimal') },
    options: { reference: required(text('your own name for this transfer: the same again changes nothing')) },
    examples: ['withdrawal hold alice BTC 0.5 --reference withdrawal-78'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  /** From then on the trader who asked for it cannot cancel it. */
  'withdrawal/claim': changes('MONEY', {
    summary:
      'Take a withdrawal in hand: its trader cannot cancel it any more. Much money is claimed once a second person approves.',
    rights: ['withdrawals'],
    words: { reference },
    examples: ['withdrawal claim 019a-... --note "paying from wallet 3"'],
    told: '`repeated`, `pending`. Once it is claimed the [trader](withdrawals.md#paying) who asked for it cannot cancel it',
    answer: answers<AdminTransfer>(),
  }),
  'withdrawal/complete': changes('MONEY', {
    summary: 'The money of a withdrawal leaves the exchange: pay it when this is done, and not before.',
    rights: ['withdrawals'],
    words: { reference },
    examples: ['withdrawal complete withdrawal-78 --note "tx 5f..."'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'withdrawal/cancel': changes('MONEY', {
    summary: 'The money of a withdrawal is free again.',
    rights: ['withdrawals'],
    words: { reference },
    examples: ['withdrawal cancel withdrawal-78'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  /** As cancelling it; `reason` is for the trader who asked for it. */
  'withdrawal/refuse': changes('MONEY', {
    summary: 'The money of a withdrawal is free again, and the trader who asked for it is told why.',
    rights: ['withdrawals'],
    words: { reference },
    options: { reason: required(text('why, for the trader to read')) },
    examples: ['withdrawal refuse 019a-... --reason "the address is not valid"'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'address/list': reads({
    summary: 'List the addresses that an account may withdraw to.',
    rights: ['read.accounts'],
    words: { account },
    examples: ['address list alice'],
    told: 'list, the oldest first: `account`, `asset`, `address`, `tag`, `label`, `addedAt`, `usableAt`',
    answer: answers<readonly AdminWithdrawalAddress[]>(),
  }),
  /** `atOnce`: without the delay that a new address waits. */
  'address/add': changes('MONEY', {
    summary: 'Let an account withdraw an asset to an address, after the delay of a new one or at once.',
    rights: ['addresses'],
    words: { account, asset, address },
    options: {
      tag,
      label: textOrEmpty('what its owner calls it'),
      atOnce: flag('on: without the delay; you answer for it'),
    },
    examples: ['address add alice BTC bc1q... --label "cold wallet"'],
    told: 'the address',
    answer: answers<AdminWithdrawalAddress>(),
  }),
  'address/remove': changes('HARMLESS', {
    summary: 'An account may not withdraw to an address any more. What was asked for before stays.',
    rights: ['addresses'],
    words: { account, asset, address },
    options: { tag },
    examples: ['address remove alice BTC bc1q...'],
    told: '`removed`',
    answer: answers<{ readonly removed: boolean }>(),
  }),
} satisfies OperationRows
