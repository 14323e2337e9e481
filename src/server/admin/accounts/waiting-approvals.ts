/**
 * Whether a pending request has not expired yet: the exchange drops expired requests only when the next
 * request arrives.
 */
import type { Approval } from '../../../core/questions/view.ts'
import { APPROVAL_LIFETIME_MS } from '../../../units/limits.ts'
import type { AdminContext } from '../context.ts'

type Looked = Pick<AdminContext, 'backOffice' | 'now'>

export function isInTime({ now }: Pick<AdminContext, 'now'>, { requestedAt }: Approval): boolean {
  return now() - requestedAt < APPROVAL_LIFETIME_MS
}

/** The pending request with a reference. */
export function waitingApproval(context: Looked, reference: string): Approval | undefined {
  const approval = context.backOffice.approvalByReference.get(reference)
  return approval !== undefined && isInTime(context, approval) ? approval : undefined
}
