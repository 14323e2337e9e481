/** Whether a caller has the rights that an operation takes (docs/reference/admin.md#rights). */
import { type AdminOperation, OPERATION_ROWS } from '../../../wire/admin.ts'
import type { TakenRight } from '../../../wire/admin-operations/row.ts'

/** The first right of an operation that is not among those of a caller; undefined: it may be done. */
export function missingRight(
  rights: readonly TakenRight[],
  operation: AdminOperation,
): TakenRight | undefined {
  return OPERATION_ROWS[operation].rights.find((right) => !rights.includes(right))
}
