/**
 * Log lines about completed operations: the operator, the operation, and warnings. They never contain a
 * secret.
 */
import { type AdminOperation, type AdminRequests, OPERATION_ROWS } from '../../contract/admin/admin.ts'
import type { AuditFields } from '../../contract/admin/operations/row.ts'
import type { Logger } from '../common/logger.ts'
import type { Caller } from './context.ts'
import { operatorOf } from './submit.ts'

/** Changes that could let one person act as two, logged as warnings: message and fields. */
type Notable = { readonly message: string; readonly fields: object }

/**
 * Logs a completed operation, unless it only reads: scripts and auditors read thousands of times, and changes
 * must be easy to find.
 */
export function logDone<Operation extends AdminOperation>(
  log: Logger,
  caller: Caller,
  operation: Operation,
  request: AdminRequests[Operation],
): void {
  // In a read, `actor` is a filter and not the caller. An archive is trimmed in thousands of pieces, after
  // its recording was logged.
  if (OPERATION_ROWS[operation].isReading || operation === 'archive/trim') {
    const { actor } = operatorOf({ caller }, {})
    log.debug({ operation, who: actor }, 'admin operation done')
    return
  }
  const { actor } = operatorOf({ caller }, request as AuditFields)
  log.info({ operation, who: actor }, 'admin operation done')
  const notable = notableOf(operation, request)
  if (notable !== undefined) log.warn({ who: actor, ...notable.fields }, notable.message)
}

const OF_RIGHTS: readonly AdminOperation[] = [
  'role/set',
  'role/remove',
  'role/limit',
  'token/set',
  'approval/needed',
]

function notableOf(operation: AdminOperation, request: object): Notable | undefined {
  if (operation === 'token/add') {
    const { name, role } = request as AdminRequests['token/add']
    return { message: 'a named token was created', fields: { name, role } }
  }
  if (OF_RIGHTS.includes(operation)) {
    return { message: 'the rights of operators were changed', fields: { operation } }
  }
  if (operation !== 'asset/set') return undefined
  const { code, approvalAbove } = request as AdminRequests['asset/set']
  if (approvalAbove === undefined) return undefined
  return { message: 'the amounts that need approval were changed', fields: { asset: code, approvalAbove } }
}
