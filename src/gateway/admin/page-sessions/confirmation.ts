/**
 * What takes the token again: whoever sits down before an open page moves no money, gives nobody rights and shows himself no secret.
 */
import type { AdminOperation } from '../../../wire/admin.ts'
import { RIGHTS_BY_OPERATION, type TakenRight } from '../roles.ts'

const CONFIRMED_RIGHTS: ReadonlySet<TakenRight> = new Set([
  // Money.
  ...(['credit', 'debit', 'move', 'payout', 'withdrawals', 'approve'] as const),
  // Who may what.
  ...(['tokens', 'owner', 'master-key', 'keys', 'webhooks', 'rules'] as const),
  // Limits and what is paid.
  ...(['tiers', 'accounts.terms', 'accounts.close'] as const),
])

/** Those of the right `markets` that set limits or last for good; halting and resuming are not kept waiting. */
const CONFIRMED: ReadonlySet<AdminOperation> = new Set([
  'asset/add',
  'asset/set',
  'symbol/add',
  'symbol/rates',
  'symbol/set',
  'symbol/increments',
  'symbol/delist',
])

export function takesTokenAgain(operation: AdminOperation): boolean {
  return (
    CONFIRMED.has(operation) || RIGHTS_BY_OPERATION[operation].some((right) => CONFIRMED_RIGHTS.has(right))
  )
}
