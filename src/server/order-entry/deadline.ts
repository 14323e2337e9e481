/**
 * `deadline`: the latest time at which a request over a connection may take effect, for clients that send no
 * `timestamp` (docs/reference/order-entry.md#deadline).
 */

import { noLaterThan } from '../../contract/expectations.ts'
import { ORDER_DEADLINE_AHEAD_MAX_MS } from '../../units/limits.ts'
import type { Clock } from '../common/clock.ts'
import type { Parameters } from '../common/parameters.ts'
import { readTime } from '../common/read.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import type { RequestWindow } from '../trading/call.ts'

/**
 * The reason to refuse a request with a deadline on arrival. Few requests have one, and reading the clock
 * costs more than the rest of this check.
 */
export function deadlineRefusal(parameters: Parameters, clock: Clock): Refusal | undefined {
  const deadline = readTime(parameters, 'deadline')
  if (deadline === undefined || deadline instanceof Refusal) return deadline
  const now = clock.now()
  if (deadline < now) return refuse('DEADLINE_OVER', { deadlineMs: deadline, serverTimeMs: now })
  const last = now + ORDER_DEADLINE_AHEAD_MAX_MS
  if (deadline <= last) return undefined
  return refuse('INVALID_PARAMETER', { name: 'deadline', expected: noLaterThan(last) })
}

/** The window of a request, which ends at its deadline if that comes first; both were checked. */
export function untilDeadline(
  window: RequestWindow | undefined,
  parameters: Parameters,
): RequestWindow | undefined {
  const deadline = readTime(parameters, 'deadline')
  if (deadline === undefined || deadline instanceof Refusal) return window
  if (window !== undefined && window.until <= deadline) return window
  return { sentAt: window?.sentAt ?? deadline, until: deadline, isDeadline: true }
}
