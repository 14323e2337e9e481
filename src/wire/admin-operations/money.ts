/** Money that comes, goes and moves. */

import type { AdminTransfer } from '../admin-records.ts'
import { account, assetCode, decimal, oneOf, required, text } from './field.ts'
import { answers, changes, type OperationRows } from './row.ts'

const asset = assetCode('code of the asset')
const amount = decimal('how much, as a decimal')
const reference = required(text('your own name for this transfer: the same again changes nothing'))

/** Between which money is moved by hand; `locked` belongs to open orders. */
const BUCKETS = ['free', 'freeze', 'savings'] as const

export const MONEY_OPERATIONS = {
  'money/credit': changes('MONEY', {
    summary: 'Bring money in from the outside world, into free.',
    command: 'credit',
    rights: ['credit'],
    words: { account, asset, amount },
    options: { reference },
    examples: ['credit alice BTC 1.5 --reference deposit-1042'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'money/debit': changes('MONEY', {
    summary: 'Pay money out to the outside world, from free.',
    command: 'debit',
    rights: ['debit'],
    words: { account, asset, amount },
    options: { reference },
    examples: ['debit alice BTC 0.5 --reference withdrawal-77'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'money/move': changes('MONEY', {
    summary: 'Move money between free, freeze and savings of one account.',
    command: 'move',
    rights: ['move'],
    words: { account, asset, amount },
    options: {
      from: required(oneOf(BUCKETS, 'the bucket it comes from')),
      to: required(oneOf(BUCKETS, 'the bucket it goes to')),
      reference,
    },
    examples: ['move alice USDT 100 --from free --to freeze --reference hold-9'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'savings/deposit': changes('MONEY', {
    summary: 'Set money aside: from free into savings, as far as the asset may be saved.',
    rights: ['move'],
    words: { account, asset, amount },
    options: { reference },
    examples: ['savings deposit alice USDT 100 --reference saving-1'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'savings/withdraw': changes('MONEY', {
    summary: 'Take money out of savings into free.',
    rights: ['move'],
    words: { account, asset, amount },
    options: { reference },
    examples: ['savings withdraw alice USDT 100 --reference saving-2'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'house/payout': changes('MONEY', {
    summary: 'Pay commission that the house has earned to the outside world (see: account balances fees).',
    rights: ['payout'],
    words: { asset, amount },
    options: { reference },
    confirm: "Pay {amount} {asset} of the house's commission out?",
    examples: ['house payout USDT 1200.50 --reference payout-2026-11'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
} satisfies OperationRows
