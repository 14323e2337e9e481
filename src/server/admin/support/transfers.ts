/**
 * Withdrawals that ended, and one transfer by its reference: the commands under it, with time, operator and
 * reason.
 */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminAction } from '../../../contract/admin/records.ts'
import type { AdminEndedWithdrawal, AdminFact, AdminTransferState } from '../../../contract/admin/support.ts'
import { isoTime } from '../../../contract/time.ts'
import type { Withdrawal } from '../../../core/ledger/withdrawals.ts'
import type { NumberedEvent } from '../../../engine/history/numbered-events.ts'
import type { OperatorAction } from '../../../engine/port/ports.ts'
import { plainDecimal } from '../../../units/decimal.ts'
import { invariant } from '../../../units/invariant.ts'
import type { WithdrawalState } from '../../../units/operator-enums.ts'
import { waitingApproval } from '../accounts/waiting-approvals.ts'
import { type AdminContext, knownAccount, unknown } from '../context.ts'
import { adminActions } from '../records/audit.ts'

/** Maximum number of withdrawals on a page if the request gives no limit. */
const PAGE = 50
/** Maximum number of commands shown under one reference. */
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

/** An event of the feed as people read it. */
export function adminFact({ number, seq, time, kind, actor, note, fields }: NumberedEvent): AdminFact {
  return { number, seq, time: isoTime(time), kind, actor, note, fields }
}

/**
 * Everything that operators commanded under one reference, and the result. The state of a remembered
 * withdrawal comes from the withdrawal itself: the trader who requests or cancels it is not an operator.
 */
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
  const withdrawal = await context.engine.ask('withdrawal', { reference })
  if (found.length === 0 && withdrawal === undefined)
    throw unknown(context, {
      reason: 'UNKNOWN_REFERENCE',
      field: 'reference',
      what: 'transfer with reference',
      found: reference,
    })
  const actions = adminActions(context, found.toReversed())
  const state = waitingApproval(context, reference)
    ? 'WAITS_FOR_APPROVAL'
    : withdrawal === undefined
      ? stateOf(found)
      : WITHDRAWAL_SHOWN[withdrawal.state]
  const money = withdrawal === undefined ? moneyOf(actions) : moneyOfWithdrawal(context, withdrawal)
  return { reference, state, ...money, actions }
}

const WITHDRAWAL_SHOWN = {
  PENDING: 'WITHDRAWAL_WAITS',
  COMPLETED: 'COMPLETED',
  CANCELED: 'CANCELED',
} as const satisfies Readonly<Record<WithdrawalState, AdminTransferState>>

function moneyOfWithdrawal({ registry }: AdminContext, { accountId, assetId, amount }: Withdrawal) {
  const asset = registry.asset(assetId)
  invariant(asset !== undefined, () => `a withdrawal has asset ${assetId}, which is not listed`)
  return {
    account: registry.account(accountId)?.name ?? null,
    asset: asset.code,
    amount: plainDecimal(amount, asset.fraction),
  }
}

/** Account, asset and amount, from the first command that has an amount. */
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

/** `newestFirst`: the commands under the reference, which belongs to no remembered withdrawal. */
function stateOf(newestFirst: readonly OperatorAction[]): AdminTransferState {
  for (const { command, reply } of newestFirst) {
    if (reply.kind !== 'Done') continue
    switch (command.kind) {
      case 'Reject':
        return 'REJECTED'
      // A withdrawal requested by a trader is forgotten if it ended without a payment.
      case 'CancelWithdrawal':
      case 'HandleWithdrawal':
        return 'CANCELED'
      default:
        return 'DONE'
    }
  }
  const wasAsked = newestFirst.some(({ reply }) => reply.kind === 'ApprovalNeeded')
  return wasAsked ? 'EXPIRED' : 'REFUSED'
}
