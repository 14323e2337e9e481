/**
 * Operations on pending withdrawals, on withdrawals requested by traders, and on their destination addresses.
 */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import { WITHDRAWALS_PAGE_MAX } from '../../../contract/admin/operations/bounds.ts'
import type {
  AdminTransfer,
  AdminWithdrawal,
  AdminWithdrawalAddress,
} from '../../../contract/admin/records.ts'
import { isoTime } from '../../../contract/time.ts'
import type { AddressChange } from '../../../core/commands/withdrawals.ts'
import { isDestination, type WithdrawalAddress } from '../../../core/ledger/withdrawal-addresses.ts'
import type { Withdrawal } from '../../../core/ledger/withdrawals.ts'
import type { Reply } from '../../../core/questions/reply.ts'
import type { Approval, RejectedRequest } from '../../../core/questions/view.ts'
import type { Asset } from '../../../core/registry/records.ts'
import { plainDecimal } from '../../../units/decimal.ts'
import { invariant } from '../../../units/invariant.ts'
import {
  ADDRESS_DELAY_DEFAULT_MS,
  WITHDRAWAL_ADDRESS_MAX,
  WITHDRAWAL_TAG_MAX,
} from '../../../units/limits.ts'
import type { WithdrawalStep } from '../../../units/operator-enums.ts'
import { type Amount, NO_AMOUNT } from '../../../units/quantities.ts'
import {
  type AdminContext,
  AdminRequestError,
  invalid,
  knownAccount,
  knownAsset,
  traderAccount,
} from '../context.ts'
import { amountOf } from '../markets/decimals.ts'
import { adminAsset } from '../presentation.ts'
import { operatorOf, submit } from '../submit.ts'
import { waitingApproval } from './waiting-approvals.ts'

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

/** The waiting withdrawals, in the order of their requests. */
export async function listWithdrawals(
  context: AdminContext,
  request: AdminRequests['withdrawal/list'],
): Result<'withdrawal/list'> {
  const { account, after, limit = WITHDRAWALS_PAGE_MAX } = request
  const owner = account === undefined ? undefined : knownAccount(context, 'account', account).id
  const { withdrawalByReference } = context.backOffice
  const last = after === undefined ? undefined : withdrawalByReference.get(after)
  if (after !== undefined && last === undefined) {
    const message = `after: withdrawal ${after} is no longer pending: start again without it`
    throw new AdminRequestError('UNKNOWN_WITHDRAWAL', { field: 'after', message })
  }
  const page: AdminWithdrawal[] = []
  let isBehind = last === undefined
  for (const one of withdrawalByReference.values()) {
    if (page.length >= limit) break
    if (isBehind && (owner === undefined || one.accountId === owner)) page.push(shown(context, one))
    if (one === last) isBehind = true
  }
  return page
}

/** Actions of the person or program that pays withdrawals. */
export function handleWithdrawal(step: WithdrawalStep) {
  return async (
    context: AdminContext,
    request: AdminRequests['withdrawal/claim'] & { readonly reason?: string },
  ): Promise<AdminTransfer> => {
    const { reference, reason = '' } = request
    const operator = operatorOf(context, request)
    const reply = await submit(context, { kind: 'HandleWithdrawal', operator, reference, step, reason })
    return { repeated: isRepeated(reply), pending: reply.kind === 'ApprovalNeeded' }
  }
}

/** Changes the given fields; the others keep their values. */
export async function setWithdrawalTerms(
  context: AdminContext,
  request: AdminRequests['asset/withdrawals'],
): Result<'asset/withdrawals'> {
  const asset = knownAsset(context, 'code', request.code)
  const withdrawMin = limitOf('withdrawMin', request.withdrawMin, asset)
  const withdrawMax = limitOf('withdrawMax', request.withdrawMax, asset)
  if (withdrawMax > 0 && withdrawMax < withdrawMin) {
    const least = plainDecimal(withdrawMin, asset.fraction)
    throw invalid('withdrawMax', `expected at least withdrawMin, ${least}, or 0 for no limit`)
  }
  const minutes = request.addressDelayMinutes
  await submit(context, {
    kind: 'SetWithdrawalTerms',
    operator: operatorOf(context, request),
    code: asset.code,
    withdrawMin,
    withdrawMax,
    addressDelayMs:
      minutes === undefined ? (asset.addressDelayMs ?? ADDRESS_DELAY_DEFAULT_MS) : minutes * MINUTE_MS,
  })
  return adminAsset(knownAsset(context, 'code', asset.code))
}

const MINUTE_MS = 60_000

function limitOf(name: 'withdrawMin' | 'withdrawMax', text: string | undefined, asset: Asset): Amount {
  return text === undefined ? (asset[name] ?? NO_AMOUNT) : amountOf(name, text, asset)
}

