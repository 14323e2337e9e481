/** Advice for an operator whose command got no answer: it may have been carried out. */
import { type AdminOperation, OPERATION_ROWS } from '../../contract/admin/admin.ts'

/** How to check whether an operation was done; undefined for an operation that changes nothing. */
function howToLook(operation: AdminOperation): string | undefined {
  const [what] = operation.split('/')
  if (OPERATION_ROWS[operation].isReading) return undefined
  if (what === 'money' || what === 'savings' || what === 'house' || what === 'withdrawal')
    return 'send it again with the same reference: it is not carried out twice'
  if (what === 'order') return 'send it again: canceled orders stay canceled'
  if (operation === 'token/add') {
    return 'check with "bourse admin token list"; the token cannot be shown again, so revoke it if it is listed and add another'
  }
  if (operation === 'webhook/add') {
    return 'check with "bourse admin webhook list"; its secret cannot be shown again, so remove the webhook if it is listed and add another'
  }
  if (operation === 'webhook/test') return 'the receiver may have received the test message'
  if (operation === 'approval/needed') return 'check with "bourse admin approval show"'
  if (operation === 'fault/clear' || operation === 'fault/add') return 'check with "bourse admin fault list"'
  if (what === 'address') return 'check with "bourse admin address list <account>"'
  if (what === 'exchange') return 'check with "bourse admin exchange show"'
  if (operation === 'clock/accept') return 'check with "bourse admin clock show"'
  if (operation === 'rules/set') return 'check with "bourse admin node status"'
  if (operation === 'master-key/rotate') return 'send it again: it continues where it stopped'
  if (operation === 'key/rotate') return 'rotate it again: a new secret is shown'
  if (operation === 'key/add') {
    return 'check with "bourse admin key list <account>"; its secret cannot be shown again, so disable the key if it is listed and add another'
  }
  return `check with "bourse admin ${what} list${what === 'key' ? ' <account>' : ''}"`
}

/** A sentence about the possible effect of a request without an answer. */
export function inDoubt(operation: AdminOperation): string {
  const look = howToLook(operation)
  return look === undefined
    ? 'nothing was changed: try again'
    : `the command may have been carried out nevertheless: ${look}`
}
