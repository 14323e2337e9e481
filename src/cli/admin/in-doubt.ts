/** What an operator reads whose command has got no answer: it may have been done all the same. */
import { type AdminOperation, OPERATION_ROWS } from '../../wire/admin.ts'

/** How to see whether an operation was done; undefined for one that changes nothing. */
function howToLook(operation: AdminOperation): string | undefined {
  const [what] = operation.split('/')
  if (OPERATION_ROWS[operation].isReading) return undefined
  if (what === 'money' || what === 'savings' || what === 'house' || what === 'withdrawal')
    return 'send it again with the same reference: it is not done twice'
  if (what === 'order') return 'send it again: what is cancelled stays cancelled'
  if (operation === 'token/add') {
    return 'look with "bourse admin token list"; it cannot be shown any more, so revoke a token you find and add another'
  }
  if (operation === 'webhook/add') {
    return 'look with "bourse admin webhook list"; its secret cannot be shown any more, so remove one you find and add another'
  }
  if (operation === 'webhook/test') return 'a receiver may have been sent a test'
  if (operation === 'approval/needed') return 'look with "bourse admin approval show"'
  if (operation === 'fault/clear' || operation === 'fault/add') return 'look with "bourse admin fault list"'
  if (what === 'address') return 'look with "bourse admin address list <account>"'
  if (what === 'exchange') return 'look with "bourse admin exchange show"'
  if (operation === 'clock/accept') return 'look with "bourse admin clock show"'
  if (operation === 'rules/set') return 'look with "bourse admin node status"'
  if (operation === 'master-key/rotate') return 'send it again: it goes on from where it was'
  if (operation === 'key/rotate') return 'rotate it again: a new secret is shown then'
  if (operation === 'key/add') {
    return 'look with "bourse admin key list <account>"; its secret cannot be shown any more, so disable a key you find and add another'
  }
  return `look with "bourse admin ${what} list${what === 'key' ? ' <account>' : ''}"`
}

/** A sentence on what may have come of a request without an answer. */
export function inDoubt(operation: AdminOperation): string {
  const look = howToLook(operation)
  return look === undefined
    ? 'nothing was changed: ask again'
    : `the command may have been done all the same: ${look}`
}
