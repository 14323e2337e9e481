/** What waits for a second person and is still in time: the exchange forgets the rest only with what is asked for next. */
import type { Approval } from '../../../core/exchange/view.ts'
import { APPROVAL_LIFETIME_MS } from '../../../units/limits.ts'
import type { AdminContext } from '../context.ts'

type Looked = Pick<AdminContext, 'backOffice' | 'now'>

export function isInTime({ now }: Pick<AdminContext, 'now'>, { requestedAt }: Approval): boolean {
  return now() - requestedAt < APPROVAL_LIFETIME_MS
}

/** What waits under a reference. */
export function waitingApproval(context: Looked, reference: string): Approval | undefined {
  const approval = context.backOffice.approvalByReference.get(reference)
  return approval !== undefined && isInTime(context, approval) ? approval : undefined
}
