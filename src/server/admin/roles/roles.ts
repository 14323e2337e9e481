/** Whether a caller has the rights that an operation requires (docs/reference/admin.md#rights). */
import { type AdminOperation, OPERATION_ROWS } from '../../../contract/admin/admin.ts'
import type { TakenRight } from '../../../contract/admin/operations/row.ts'

/** The first right of an operation that the caller lacks; undefined if the operation is allowed. */
export function missingRight(
  rights: readonly TakenRight[],
  operation: AdminOperation,
): TakenRight | undefined {
  return OPERATION_ROWS[operation].rights.find((right) => !rights.includes(right))
}
