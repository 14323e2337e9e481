/**
 * Operations that need the token again: a person at an unattended page can move no money, open no way to do
 * so, give no rights and see no secret. The nature of an operation, given in its row, decides.
 */
import { type AdminOperation, OPERATION_ROWS } from '../../../contract/admin/admin.ts'
import { NATURES } from '../../../contract/admin/operations/row.ts'

export function takesTokenAgain(operation: AdminOperation): boolean {
  return NATURES[OPERATION_ROWS[operation].nature]
}
