/** The operator's commands that move money. */
import type { MONEY_OPERATIONS } from '../../../contract/admin/operations/money.ts'
import type { AdminTransfer } from '../../../contract/admin/records.ts'
import type { Shown } from '../command.ts'

export function transferText({ repeated, pending }: AdminTransfer): string {
  if (pending) return 'Nothing has moved yet: the request waits for approval (bourse admin approval list).'
  return repeated ? 'Nothing to do: the same transfer was already made with this reference.' : 'Done.'
}

export const MONEY_ANSWERS: Shown<typeof MONEY_OPERATIONS> = {
  'money/credit': transferText,
  'money/debit': transferText,
  'money/move': transferText,
  'savings/deposit': transferText,
  'savings/withdraw': transferText,
  'house/payout': transferText,
}
