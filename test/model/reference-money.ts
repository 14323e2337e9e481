/**
 * Operators' money in the reference exchange: in, out, between buckets, and what waits: withdrawals in `freeze`, large
 * sums for a second person.
 */

import type {
  CompleteWithdrawal,
  Credit,
  Debit,
  HoldWithdrawal,
  MoveBetweenBuckets,
  MoveSavings,
  PayOutCommission,
} from '../../src/core/exchange/commands/money.ts'
import type { Approve, Reject } from '../../src/core/exchange/commands/safety.ts'
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import { DONE, type Reply, refused } from '../../src/core/exchange/reply.ts'
import type { Approval } from '../../src/core/exchange/view.ts'
import type { Withdrawal } from '../../src/core/ledger/withdrawals.ts'
import type { Asset } from '../../src/core/registry/records.ts'
import type { AccountId, AssetId } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import type { Bucket } from '../../src/units/order-words.ts'
import { amount } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { Fraction } from './fraction.ts'
import type { ReferenceState, ReferenceUse } from './reference-state.ts'

type Emit = (event: ExchangeEvent) => void
type Money = Credit | Debit | MoveBetweenBuckets | MoveSavings | PayOutCommission

const FEES = 1 as AccountId
const OUTSIDE = 0 as AccountId
const WEEK_MS = 604_800_000

/** What a command does to the ledger: the same whatever it is called. */
function useOf(command: Money | HoldWithdrawal, asset: Asset): ReferenceUse {
  const accountId = command.kind === 'PayOutCommission' ? FEES : command.accountId
  const what = { accountId, assetId: asset.id, amount: bigintOf(command.amount) }
  switch (command.kind) {
    case 'Credit':
      return { kind: 'Credit', ...what, from: 'free', to: 'free' }
    case 'Debit':
    case 'PayOutCommission':
      return { kind: 'Debit', ...what, from: 'free', to: 'free' }
    case 'MoveBetweenBuckets':
      return { kind: 'MoveBetweenBuckets', ...what, from: command.from, to: command.to }
    case 'HoldWithdrawal':
      return { kind: 'MoveBetweenBuckets', ...what, from: 'free', to: 'freeze' }
    case 'MoveSavings': {
      const [from, to]: [Bucket, Bucket] = command.isDeposit ? ['free', 'savings'] : ['savings', 'free']
      return { kind: 'MoveBetweenBuckets', ...what, from, to }
    }
  }
}

/** What is wrong with a transfer before anything is looked up in the ledger; or that it was made before. */
function known(state: ReferenceState, command: Money | HoldWithdrawal, use: ReferenceUse): Reply | undefined {
  const { reference } = command
  if (command.kind !== 'PayOutCommission') {
    const account = state.accounts[use.accountId]
    if (account === undefined) return refused('UNKNOWN_ACCOUNT')
    if (account.role !== 'trader') return refused('INVALID_COMMAND')
    if (account.isClosed) return refused('ACCOUNT_CLOSED')
  }
  const isAmount = command.amount >= 1n && command.amount <= AMOUNT_MAX
  if (!isAmount || reference.length < 1 || reference.length > 200) return refused('INVALID_COMMAND')
  const before = state.uses.get(reference)
  if (before === undefined) return undefined
  return isSameUse(before, use) ? { kind: 'Done', repeated: true } : refused('REFERENCE_CONFLICT')
}

