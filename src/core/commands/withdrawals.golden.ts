/** Commands on withdrawals that traders ask for, as the journal has them: a form never changes. */
import type { AccountId } from '../../units/ids.ts'
import { amount } from '../../units/quantities.ts'
import type { Command } from './command.ts'

const accountId = 300 as AccountId
const operator = { actor: 'ayşe', note: 'ticket 7' }
const change = { accountId, asset: 'BTC', address: 'bc1q', tag: '7', isAllowed: true, label: 'cold' }

export const GOLDEN_WITHDRAWALS: readonly (readonly [command: Command, hex: string])[] = [
  [
    {
      kind: 'AskWithdrawal',
      accountId,
      asset: 'BTC',
      amount: amount(12_345n),
      address: 'bc1q',
      tag: '7',
      withdrawOrderId: 'w-1',
    },
    '3fac0203425443f2c001046263317101370103772d31',
  ],
  [
    {
      kind: 'AskWithdrawal',
      accountId,
      asset: 'BTC',
      amount: amount(12_345n),
      address: 'bc1q',
      tag: '',
      withdrawOrderId: undefined,
    },
    '3fac0203425443f2c00104626331710000',
  ],
  [{ kind: 'RetractWithdrawal', accountId, name: { kind: 'ID', reference: 'a' } }, '40ac02000161'],
  [
    { kind: 'RetractWithdrawal', accountId, name: { kind: 'OWN', withdrawOrderId: 'w-1' } },
    '40ac020103772d31',
  ],
  [{ kind: 'SetOwnAddress', ...change }, '41ac0203425443046263317101370104636f6c64'],
  [
    { kind: 'SetAccountAddress', operator, ...change, isAllowed: false, isAtOnce: true },
    '42056179c59f65087469636b65742037ac0203425443046263317101370004636f6c6401',
  ],
  [
    {
      kind: 'SetWithdrawalTerms',
      operator,
      code: 'BTC',
      withdrawMin: amount(1n),
      withdrawMax: amount(12_345n),
      addressDelayMs: 60_000,
    },
    '43056179c59f65087469636b657420370342544302f2c001e0d403',
  ],
  [
    { kind: 'HandleWithdrawal', operator, reference: 'a', step: 'CLAIM', reason: '' },
    '44056179c59f65087469636b6574203701610000',
  ],
  [
    { kind: 'HandleWithdrawal', operator, reference: 'a', step: 'REFUSE', reason: 'no' },
    '44056179c59f65087469636b65742037016101026e6f',
  ],
]
