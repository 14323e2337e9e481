/**
 * What a token of the admin server may be allowed, one word for each kind of thing that operators do, and the roles that every
 * exchange has. Which operation takes which right stands with the operations (docs/reference/admin.md#rights).
 *
 * The numbers of rights in journals are the positions in this list: new ones go to the end, together with a version of the rules; none
 * is ever removed or moved.
 */

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
  'withdrawals', // hold, claim, complete, cancel, refuse
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
  'addresses', // of accounts, that their money may be withdrawn to
] as const
export type AdminRight = (typeof ADMIN_RIGHTS)[number]

/** The rights that protect data. */
export type ReadingRight = Extract<
  AdminRight,
  | 'read'
  | 'read.accounts'
  | 'read.money'
  | 'read.operators'
  | 'audit'
  | 'events'
  | 'journal'
  | 'journal.state'
>

const READING: readonly AdminRight[] = [
  'read',
  'read.accounts',
  'read.money',
  'read.operators',
  'audit',
  'events',
]

/** The roles that every exchange has. Operators' own have no capital letter in their names, so that none is ever taken for one of these. */
export const BUILT_IN_ROLES = {
  READ_ONLY: READING,
  SUPPORT: [...READING, 'accounts.open', 'accounts.restrict', 'orders.cancel', 'keys.stop', 'bans'],
  OPERATOR: ADMIN_RIGHTS,
  AUDITOR: [...READING, 'journal.state'],
  DEPOSITOR: ['credit'],
} as const satisfies Readonly<Record<string, readonly AdminRight[]>>
export type BuiltInRole = keyof typeof BUILT_IN_ROLES

/** The rights of a role that every exchange has; undefined: it is none of these. */
export function builtInRights(role: string): readonly AdminRight[] | undefined {
  return Object.hasOwn(BUILT_IN_ROLES, role) ? BUILT_IN_ROLES[role as BuiltInRole] : undefined
}
