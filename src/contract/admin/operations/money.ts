/** Deposits, withdrawals and moves of money. */

import type { AdminTransfer } from '../records.ts'
import { account, assetCode, decimal, oneOf, required, text } from './field.ts'
import { answers, changes, type OperationRows } from './row.ts'

const asset = assetCode('code of the asset')
const amount = decimal('how much, as a decimal')
const reference = required(
  text('your own id for this transfer: repeating a transfer with the same reference changes nothing'),
)

/** The buckets between which money is moved by hand; `locked` belongs to open orders. */
const BUCKETS = ['free', 'freeze', 'savings'] as const

export const MONEY_OPERATIONS = {
  'money/credit': changes('MONEY', {
    title: 'Credit',
    summary: 'Credit an account: money comes in from outside, into the free balance.',
    command: 'credit',
    rights: ['credit'],
    words: { account, asset, amount },
    options: { reference },
    examples: ['credit alice BTC 1.5 --reference deposit-1042'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'money/debit': changes('MONEY', {
    title: 'Debit',
    summary: 'Debit an account: money goes out, from the free balance.',
    command: 'debit',
    rights: ['debit'],
    words: { account, asset, amount },
    options: { reference },
    examples: ['debit alice BTC 0.5 --reference withdrawal-77'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'money/move': changes('MONEY', {
    title: 'Move between balances',
    summary: 'Move money between the free, freeze and savings balances of one account.',
    command: 'move',
    rights: ['move'],
    words: { account, asset, amount },
    options: {
      from: required(oneOf(BUCKETS, 'balance to take it from')),
      to: required(oneOf(BUCKETS, 'balance to put it in')),
      reference,
    },
    examples: ['move alice USDT 100 --from free --to freeze --reference hold-9'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'savings/deposit': changes('MONEY', {
    title: 'Move to savings',
    summary: 'Move money from the free balance into savings; the asset must allow savings.',
    rights: ['move'],
    words: { account, asset, amount },
    options: { reference },
    examples: ['savings deposit alice USDT 100 --reference saving-1'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'savings/withdraw': changes('MONEY', {
    title: 'Move from savings',
    summary: 'Move money from savings back to the free balance.',
    rights: ['move'],
    words: { account, asset, amount },
    options: { reference },
    examples: ['savings withdraw alice USDT 100 --reference saving-2'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
  'house/payout': changes('MONEY', {
    title: 'Pay out commission',
    summary: 'Pay out commission that the house has earned (see: account balances fees).',
    rights: ['payout'],
    words: { asset, amount },
    options: { reference },
    confirm: "Pay out {amount} {asset} of the house's commission?",
    examples: ['house payout USDT 1200.50 --reference payout-2026-11'],
    told: '`repeated`, `pending`',
    answer: answers<AdminTransfer>(),
  }),
} satisfies OperationRows
