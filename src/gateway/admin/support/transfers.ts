/** Withdrawals that ended, and one transfer by its reference: what was ordered under it, when, by whom and why. */
import type { NumberedEvent } from '../../../engine/numbered-events.ts'
import type { OperatorAction } from '../../../engine/ports.ts'
import { APPROVAL_LIFETIME_MS } from '../../../units/limits.ts'
import type { AdminRequests, AdminResults } from '../../../wire/admin.ts'
import type { AdminAction } from '../../../wire/admin-records.ts'
import type { AdminEndedWithdrawal, AdminFact, AdminTransferState } from '../../../wire/admin-support.ts'
import { isoTime } from '../../../wire/time.ts'
import { adminActions } from '../audit.ts'
import { type AdminContext, knownAccount, unknown } from '../context.ts'

/** Withdrawals of one page, where the request does not say how many. */
const PAGE = 50
/** Commands under one reference that are shown. */
const ACTIONS_SHOWN = 100

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

/** Withdrawals that were completed or canceled, the newest first. */
export async function listEndedWithdrawals(
  context: AdminContext,
  request: AdminRequests['withdrawal/ended'],
): Result<'withdrawal/ended'> {
  const { account, before, limit = PAGE } = request
  const { events, next } = await context.history.pastEvents({
    kinds: ['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_CANCELED'],
    accountId: account === undefined ? undefined : knownAccount(context, 'account', account).id,
    before,
    limit,
    atLeast: context.seq(),
  })
  return { withdrawals: events.map((event) => endedWithdrawal(context, event)), next: next ?? null }
}

function endedWithdrawal({ registry }: AdminContext, event: NumberedEvent): AdminEndedWithdrawal {
  const { seq, time, kind, accountId, actor, note, fields } = event
  return {
    reference: String(fields.reference),
    account: accountId === undefined ? '' : (registry.account(accountId)?.name ?? ''),
    asset: String(fields.asset),
    amount: String(fields.amount),
    outcome: kind === 'WITHDRAWAL_COMPLETED' ? 'COMPLETED' : 'CANCELED',
    endedAt: isoTime(time),
    seq,
    by: actor,
    note,
  }
}

/** A fact of the feed as people read it. */
export function adminFact({ number, seq, time, kind, actor, note, fields }: NumberedEvent): AdminFact {
  return { number, seq, time: isoTime(time), kind, actor, note, fields }
}

/** Everything that operators ordered under one reference, and what has become of it. */
export async function showTransfer(
  context: AdminContext,
  request: AdminRequests['transfer/show'],
): Result<'transfer/show'> {
  const { reference } = request
  const found = await context.history.operatorActions({
    before: undefined,
    limit: ACTIONS_SHOWN,
    actor: undefined,
    kind: undefined,
    reference,
    atLeast: context.seq(),
  })
  if (found.length === 0)
    throw unknown('UNKNOWN_REFERENCE', 'reference', 'transfer with reference', reference)
  const actions = adminActions(context, found.toReversed())
  const state = stateOf(context, reference, found)
  return { reference, state, ...moneyOf(actions), actions }
}

/** What was asked for first that names its money. */
function moneyOf(actions: readonly AdminAction[]) {
  const fields = actions.find((action) => action.fields.amount !== undefined)?.fields ?? {}
  return {
    account: textOrNull(fields.account),
    asset: textOrNull(fields.asset),
    amount: textOrNull(fields.amount),
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** `newestFirst`: what was ordered under the reference. */
function stateOf(
  { backOffice, now }: AdminContext,
  reference: string,
  newestFirst: readonly OperatorAction[],
): AdminTransferState {
  const approval = backOffice.approvalByReference.get(reference)
  if (approval !== undefined && now() - approval.requestedAt < APPROVAL_LIFETIME_MS)
    return 'WAITS_FOR_APPROVAL'
  if (backOffice.withdrawalByReference.has(reference)) return 'WITHDRAWAL_WAITS'
  const isWithdrawal = newestFirst.some(
    ({ command, reply }) => command.kind === 'HoldWithdrawal' && reply.kind === 'Done',
  )
  for (const { command, reply } of newestFirst) {
    if (reply.kind !== 'Done') continue
    switch (command.kind) {
      case 'Reject':
        return 'REJECTED'
      case 'CancelWithdrawal':
        return 'CANCELED'
      case 'CompleteWithdrawal':
        return 'COMPLETED'
      case 'Approve':
        return isWithdrawal ? 'COMPLETED' : 'DONE'
      default:
        // The hold of a withdrawal that has ended, or the transfer itself.
        if (command.kind !== 'HoldWithdrawal') return 'DONE'
    }
  }
  const wasAsked = newestFirst.some(({ reply }) => reply.kind === 'ApprovalNeeded')
  return wasAsked ? 'EXPIRED' : 'REFUSED'
}
