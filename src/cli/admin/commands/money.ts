/** The operator's commands that move money. */
import type { AdminTransfer } from '../../../wire/admin-records.ts'
import { type AdminCommand, command } from '../command.ts'

export function transferText({ repeated, pending }: AdminTransfer): string {
  if (pending) return 'Nothing has moved yet: it waits for other people (bourse admin approval list).'
  return repeated ? 'Nothing to do: this reference was used for the very same transfer before.' : 'Done.'
}

/** Between which money is moved by hand; `locked` belongs to open orders. */
const BUCKETS = ['free', 'freeze', 'savings'] as const

export const account = { field: 'account', kind: 'text', help: 'name of the account' } as const
export const asset = { field: 'asset', kind: 'text', help: 'code of the asset' } as const
export const amount = { field: 'amount', kind: 'text', help: 'how much, as a decimal' } as const
export const reference = {
  field: 'reference',
  kind: 'text',
  required: true,
  help: 'your own name for this transfer: the same again changes nothing',
} as const

export const MONEY_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'credit',
    operation: 'money/credit',
    summary: 'Bring money in from the outside world, into free.',
    positionals: [account, asset, amount],
    options: { reference },
    examples: ['bourse admin --data data/main credit alice BTC 1.5 --reference deposit-1042'],
    show: transferText,
  }),
  command({
    name: 'debit',
    operation: 'money/debit',
    summary: 'Pay money out to the outside world, from free.',
    positionals: [account, asset, amount],
    options: { reference },
    examples: ['bourse admin --data data/main debit alice BTC 0.5 --reference withdrawal-77'],
    show: transferText,
  }),
  command({
    name: 'move',
    operation: 'money/move',
    summary: 'Move money between free, freeze and savings of one account.',
    positionals: [account, asset, amount],
    options: {
      from: {
        field: 'from',
        kind: 'text',
        required: true,
        values: BUCKETS,
        help: 'the bucket it comes from',
      },
      to: { field: 'to', kind: 'text', required: true, values: BUCKETS, help: 'the bucket it goes to' },
      reference,
    },
    examples: [
      'bourse admin --data data/main move alice USDT 100 --from free --to freeze --reference hold-9',
    ],
    show: transferText,
  }),
  command({
    name: 'savings deposit',
    operation: 'savings/deposit',
    summary: 'Set money aside: from free into savings, as far as the asset may be saved.',
    positionals: [account, asset, amount],
    options: { reference },
    examples: ['bourse admin --data data/main savings deposit alice USDT 100 --reference saving-1'],
    show: transferText,
  }),
  command({
    name: 'savings withdraw',
    operation: 'savings/withdraw',
    summary: 'Take money out of savings into free.',
    positionals: [account, asset, amount],
    options: { reference },
    examples: ['bourse admin --data data/main savings withdraw alice USDT 100 --reference saving-2'],
    show: transferText,
  }),
  command({
    name: 'house payout',
    operation: 'house/payout',
    summary: 'Pay commission that the house has earned to the outside world (see: account balances fees).',
    positionals: [asset, amount],
    options: { reference },
    examples: ['bourse admin --data data/main house payout USDT 1200.50 --reference payout-2026-11'],
    confirm: ({ asset, amount }) => `Pay ${amount} ${asset} of the house's commission out?`,
    show: transferText,
  }),
]
