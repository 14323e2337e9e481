/**
 * Metrics of pending money: withdrawals not yet claimed, claimed withdrawals, and requests that wait for
 * approval.
 */
import { APPROVAL_LIFETIME_MS } from '../../units/limits.ts'
import type { BackOfficeView } from '../../views/back-office.ts'
import type { Metrics } from './metric-kinds.ts'

/**
 * `withdrawal`: requested, and not claimed; `claim`: claimed for payment; `approval`: waits for a second
 * person.
 */
export const WAITING_KINDS = ['withdrawal', 'claim', 'approval'] as const

type WaitingKind = (typeof WAITING_KINDS)[number]
export type Waiting = Readonly<
  Record<WaitingKind, { readonly count: number; readonly oldestMs: number | undefined }>
>

export type WaitingRecords = Pick<BackOfficeView, 'withdrawalByReference' | 'approvalByReference'>

/**
 * The number of waiting entries of each kind, and the time since which the oldest waits, in milliseconds
 * since 1970; as of `nowMs`.
 */
export function waitingOf(
  { withdrawalByReference, approvalByReference }: WaitingRecords,
  nowMs: number,
): Waiting {
  const since: Record<WaitingKind, number[]> = { withdrawal: [], claim: [], approval: [] }
  for (const { requestedAt, asked } of withdrawalByReference.values()) {
    const claimedAt = asked?.claimedAt
    if (claimedAt === undefined) since.withdrawal.push(requestedAt)
    else since.claim.push(claimedAt)
  }
  for (const { requestedAt } of approvalByReference.values())
    if (nowMs - requestedAt < APPROVAL_LIFETIME_MS) since.approval.push(requestedAt)
  const shown = (times: readonly number[]) => ({
    count: times.length,
    oldestMs: times.length === 0 ? undefined : times.reduce((one, other) => Math.min(one, other)),
  })
  return { withdrawal: shown(since.withdrawal), claim: shown(since.claim), approval: shown(since.approval) }
}

/** `control`: undefined until the node has recovered. */
export function addWaiting(
  { gauge }: Metrics,
  control: () => WaitingRecords | undefined,
  now: () => number,
): void {
  const readings = (value: (of: Waiting[WaitingKind]) => number) => () => {
    const view = control()
    if (view === undefined) return []
    const waiting = waitingOf(view, now())
    return WAITING_KINDS.map((kind) => ({ labels: { kind }, value: value(waiting[kind]) }))
  }
  gauge(
    'bourse_waiting',
    'Withdrawals, claims and approvals waiting for an operator',
    readings(({ count }) => count),
  )
  gauge(
    'bourse_waiting_oldest_seconds',
    'Waiting time of the oldest withdrawal, claim or approval; 0 if none is waiting',
    readings(({ oldestMs }) => (oldestMs === undefined ? 0 : Math.max(0, (now() - oldestMs) / 1_000))),
  )
}
