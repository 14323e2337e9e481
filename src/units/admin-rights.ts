/**
 * What a token of the admin server may be allowed, one word for each kind of thing that operators do, and what
 * each role has. Which operation takes which right stands with the operations (docs/reference/admin.md#rights).
 */

import type { AdminRole } from './operator-words.ts'

export const ADMIN_RIGHTS = [
  'read', // the node, assets, symbols, phases, fee tiers, bans, the clock
  'read.accounts', // accounts, their balances and keys, never a secret
  'read.money', // withdrawals and approvals that wait
  'read.operators', // tokens and roles, never a token itself
  'audit',
  'events',
  'journal', // everything that was ever ordered, sealed secrets included
  'journal.state',
  'credit',
  'debit',
  'move', // between the buckets of one account
  'payout',
  'withdrawals', // hold, complete, cancel
  'approve', // what waits for a second person, or reject it
  'accounts.open',
  'accounts.restrict', // forbid more
  'accounts.release', // forbid less
  'accounts.terms',
  'accounts.close',
  'orders.cancel',
  'keys',
  'keys.stop', // disable, revoke
  'markets', // assets and symbols
  'phases',
  'tiers',
  'bans',
  'tokens',
  'clock',
  'rules',
  'master-key',
  'webhooks', // where events are sent to
] as const
export type AdminRight = (typeof ADMIN_RIGHTS)[number]

const READING: readonly AdminRight[] = [
  'read',
  'read.accounts',
  'read.money',
  'read.operators',
  'audit',
  'events',
]

/** What each role may do. */
export const RIGHTS_BY_ROLE = {
  READ_ONLY: READING,
  SUPPORT: [...READING, 'accounts.open', 'accounts.restrict', 'orders.cancel', 'keys.stop', 'bans'],
  OPERATOR: ADMIN_RIGHTS,
} as const satisfies Readonly<Record<AdminRole, readonly AdminRight[]>>
