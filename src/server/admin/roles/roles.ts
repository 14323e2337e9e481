/**
 * Which rights an operation takes, and which a role has (docs/reference/admin.md#rights). A new operation does not compile before it
 * stands here.
 */
import type { AdminRight } from '../../../units/admin-rights.ts'
import type { AdminOperation } from '../../../wire/admin.ts'

/** `owner` is the right of the node's own token alone, so that nobody raises what he may himself. */
export type TakenRight = AdminRight | 'owner'

/** Of each operation, every right that it takes. */
export const RIGHTS_BY_OPERATION: Readonly<Record<AdminOperation, readonly [TakenRight, ...TakenRight[]]>> = {
  'node/status': ['read'],
  'rules/set': ['rules'],
  'asset/list': ['read'],
  'asset/add': ['markets'],
  'asset/set': ['markets'],
  'asset/withdrawals': ['markets'],
  'symbol/list': ['read'],
  'symbol/add': ['markets'],
  'symbol/rates': ['markets'],
  'symbol/set': ['markets'],
  'symbol/increments': ['markets'],
  'symbol/halt': ['markets'],
  'symbol/resume': ['markets'],
  'symbol/cancel-only': ['markets'],
  'symbol/delist': ['markets'],
  'exchange/show': ['read'],
  'exchange/halt': ['phases'],
  'exchange/close': ['phases'],
  'exchange/open': ['phases'],
  'exchange/plan': ['phases'],
  'exchange/unplan': ['phases'],
  'tier/list': ['read'],
  'tier/set': ['tiers'],
  'order/cancel-all': ['orders.cancel'],
  'order/cancel': ['orders.cancel'],
  'order/list': ['read.accounts'],
  'order/show': ['read.accounts'],
  'order/fills': ['read.accounts'],
  'account/list': ['read.accounts'],
  'account/show': ['read.accounts'],
  // It shows what operators did, and what waits of the account's money.
  'account/story': ['read.accounts', 'read.money', 'audit'],
  'account/find': ['read.accounts'],
  'account/search': ['read.accounts'],
  'account/note': ['accounts.open'],
  'account/terms': ['accounts.terms'],
  'account/add': ['accounts.open'],
  // Forbidding less takes one more right, which the operation itself asks for.
  'account/restrict': ['accounts.restrict'],
  'account/freeze': ['accounts.restrict'],
  'account/unfreeze': ['accounts.release'],
  'account/close': ['accounts.close'],
  'account/set': ['accounts.terms'],
  'key/list': ['read.accounts'],
  // Whoever has a secret reads the account's money and orders with it.
  'key/add': ['read.accounts', 'keys'],
  'key/set': ['keys'],
  'key/rotate': ['read.accounts', 'keys'],
  'key/revoke': ['keys.stop'],
  'key/enable': ['keys'],
  'key/disable': ['keys.stop'],
  'master-key/rotate': ['master-key'],
  'balance/list': ['read.accounts'],
  'journal/read': ['journal'],
  'journal/quarantined': ['journal.state'],
  'journal/archives': ['journal.state'],
  // The file is the node's own machine's: these take its own token besides.
  'archive/record': ['journal'],
  'archive/trim': ['journal'],
  'money/credit': ['credit'],
  'money/debit': ['debit'],
  'money/move': ['move'],
  'savings/deposit': ['move'],
  'savings/withdraw': ['move'],
  'house/payout': ['payout'],
  'withdrawal/list': ['read.money'],
  'withdrawal/ended': ['read.money'],
  'transfer/show': ['read.money', 'audit'],
  'withdrawal/hold': ['withdrawals'],
  'withdrawal/complete': ['withdrawals'],
  'withdrawal/cancel': ['withdrawals'],
  'withdrawal/claim': ['withdrawals'],
  'withdrawal/refuse': ['withdrawals'],
  'address/list': ['read.accounts'],
  'address/add': ['addresses'],
  'address/remove': ['addresses'],
  'approval/list': ['read.money'],
  'approval/approve': ['approve'],
  'approval/reject': ['approve'],
  'approval/show': ['read.money'],
  'approval/needed': ['owner'],
  'token/list': ['read.operators'],
  'token/add': ['tokens'],
  'token/set': ['owner'],
  'token/revoke': ['tokens'],
  'role/list': ['read.operators'],
  'role/set': ['owner'],
  'role/remove': ['owner'],
  'role/limit': ['owner'],
  'ban/list': ['read'],
  'ban/add': ['bans'],
  'ban/lift': ['bans'],
  'clock/show': ['read'],
  'fault/list': ['read'],
  'fault/add': ['markets'],
  'fault/clear': ['markets'],
  'metrics/show': ['read'],
  'load/show': ['read'],
  'clock/accept': ['clock'],
  'audit/list': ['audit'],
  'audit/find': ['audit'],
  'event/list': ['events'],
  'webhook/list': ['events'],
  'webhook/show': ['events'],
  // They send events to an address, or show what `webhook/show` does: the right to read events is taken too.
  'webhook/add': ['events', 'webhooks'],
  'webhook/pause': ['events', 'webhooks'],
  'webhook/resume': ['events', 'webhooks'],
  'webhook/remove': ['events', 'webhooks'],
  'webhook/test': ['events', 'webhooks'],
  'webhook/retry': ['events', 'webhooks'],
  'dead-event/list': ['events'],
  // They have what is read of accounts and of what happened to them.
  'report/show': ['read.accounts', 'events'],
  'liabilities/show': ['read.accounts'],
}

/** The first right of an operation that is not among those of a caller; undefined: it may be done. */
export function missingRight(
  rights: readonly TakenRight[],
  operation: AdminOperation,
): TakenRight | undefined {
  return RIGHTS_BY_OPERATION[operation].find((right) => !rights.includes(right))
}

/** Whether an operation only looks: it is none of the journal's commands. */
export function isReading(operation: AdminOperation): boolean {
  return /^journal\/|\/(list|show|status|fills|ended|story|find|search)$/.test(operation)
}
