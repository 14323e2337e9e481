/**
 * Which role an operation asks for. Reading is everybody's; support protects customers and cannot move money; the
 * operator may do everything.
 */
import { ADMIN_ROLES, type AdminRole } from '../../units/operator-words.ts'
import type { AdminOperation } from '../../wire/admin.ts'

const READ: AdminRole = 'READ_ONLY'
const SUPPORT: AdminRole = 'SUPPORT'
const OPERATOR: AdminRole = 'OPERATOR'

export const ROLE_BY_OPERATION: Readonly<Record<AdminOperation, AdminRole>> = {
  'node/status': READ,
  'rules/set': OPERATOR,
  'asset/list': READ,
  'asset/add': OPERATOR,
  'asset/set': OPERATOR,
  'symbol/list': READ,
  'symbol/add': OPERATOR,
  'symbol/rates': OPERATOR,
  'symbol/set': OPERATOR,
  'symbol/increments': OPERATOR,
  'symbol/halt': OPERATOR,
  'symbol/resume': OPERATOR,
  'symbol/cancel-only': OPERATOR,
  'symbol/delist': OPERATOR,
  'exchange/show': READ,
  'exchange/halt': OPERATOR,
  'exchange/close': OPERATOR,
  'exchange/open': OPERATOR,
  'exchange/plan': OPERATOR,
  'exchange/unplan': OPERATOR,
  'tier/list': READ,
  'tier/set': OPERATOR,
  'order/cancel-all': SUPPORT,
  'account/list': READ,
  'account/show': READ,
  'account/add': SUPPORT,
  'account/restrict': SUPPORT,
  'account/freeze': SUPPORT,
  'account/unfreeze': OPERATOR,
  'account/close': OPERATOR,
  'account/set': OPERATOR,
  'key/list': READ,
  'key/add': OPERATOR,
  'key/set': OPERATOR,
  'key/rotate': OPERATOR,
  'key/revoke': SUPPORT,
  'key/enable': OPERATOR,
  'key/disable': SUPPORT,
  'master-key/rotate': OPERATOR,
  'balance/list': READ,
  // The journal has everything, sealed secrets included.
  'journal/read': OPERATOR,
  'journal/quarantined': OPERATOR,
  'money/credit': OPERATOR,
  'money/debit': OPERATOR,
  'money/move': OPERATOR,
  'savings/deposit': OPERATOR,
  'savings/withdraw': OPERATOR,
  'house/payout': OPERATOR,
  'withdrawal/list': READ,
  'withdrawal/hold': OPERATOR,
  'withdrawal/complete': OPERATOR,
  'withdrawal/cancel': OPERATOR,
  'approval/list': READ,
  'approval/approve': OPERATOR,
  'approval/reject': OPERATOR,
  'token/list': READ,
  'token/add': OPERATOR,
  'token/revoke': OPERATOR,
  'ban/list': READ,
  'ban/add': SUPPORT,
  'ban/lift': SUPPORT,
  'clock/show': READ,
  'clock/accept': OPERATOR,
  'audit/list': READ,
  'event/list': READ,
}

export function mayDo(role: AdminRole, operation: AdminOperation): boolean {
  return ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(ROLE_BY_OPERATION[operation])
}

/** Whether an operation only looks: it is none of the journal's commands. */
export function isReading(operation: AdminOperation): boolean {
  return /^journal\/|\/(list|show|status)$/.test(operation)
}
