/**
 * The operators' commands that move money: in from the outside world, out to it, and between the buckets of
 * an account. Each has an external reference; a repeat with the same reference has no further effect.
 */
import { type AccountId, FEES_ACCOUNT, OUTSIDE_ACCOUNT, parseWithdrawalUuid } from '../../units/ids.ts'
import { AMOUNT_MAX, TEXT_MAX } from '../../units/limits.ts'
import { type Amount, isAmount, NO_AMOUNT } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { CommandOf } from '../commands/command.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { amountSum, difference, negated } from '../ledger/money.ts'
import type { Transfer } from '../ledger/references.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'
import type { Approval } from '../questions/view.ts'
import type { Asset } from '../registry/records.ts'
import { approvalNeeded, waitingApproval } from './approvals.ts'
import { countMoved, isBeyondLimit } from './role-limits.ts'

/** Credits or debits `free` of a trader's account. `isApproved` is whether a second person has approved. */
export function transfer(
  state: ExchangeState,
  command: CommandOf<'Credit' | 'Debit'>,
  emit: EventSink,
  isApproved = false,
): Reply {
  const asset = state.registry.assetByCode(command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const reason = accountRefusal(state, command.accountId)
  if (reason !== undefined) return refused(reason)
  return moveOutside(state, command, command.accountId, asset, emit, isApproved)
}

/**
 * Pays commission that the house earned out of its account. `isApproved` is whether a second person has
 * approved.
 */
export function payOutCommission(
  state: ExchangeState,
  command: CommandOf<'PayOutCommission'>,
  emit: EventSink,
  isApproved = false,
): Reply {
  const asset = state.registry.assetByCode(command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  return moveOutside(state, command, FEES_ACCOUNT, asset, emit, isApproved)
}

/** Moves money between `free`, `freeze` and `savings` of one account. */
export function moveBetweenBuckets(
  state: ExchangeState,
  command: CommandOf<'MoveBetweenBuckets'>,
  emit: EventSink,
): Reply {
  const asset = state.registry.assetByCode(command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const { from: fromBucket, to: toBucket } = command
  if (fromBucket === toBucket) return refused('INVALID_COMMAND')
  const isForbidden = toBucket === 'savings' && !asset.isSaving
  return moveWithin(state, command, asset, {
    emit,
    fromBucket,
    toBucket,
    refusal: isForbidden ? 'ASSET_NOT_SAVABLE' : undefined,
  })
}

/**
 * Moves money between `free` and `savings`; for an asset that does not allow savings, only out of `savings`.
 */
export function moveSavings(state: ExchangeState, command: CommandOf<'MoveSavings'>, emit: EventSink): Reply {
  const asset = state.registry.assetByCode(command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  if (command.isDeposit && !asset.isSaving) return refused('ASSET_NOT_SAVABLE')
  const [fromBucket, toBucket] = command.isDeposit
    ? (['free', 'savings'] as const)
    : (['savings', 'free'] as const)
  return moveWithin(state, command, asset, { emit, fromBucket, toBucket })
}

/** Moves money between an account and the outside world: a credit, a debit or a payment of commission. */
function moveOutside(
  state: ExchangeState,
  command: CommandOf<'Credit' | 'Debit' | 'PayOutCommission'>,
  accountId: AccountId,
  asset: Asset,
  emit: EventSink,
  isApproved: boolean,
): Reply {
  const { kind, reference, amount: sum, operator } = command
  const isCredit = kind === 'Credit'
  const [from, to] = isCredit ? [OUTSIDE_ACCOUNT, accountId] : [accountId, OUTSIDE_ACCOUNT]
  const wanted: Transfer = { assetId: asset.id, from, fromBucket: 'free', to, toBucket: 'free', amount: sum }
  const known = useOf(state, reference, wanted)
  if (known !== undefined) return known
  const closed = switchRefusal(asset, isCredit)
  if (closed !== undefined) return refused(closed)
  if (isCredit && asset.creditMax !== undefined && sum > asset.creditMax) return refused('CREDIT_LIMIT')
  const { actor, note } = operator
  const move = { assetId: asset.id, way: isCredit ? 'in' : 'out', amount: sum } as const
  // A repeat of a pending request is not checked here: the limit is checked again when it is carried out.
  const isNew = isApproved || waitingApproval(state, reference) === undefined
  if (isNew && isBeyondLimit(state, actor, move)) return refused('ROLE_LIMIT')
  if (!isApproved) {
    const request: Omit<Approval, 'requestedAt'> = {
      reference,
      kind,
      actor,
      note,
      accountId,
      assetId: asset.id,
      amount: sum,
    }
    const waits = approvalNeeded(state, request, asset, emit)
    if (waits !== undefined) return waits
  }
  const reply = moveOnce(state, reference, asset, wanted)
  if (reply === DONE) {
    const moved = isCredit ? sum : negated(sum)
    emit({ kind: 'ExternalTransfer', accountId, assetId: asset.id, amount: moved, reference })
    countMoved(state, actor, move, emit)
  }
  return reply
}

/** The reason why money may not come from the outside world, or go there; undefined if it may. */
function switchRefusal(asset: Asset, isCredit: boolean): CoreReason | undefined {
  if (isCredit) return asset.isDeposit ? undefined : 'ASSET_NOT_DEPOSITABLE'
  return asset.isWithdraw ? undefined : 'ASSET_NOT_WITHDRAWABLE'
}

type Way = Pick<Transfer, 'fromBucket' | 'toBucket'> & {
  /**
   * The reason why a new move in this direction is refused; undefined if it is not. A repeat of an earlier
   * move is answered as before.
   */
  readonly refusal?: CoreReason | undefined
  readonly emit: EventSink
}

function moveWithin(
  state: ExchangeState,
  command: { readonly accountId: AccountId; readonly amount: Amount; readonly reference: string },
  asset: Asset,
  { refusal, emit, ...buckets }: Way,
): Reply {
  const { accountId, reference } = command
  const reason = accountRefusal(state, accountId)
  if (reason !== undefined) return refused(reason)
  const wanted: Transfer = {
    assetId: asset.id,
    from: accountId,
    to: accountId,
    ...buckets,
    amount: command.amount,
  }
  const known = useOf(state, reference, wanted)
  if (known !== undefined) {
    // A withdrawal's hold is the same move, but its reference belongs to the withdrawal.
    const isOther = known.kind === 'Done' && state.backOffice.withdrawals.get(reference) !== undefined
    return isOther ? refused('REFERENCE_CONFLICT') : known
  }
  if (waitingApproval(state, reference) !== undefined) return refused('REFERENCE_CONFLICT')
  if (refusal !== undefined) return refused(refusal)
  const reply = moveOnce(state, reference, asset, wanted)
  if (reply === DONE) emit({ kind: 'BalanceMoved', accountId, assetId: asset.id })
  return reply
}

/** The reason why no money may be moved into, out of or within an account; undefined if it may. */
export function accountRefusal(state: ExchangeState, accountId: AccountId): CoreReason | undefined {
  const account = state.registry.openTrader(accountId)
  return typeof account === 'string' ? account : undefined
}

/** The answer to a transfer that is malformed, or whose reference was used before; undefined if it is new. */
export function useOf(state: ExchangeState, reference: string, wanted: Transfer): Reply | undefined {
  if (!isAmount(wanted.amount, 1)) return refused('INVALID_COMMAND')
  if (reference.length < 1 || reference.length > TEXT_MAX) return refused('INVALID_COMMAND')
  switch (state.references.check(reference, wanted)) {
    case 'SAME':
      return { kind: 'Done', repeated: true }
    case 'CONFLICT':
      return refused('REFERENCE_CONFLICT')
    case 'FULL':
      return refused('TOO_MANY_REFERENCES')
    case 'NEW':
      return isReserved(reference) ? refused('REFERENCE_CONFLICT') : undefined
  }
}

/** Whether a reference has the form that the exchange uses for withdrawals requested by traders. */
function isReserved(reference: string): boolean {
  return parseWithdrawalUuid(reference) !== undefined
}

/** Carries out a new transfer and remembers its reference. */
export function moveOnce(state: ExchangeState, reference: string, asset: Asset, wanted: Transfer): Reply {
  const reason = moneyRefusal(state, asset, wanted)
  if (reason !== undefined) return refused(reason)
  const { from, fromBucket, to, toBucket } = wanted
  state.ledger.move(asset.id, from, fromBucket, to, toBucket, wanted.amount)
  state.references.remember(reference, wanted)
  return DONE
}

function moneyRefusal(state: ExchangeState, asset: Asset, wanted: Transfer): CoreReason | undefined {
  const { from, fromBucket } = wanted
  if (from !== OUTSIDE_ACCOUNT) {
    // Money in `freeze` for pending withdrawals cannot be moved.
    const tied = fromBucket === 'freeze' ? state.backOffice.withdrawals.held(from, asset.id) : NO_AMOUNT
    const there = difference(state.ledger.balance(from, asset.id, fromBucket), tied)
    return there >= wanted.amount ? undefined : 'INSUFFICIENT_FUNDS'
  }
  const after = amountSum(state.ledger.inExchange(asset.id), wanted.amount)
  const cap = asset.supplyCap > 0 ? asset.supplyCap : AMOUNT_MAX
  return after <= cap ? undefined : 'SUPPLY_LIMIT'
}
