/**
 * What takes the token again: whoever sits down before an open page moves no money, opens no way for it, gives nobody rights and shows
 * himself no secret. The nature of an operation, which its row says, decides it.
 */
import { type AdminOperation, OPERATION_ROWS } from '../../../wire/admin.ts'
import { NATURES } from '../../../wire/admin-operations/row.ts'

export function takesTokenAgain(operation: AdminOperation): boolean {
  return NATURES[OPERATION_ROWS[operation].nature]
}