export async function listAddresses(
  context: AdminContext,
  request: AdminRequests['address/list'],
): Result<'address/list'> {
  const account = traderAccount(context, 'account', request.account)
  const { addresses } = await context.engine.ask('accountWithdrawals', { accountId: account.id })
  return addresses.map((address) => shownAddress(context, account.name, address))
}

export async function addAddress(
  context: AdminContext,
  request: AdminRequests['address/add'],
): Result<'address/add'> {
  const { label = '', atOnce = false } = request
  const change = changeOf(context, request)
  await submit(context, {
    kind: 'SetAccountAddress',
    operator: operatorOf(context, request),
    ...change,
    isAllowed: true,
    label,
    isAtOnce: atOnce,
  })
  const { accountId } = change
  const { addresses } = await context.engine.ask('accountWithdrawals', { accountId })
  const assetId = context.registry.assetByCode(change.asset)?.id
  const added = addresses.find(
    (one) => one.assetId === assetId && one.address === change.address && one.tag === change.tag,
  )
  // Removed again by another request before it was read back.
  if (added === undefined) throw new AdminRequestError('UNKNOWN_WITHDRAWAL_ADDRESS')
  return shownAddress(context, request.account, added)
}

export async function removeAddress(
  context: AdminContext,
  request: AdminRequests['address/remove'],
): Result<'address/remove'> {
  await submit(context, {
    kind: 'SetAccountAddress',
    operator: operatorOf(context, request),
    ...changeOf(context, request),
    isAllowed: false,
    label: '',
    isAtOnce: false,
  })
  return { removed: true }
}

function changeOf(
  context: AdminContext,
  request: AdminRequests['address/remove'],
): Omit<AddressChange, 'isAllowed' | 'label'> {
  const { address, tag = '' } = request
  const account = traderAccount(context, 'account', request.account)
  const asset = knownAsset(context, 'asset', request.asset)
  if (!isDestination({ address, tag: '' }))
    throw invalid(
      'address',
      `expected 1 to ${WITHDRAWAL_ADDRESS_MAX} visible ASCII characters without spaces`,
    )
  if (!isDestination({ address, tag }))
    throw invalid('tag', `expected at most ${WITHDRAWAL_TAG_MAX} visible ASCII characters without spaces`)
  return { accountId: account.id, asset: asset.code, address, tag }
}

function shown(context: AdminContext, one: Withdrawal): AdminWithdrawal {
  const { reference, accountId, assetId, amount, requestedAt, asked } = one
  const asset = assetOf(context, assetId)
  const { claimedBy, approvedBy, rejected } = context.backOffice.handlingByReference.get(reference) ?? NOBODY
  return {
    reference,
    account: context.registry.account(accountId)?.name ?? '',
    asset: asset.code,
    amount: plainDecimal(amount, asset.fraction),
    requestedAt: isoTime(requestedAt),
    asked:
      asked === undefined
        ? null
        : {
            address: asked.address,
            tag: asked.tag,
            withdrawOrderId: asked.withdrawOrderId ?? null,
            claimedAt: asked.claimedAt === undefined ? null : isoTime(asked.claimedAt),
            claimedBy: claimedBy ?? null,
            approvedBy,
          },
    waits: shownRequest(waitingApproval(context, reference)),
    rejected: shownRejection(rejected),
  }
}

/** The withdrawal is not claimed, and no request to claim it was rejected. */
const NOBODY = { claimedBy: undefined, approvedBy: [], rejected: undefined } as const

function shownRequest(request: Approval | undefined): AdminWithdrawal['waits'] {
  if (request === undefined) return null
  const { kind, actor, requestedAt, note } = request
  return { kind, requestedBy: actor, requestedAt: isoTime(requestedAt), note }
}

function shownRejection(request: RejectedRequest | undefined): AdminWithdrawal['rejected'] {
  if (request === undefined) return null
  const { kind, askedBy, rejectedBy, at, note } = request
  return { kind, requestedBy: askedBy, rejectedBy, rejectedAt: isoTime(at), note }
}

function shownAddress(
  context: AdminContext,
  account: string,
  one: WithdrawalAddress,
): AdminWithdrawalAddress {
  const { assetId, address, tag, label, addedAt, usableAt } = one
  return {
    account,
    asset: assetOf(context, assetId).code,
    address,
    tag,
    label,
    addedAt: isoTime(addedAt),
    usableAt: isoTime(usableAt),
  }
}

function assetOf({ registry }: AdminContext, assetId: Withdrawal['assetId']): Asset {
  const asset = registry.asset(assetId)
  invariant(asset !== undefined, () => `a withdrawal or an address has unknown asset ${assetId}`)
  return asset
}

function isRepeated(reply: Reply): boolean {
  return reply.kind === 'Done' && reply.repeated
}
