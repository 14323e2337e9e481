/** The operator's commands that move money. */
import type { MONEY_OPERATIONS } from '../../../wire/admin-operations/money.ts'
import type { AdminTransfer } from '../../../wire/admin-records.ts'
import type { Shown } from '../command.ts'

export function transferText({ repeated, pending }: AdminTransfer): string {
  if (pending) return 'Nothing has moved yet: it waits for other people (bourse admin approval list).'
  return repeated ? 'Nothing to do: this reference was used for the very same transfer before.' : 'Done.'
}

export const MONEY_ANSWERS: Shown<typeof MONEY_OPERATIONS> = {
  'money/credit': transferText,
  'money/debit': transferText,
  'money/move': transferText,
  'savings/deposit': transferText,
  'savings/withdraw': transferText,
  'house/payout': transferText,
}
