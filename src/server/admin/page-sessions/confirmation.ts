/**
 * Operations that need the token again, so that a person at an unattended page cannot move money, open a way
 * to do so, grant rights or see a secret. The nature of an operation, given in its row, decides.
 */
import { type AdminOperation, OPERATION_ROWS } from '../../../contract/admin/admin.ts'
import { NATURES } from '../../../contract/admin/operations/row.ts'

export function takesTokenAgain(operation: AdminOperation): boolean {
  return NATURES[OPERATION_ROWS[operation].nature]
}
