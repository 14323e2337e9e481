/**
 * The rights of a token of the admin server, one word for each kind of operation, and the built-in roles.
 * Each operation declares the rights that it needs (docs/reference/admin.md#rights).
 *
 * The numbers of rights in journals are the positions in this list: new ones are added at the end, together
 * with a version of the rules; none is ever removed or moved.
 */

export const ADMIN_RIGHTS = [
  'read', // the node, assets, symbols, phases, fee tiers, bans, the clock
  'read.accounts', // accounts, their balances and keys, never a secret
  'read.money', // pending withdrawals and approvals
  'read.operators', // tokens and roles, never a token itself
  'audit',
  'events',
  'journal', // all commands ever given, sealed secrets included
  'journal.state',
  'credit',
  'debit',
  'move', // between the buckets of one account
  'payout',
  'withdrawals', // hold, claim, complete, cancel, refuse
  'approve', // approve or reject a request that waits for a second person
  'accounts.open',
  'accounts.restrict', // add restrictions
  'accounts.release', // remove restrictions
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
  'webhooks', // the targets of events
  'addresses', // the addresses to which an account's money may be withdrawn
  'customers.read', // personal data of customers; each use has a reason, which the customer sees
  'customers.admit', // approve, refuse, invite
  'customers.reset', // restore the access of a person who has lost every passkey; needs two operators
] as const
export type AdminRight = (typeof ADMIN_RIGHTS)[number]

/** Rights that a role may have from `CUSTOMER_RULES` on. */
export const CUSTOMER_RIGHTS: readonly AdminRight[] = ['customers.read', 'customers.admit', 'customers.reset']

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
  | 'customers.read'
>

const READING: readonly AdminRight[] = [
  'read',
  'read.accounts',
  'read.money',
  'read.operators',
  'audit',
  'events',
]

/**
 * The roles that every exchange has. Names of custom roles have no capital letters, so that none is mistaken
 * for one of these.
 */
export const BUILT_IN_ROLES = {
  READ_ONLY: READING,
  SUPPORT: [...READING, 'accounts.open', 'accounts.restrict', 'orders.cancel', 'keys.stop', 'bans'],
  OPERATOR: ADMIN_RIGHTS,
  AUDITOR: [...READING, 'journal.state'],
  DEPOSITOR: ['credit'],
} as const satisfies Readonly<Record<string, readonly AdminRight[]>>
export type BuiltInRole = keyof typeof BUILT_IN_ROLES

/** The rights of a built-in role; undefined if there is no such built-in role. */
export function builtInRights(role: string): readonly AdminRight[] | undefined {
  return Object.hasOwn(BUILT_IN_ROLES, role) ? BUILT_IN_ROLES[role as BuiltInRole] : undefined
}
