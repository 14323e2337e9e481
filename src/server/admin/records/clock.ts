/** Operations on the clock: its state relative to the journal's time, and accepting its time as correct. */
import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminClock } from '../../../contract/admin/records.ts'
import { isoTime } from '../../../contract/time.ts'
import { type AdminContext, AdminRequestError } from '../context.ts'
import { operatorOf, submit } from '../submit.ts'

export async function showClock(context: AdminContext): Promise<AdminResults['clock/show']> {
  return shown(context)
}

/** Accepts the current time of the clock; all later commands have times based on it, permanently. */
export async function acceptClock(
  context: AdminContext,
  request: AdminRequests['clock/accept'],
): Promise<AdminResults['clock/accept']> {
  const before = context.clock()
  if (before.isTrusted) throw new AdminRequestError('CLOCK_TRUSTED')
  await submit(context, { kind: 'AcceptClock', operator: operatorOf(context, request), clock: before.wall })
  return { before: isoTime(before.time), ...shown(context) }
}

function shown({ clock }: Pick<AdminContext, 'clock'>): AdminClock {
  const { isTrusted, time, wall } = clock()
  return { trusted: isTrusted, serverTime: isoTime(time), clock: isoTime(wall), aheadMs: wall - time }
}
