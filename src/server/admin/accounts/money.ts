/** Operations that move money: in, out, between buckets, withdrawals, and pending approvals. */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminTransfer } from '../../../contract/admin/records.ts'
import { isoTime } from '../../../contract/time.ts'
import type { Reply } from '../../../core/questions/reply.ts'
import { plainDecimal } from '../../../units/decimal.ts'
import type { AccountId, AssetId } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { APPROVAL_LIFETIME_MS } from '../../../units/limits.ts'
import type { Amount, TimeMs } from '../../../units/quantities.ts'
import {
  type AdminContext,
  AdminRequestError,
  invalid,
  knownAccount,
  knownAsset,
  traderAccount,
} from '../context.ts'
import { amountOf } from '../markets/decimals.ts'
import { pageOf } from '../page.ts'
import { adminBalance } from '../presentation.ts'
import { approversOf } from '../roles/approvers.ts'
import { operatorOf, submit } from '../submit.ts'
import { isInTime } from './waiting-approvals.ts'

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

export async function listBalances(
  context: AdminContext,
  request: AdminRequests['balance/list'],
): Result<'balance/list'> {
  const account = knownAccount(context, 'account', request.account)
  const balances = await context.engine.ask('balances', { accountId: account.id })
  return balances.map((balance) => {
    const asset = context.registry.asset(balance.assetId)
    invariant(asset !== undefined, () => `there is a balance in unknown asset ${balance.assetId}`)
    return adminBalance(balance, asset)
  })
}

/**
 * Moves money in from or out to the outside world, or holds it for a withdrawal; its reference makes a repeat
 * a no-op.
 */
export function transfer(kind: 'Credit' | 'Debit' | 'HoldWithdrawal') {
  return async (context: AdminContext, request: AdminRequests['money/credit']): Promise<AdminTransfer> =>
    transferred(await submit(context, { kind, ...moneyOf(context, request) }))
}

/** Moves money between free, freeze and savings of one account; its reference makes a repeat a no-op. */
export async function moveMoney(
  context: AdminContext,
  request: AdminRequests['money/move'],
): Result<'money/move'> {
  const { from, to } = request
  if (from === to) throw invalid('to', `expected a bucket other than ${from}`)
  const moved = { kind: 'MoveBetweenBuckets' as const, ...moneyOf(context, request), from, to }
  return transferred(await submit(context, moved))
}

/** Moves money between free balance and savings, if savings are allowed for the asset. */
export function moveSavings(isDeposit: boolean) {
  return async (context: AdminContext, request: AdminRequests['savings/deposit']): Promise<AdminTransfer> =>
    transferred(await submit(context, { kind: 'MoveSavings', ...moneyOf(context, request), isDeposit }))
}

/** Pays out commission that the house has earned. */
export async function payOut(
  context: AdminContext,
  request: AdminRequests['house/payout'],
): Result<'house/payout'> {
  return transferred(await submit(context, { kind: 'PayOutCommission', ...sumOf(context, request) }))
}

export function endWithdrawal(kind: 'CompleteWithdrawal' | 'CancelWithdrawal') {
  return async (
    context: AdminContext,
    request: AdminRequests['withdrawal/complete'],
  ): Promise<AdminTransfer> => {
    const operator = operatorOf(context, request)
    return transferred(await submit(context, { kind, operator, reference: request.reference }))
  }
}

/** Lists the pending requests that have not expired. */
export async function listApprovals(
  context: AdminContext,
  request: AdminRequests['approval/list'],
): Result<'approval/list'> {
  const approvals = [...context.backOffice.approvalByReference.values()]
  const waiting = approvals.filter((one) => isInTime(context, one))
  return pageOf(waiting, request, ({ reference }) => reference).map((one) => ({
    reference: one.reference,
    kind: one.kind,
    ...ownedText(context, one.accountId, one.assetId, one.amount),
    requestedBy: one.actor,
    note: one.note,
    reason: one.reason ?? '',
    ...approversOf(context, one),
    requestedAt: isoTime(one.requestedAt),
    expiresAt: isoTime((one.requestedAt + APPROVAL_LIFETIME_MS) as TimeMs),
  }))
}

/**
 * Carries out a pending request. It requires a named token: the node's own token does not identify a person,
 * so two people could not be distinguished.
 */
export async function approve(
  context: AdminContext,
  request: AdminRequests['approval/approve'],
): Result<'approval/approve'> {
  if (context.caller.token === undefined) {
    const message = 'an approval needs a named token: create one with token/add'
    throw new AdminRequestError('NAMED_TOKEN_NEEDED', { message })
  }
  const { reference } = request
  return transferred(
    await submit(context, { kind: 'Approve', operator: operatorOf(context, request), reference }),
  )
}

export async function reject(
  context: AdminContext,
  request: AdminRequests['approval/reject'],
): Result<'approval/reject'> {
  const { reference } = request
  return transferred(
    await submit(context, { kind: 'Reject', operator: operatorOf(context, request), reference }),
  )
}

function transferred(reply: Reply): AdminTransfer {
  return { repeated: reply.kind === 'Done' && reply.repeated, pending: reply.kind === 'ApprovalNeeded' }
}

function moneyOf(context: AdminContext, request: AdminRequests['money/credit']) {
  return { accountId: traderAccount(context, 'account', request.account).id, ...sumOf(context, request) }
}

function sumOf(context: AdminContext, request: AdminRequests['house/payout']) {
  const asset = knownAsset(context, 'asset', request.asset)
  const amount = amountOf('amount', request.amount, asset)
  if (amount === 0) throw invalid('amount', 'expected more than 0')
  const { reference } = request
  return { operator: operatorOf(context, request), asset: asset.code, amount, reference }
}

function ownedText({ registry }: AdminContext, accountId: AccountId, assetId: AssetId, amount: Amount) {
  const asset = registry.asset(assetId)
  invariant(asset !== undefined, () => `a pending request has unknown asset ${assetId}`)
  const account = registry.account(accountId)?.name ?? ''
  return { account, asset: asset.code, amount: plainDecimal(amount, asset.fraction) }
}