export function moveMoney(state: ReferenceState, command: Money, emit: Emit, isApproved: boolean): Reply {
  const asset = state.assets.find(({ code }) => code === command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const { kind, reference, operator } = command
  if (kind === 'MoveBetweenBuckets' && command.from === command.to) return refused('INVALID_COMMAND')
  if (kind === 'MoveSavings' && command.isDeposit && !asset.isSaving) return refused('ASSET_NOT_SAVABLE')
  const use = useOf(command, asset)
  const answer = known(state, command, use)
  if (answer !== undefined) {
    const isWithdrawal = state.withdrawals.some((one) => one.reference === reference)
    return isWithdrawal && answer.kind === 'Done' ? refused('REFERENCE_CONFLICT') : answer
  }
  if (state.isStrict && kind !== 'MoveBetweenBuckets' && kind !== 'MoveSavings') {
    if (kind === 'Credit' && !asset.isDeposit) return refused('ASSET_NOT_DEPOSITABLE')
    if (kind !== 'Credit' && !asset.isWithdraw) return refused('ASSET_NOT_WITHDRAWABLE')
  }
  if (kind === 'Credit' && asset.creditMax !== undefined && use.amount > asset.creditMax) {
    return refused('CREDIT_LIMIT')
  }
  if (kind === 'MoveBetweenBuckets' || kind === 'MoveSavings') {
    if (waiting(state, reference) !== undefined) return refused('REFERENCE_CONFLICT')
    if (state.isStrict && use.to === 'savings' && !asset.isSaving) return refused('ASSET_NOT_SAVABLE')
  } else if (!isApproved) {
    const { accountId, assetId } = use
    const wanted = { reference, kind, ...operator, accountId, assetId, amount: amount(use.amount) }
    const asks = askApproval(state, wanted, asset, emit)
    if (asks !== undefined) return asks
  }
  return carryOut(state, use, reference, asset, emit)
}

function carryOut(
  state: ReferenceState,
  use: ReferenceUse,
  reference: string,
  asset: Asset,
  emit: Emit,
): Reply {
  const { kind, accountId, assetId } = use
  const sum = Fraction.decimal(use.amount, asset.fraction)
  if (kind === 'Credit') {
    const cap = Fraction.decimal(asset.supplyCap > 0n ? asset.supplyCap : AMOUNT_MAX, asset.fraction)
    if (cap.isBelow(state.inExchange(assetId).plus(sum))) return refused('SUPPLY_LIMIT')
  } else {
    const tied = use.from === 'freeze' ? pendingOf(state, accountId, asset) : Fraction.ZERO
    if (state.balance(accountId, assetId, use.from).minus(tied).isBelow(sum))
      return refused('INSUFFICIENT_FUNDS')
  }
  state.uses.set(reference, use)
  state.add(kind === 'Credit' ? OUTSIDE : accountId, assetId, use.from, Fraction.ZERO.minus(sum))
  state.add(kind === 'Debit' ? OUTSIDE : accountId, assetId, use.to, sum)
  if (kind !== 'MoveBetweenBuckets')
    emitTransfer(emit, accountId, assetId, kind === 'Credit' ? use.amount : -use.amount, reference)
  return DONE
}

function emitTransfer(
  emit: Emit,
  accountId: AccountId,
  assetId: AssetId,
  units: bigint,
  reference: string,
): void {
  emit({ kind: 'ExternalTransfer', accountId, assetId, amount: amount(units), reference })
}

/** What of an account's `freeze` belongs to withdrawals. */
function pendingOf(state: ReferenceState, accountId: AccountId, asset: Asset): Fraction {
  return state.withdrawals
    .filter((one) => one.state === 'PENDING' && one.accountId === accountId && one.assetId === asset.id)
    .reduce((sum, one) => sum.plus(Fraction.decimal(one.amount, asset.fraction)), Fraction.ZERO)
}

export function holdWithdrawal(state: ReferenceState, command: HoldWithdrawal, emit: Emit): Reply {
  const asset = state.assets.find(({ code }) => code === command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const { accountId, reference } = command
  const use = useOf(command, asset)
  const answer = known(state, command, use)
  if (answer !== undefined) {
    const isWithdrawal = state.withdrawals.some((one) => one.reference === reference)
    return answer.kind === 'Done' && !isWithdrawal ? refused('REFERENCE_CONFLICT') : answer
  }
  if (waiting(state, reference) !== undefined) return refused('REFERENCE_CONFLICT')
  if (!asset.isWithdraw) return refused('ASSET_NOT_WITHDRAWABLE')
  if (state.accounts[accountId]?.restrictions?.includes('WITHDRAW')) return refused('ACCOUNT_RESTRICTED')
  const reply = carryOut(state, use, reference, asset, emit)
  if (reply !== DONE) return reply
  const facts = { reference, accountId, assetId: asset.id, amount: amount(use.amount) }
  const withdrawal: Withdrawal = { ...facts, state: 'PENDING', requestedAt: state.time }
  state.withdrawals.push(withdrawal)
  emit({ kind: 'WithdrawalChanged', withdrawal })
  return DONE
}

export function completeWithdrawal(
  state: ReferenceState,
  command: CompleteWithdrawal,
  emit: Emit,
  isApproved: boolean,
): Reply {
  const { kind, reference, operator } = command
  const before = state.withdrawals.find((one) => one.reference === reference)
  const asset = before === undefined ? undefined : state.assets[before.assetId]
  if (before !== undefined && asset !== undefined && before.state === 'PENDING' && !isApproved) {
    const { accountId, assetId } = before
    const wanted = { reference, kind, ...operator, accountId, assetId, amount: before.amount }
    const asks = askApproval(state, wanted, asset, emit)
    if (asks !== undefined) return asks
  }
  return endWithdrawal(state, reference, 'COMPLETED', emit)
}

export function endWithdrawal(
  state: ReferenceState,
  reference: string,
  end: 'COMPLETED' | 'CANCELED',
  emit: Emit,
): Reply {
  const index = state.withdrawals.findIndex((one) => one.reference === reference)
  const before = state.withdrawals[index]
  if (before === undefined) return refused('UNKNOWN_WITHDRAWAL')
  if (before.state === end) return { kind: 'Done', repeated: true }
  if (before.state !== 'PENDING') return refused('WITHDRAWAL_FINISHED')
  const { accountId, assetId } = before
  const sum = Fraction.decimal(before.amount, state.assets[assetId]?.fraction ?? 0)
  const asked = waiting(state, reference)
  if (end === 'CANCELED' && asked !== undefined) drop(state, asked, 'REJECTED', emit)
  state.add(accountId, assetId, 'freeze', Fraction.ZERO.minus(sum))
  state.add(end === 'COMPLETED' ? OUTSIDE : accountId, assetId, 'free', sum)
  if (end === 'COMPLETED') emitTransfer(emit, accountId, assetId, -bigintOf(before.amount), reference)
  const withdrawal: Withdrawal = { ...before, state: end }
  state.withdrawals[index] = withdrawal
  emit({ kind: 'WithdrawalChanged', withdrawal })
  return DONE
}

/** The approval that waits under a reference; after 7 days it does not any more. */
function waiting(state: ReferenceState, reference: string): Approval | undefined {
  return state.approvals.find((one) => one.reference === reference && isInTime(state, one))
}

function isInTime(state: ReferenceState, { requestedAt }: Approval): boolean {
  return state.time - requestedAt < WEEK_MS
}

function askApproval(
  state: ReferenceState,
  wanted: Omit<Approval, 'requestedAt'>,
  asset: Asset,
  emit: Emit,
): Reply | undefined {
  const asked = waiting(state, wanted.reference)
  if (asked !== undefined) {
    const { kind, accountId, assetId, amount: units } = asked
    const isSame =
      kind === wanted.kind &&
      accountId === wanted.accountId &&
      assetId === wanted.assetId &&
      units === wanted.amount
    return isSame ? { kind: 'ApprovalNeeded' } : refused('REFERENCE_CONFLICT')
  }
  if (asset.approvalAbove === undefined || wanted.amount <= asset.approvalAbove) return undefined
  if (state.isStrict && !opens(state, wanted.actor)) return refused('NAMED_TOKEN_NEEDED')
  for (const old of state.approvals.filter((one) => !isInTime(state, one))) drop(state, old, 'EXPIRED', emit)
  const { reference, kind, actor, note, accountId, assetId } = wanted
  const approval = {
    reference,
    kind,
    actor,
    note,
    accountId,
    assetId,
    amount: wanted.amount,
    requestedAt: state.time,
  }
  state.approvals.push(approval)
  emit({ kind: 'ApprovalChanged', approval, state: 'PENDING' })
  return { kind: 'ApprovalNeeded' }
}

function drop(
  state: ReferenceState,
  approval: Approval,
  became: 'APPROVED' | 'REJECTED' | 'EXPIRED',
  emit: Emit,
): void {
  state.approvals = state.approvals.filter((one) => one !== approval)
  emit({ kind: 'ApprovalChanged', approval, state: became })
}

export function approve(state: ReferenceState, command: Approve, emit: Emit): Reply {
  const approval = waiting(state, command.reference)
  if (approval === undefined) return refused('UNKNOWN_APPROVAL')
  const approver = command.operator.actor
  if (approval.actor === approver) return refused('SELF_APPROVAL')
  if (state.isStrict) {
    const isHolder = state.tokens.some(({ name }) => name === approval.actor)
    if (!isHolder || !opens(state, approver)) return refused('NAMED_TOKEN_NEEDED')
    const token = state.tokens.find(({ name }) => name === approver)
    if ((token?.createdAt ?? 0) >= approval.requestedAt) return refused('TOKEN_TOO_NEW')
  }
  const { kind, reference, actor, note, accountId, amount: units } = approval
  const asset = state.assets[approval.assetId]?.code ?? ''
  const base = { operator: { actor, note }, reference }
  const reply =
    kind === 'CompleteWithdrawal'
      ? completeWithdrawal(state, { kind, ...base }, emit, true)
      : moveMoney(state, { kind, ...base, accountId, asset, amount: units }, emit, true)
  if (reply.kind !== 'Refused') drop(state, approval, 'APPROVED', emit)
  return reply
}

/** Whether somebody holds a named token that was not revoked. */
function opens(state: ReferenceState, actor: string): boolean {
  return state.tokens.some(({ name, isRevoked }) => name === actor && !isRevoked)
}

export function reject(state: ReferenceState, command: Reject, emit: Emit): Reply {
  const approval = waiting(state, command.reference)
  if (approval === undefined) return refused('UNKNOWN_APPROVAL')
  drop(state, approval, 'REJECTED', emit)
  return DONE
}

function isSameUse(a: ReferenceUse, b: ReferenceUse): boolean {
  return (
    a.kind === b.kind &&
    a.accountId === b.accountId &&
    a.assetId === b.assetId &&
    a.from === b.from &&
    a.to === b.to &&
    a.amount === b.amount
  )
}
