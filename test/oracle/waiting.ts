/** Requests that wait for a second person: created, found again under their reference, ended. */
import type { Reply } from '../../src/core/questions/reply.ts'
import { refused } from '../../src/core/questions/reply.ts'
import type { Approval } from '../../src/core/questions/view.ts'
import type { Asset } from '../../src/core/registry/records.ts'
import type { Administered, Emit } from './administered.ts'

/** After this time a request can no longer be approved. */
const WAITS_MS = 604_800_000

/** The waiting request under a reference. */
export function waitingFor(state: Administered, reference: string): Approval | undefined {
  return state.approvals.find((one) => one.reference === reference && isInTime(state, one))
}

function isInTime({ time }: Administered, { requestedAt }: Approval): boolean {
  return time - requestedAt < WAITS_MS
}

/** The answer if a second person must approve; undefined if none must. */
export function askApproval(
  state: Administered,
  wanted: Omit<Approval, 'requestedAt'>,
  asset: Asset,
  emit: Emit,
  isMuch = asset.approvalAbove !== undefined && wanted.amount > asset.approvalAbove,
): Reply | undefined {
  const { reference, kind, accountId, assetId, amount, actor } = wanted
  const asked = waitingFor(state, reference)
  if (asked !== undefined) {
    const isSame =
      asked.kind === kind &&
      asked.accountId === accountId &&
      asked.assetId === assetId &&
      asked.amount === amount
    return isSame ? { kind: 'ApprovalNeeded' } : refused('REFERENCE_CONFLICT')
  }
  if (!isMuch) return undefined
  if (!holdsToken(state, actor)) return refused('NAMED_TOKEN_NEEDED')
  for (const old of state.approvals.filter((one) => !isInTime(state, one))) drop(state, old, 'EXPIRED', emit)
  const approval = { ...wanted, requestedAt: state.time }
  state.approvals.push(approval)
  emit({ kind: 'ApprovalChanged', approval, state: 'PENDING' })
  return { kind: 'ApprovalNeeded' }
}

export function drop(
  { approvals }: Administered,
  approval: Approval,
  became: 'APPROVED' | 'REJECTED' | 'EXPIRED',
  emit: Emit,
): void {
  approvals.splice(approvals.indexOf(approval), 1)
  const { approvedBy: _, ...asked } = approval
  emit({ kind: 'ApprovalChanged', approval: asked, state: became })
}

/** Whether `actor` has a named token that is neither revoked nor expired. */
export function holdsToken({ tokens, time }: Administered, actor: string): boolean {
  return tokens.some(
    ({ name, isRevoked, expiresAt = Infinity }) => name === actor && !isRevoked && expiresAt > time,
  )
}
