/** Applies an operator's command that moves money: in, out, or between buckets. */
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { Asset } from '../../src/core/registry/records.ts'
import type { AccountId, AssetId } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { amount } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import {
  type Administered,
  type Emit,
  FEES,
  isReserved,
  isText,
  type Of,
  OUTSIDE,
  type Place,
  type Transfer,
} from './administered.ts'
import { assetOf } from './listings.ts'
import { countMove, isOverLimit } from './roles.ts'
import { askApproval, waitingFor } from './waiting.ts'

export type Movement = Of<'Credit' | 'Debit' | 'MoveBetweenBuckets' | 'MoveSavings' | 'PayOutCommission'>

export function transfer(state: Administered, command: Movement, emit: Emit, isApproved = false): Reply {
  const asset = assetOf(state, command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const { kind, reference, operator } = command
  if (kind === 'MoveBetweenBuckets' && command.from === command.to) return refused('INVALID_COMMAND')
  if (kind === 'MoveSavings' && command.isDeposit && !asset.isSaving) return refused('ASSET_NOT_SAVABLE')
  const wanted = transferOf(command, asset)
  const answer = answerAtOnce(state, command, wanted)
  if (answer !== undefined) {
    const isWithdrawal = state.withdrawals.some((one) => one.reference === reference)
    return isWithdrawal && answer.kind === 'Done' ? refused('REFERENCE_CONFLICT') : answer
  }
  const isInside = kind === 'MoveBetweenBuckets' || kind === 'MoveSavings'
  if (!isInside) {
    if (kind === 'Credit' && !asset.isDeposit) return refused('ASSET_NOT_DEPOSITABLE')
    if (kind !== 'Credit' && !asset.isWithdraw) return refused('ASSET_NOT_WITHDRAWABLE')
  }
  if (kind === 'Credit' && asset.creditMax !== undefined && wanted.units > asset.creditMax) {
    return refused('CREDIT_LIMIT')
  }
  if (isInside) {
    if (waitingFor(state, reference) !== undefined) return refused('REFERENCE_CONFLICT')
    if (wanted.to[1] === 'savings' && !asset.isSaving) return refused('ASSET_NOT_SAVABLE')
  } else if (isApproved || waitingFor(state, reference) === undefined) {
    const way = kind === 'Credit' ? 'in' : 'out'
    if (isOverLimit(state, operator.actor, asset.id, way, command.amount)) return refused('ROLE_LIMIT')
  }
  if (!isInside && !isApproved) {
    const accountId = ownerOf(command)
    const request = { reference, kind, ...operator, accountId, assetId: asset.id, amount: command.amount }
    const asks = askApproval(state, request, asset, emit)
    if (asks !== undefined) return asks
  }
  const reply = carryOut(state, wanted, reference, asset, emit)
  if (isInside && reply === DONE)
    emit({ kind: 'BalanceMoved', accountId: command.accountId, assetId: asset.id })
  if (!isInside && reply === DONE) {
    const way = kind === 'Credit' ? 'in' : 'out'
    countMove(state, operator.actor, asset.id, way, command.amount, emit)
  }
  return reply
}

function transferOf(command: Movement, { id: assetId }: Asset): Transfer {
  const [from, to] = wayOf(command)
  return { assetId, from, to, units: bigintOf(command.amount) }
}

function wayOf(command: Movement): readonly [from: Place, to: Place] {
  const accountId = ownerOf(command)
  const free: Place = [accountId, 'free']
  switch (command.kind) {
    case 'Credit':
      return [[OUTSIDE, 'free'], free]
    case 'Debit':
    case 'PayOutCommission':
      return [free, [OUTSIDE, 'free']]
    case 'MoveBetweenBuckets':
      return [
        [accountId, command.from],
        [accountId, command.to],
      ]
    case 'MoveSavings':
      return command.isDeposit ? [free, [accountId, 'savings']] : [[accountId, 'savings'], free]
  }
}

function ownerOf(command: Movement): AccountId {
  return command.kind === 'PayOutCommission' ? FEES : command.accountId
}

/** The refusal of a transfer before the ledger is read; or the answer that it was already made. */
export function answerAtOnce(
  state: Administered,
  command: Movement | Of<'HoldWithdrawal'>,
  wanted: Transfer,
): Reply | undefined {
  const { kind, reference } = command
  if (kind !== 'PayOutCommission') {
    const account = state.accounts[command.accountId]
    if (account === undefined) return refused('UNKNOWN_ACCOUNT')
    if (account.role !== 'trader') return refused('INVALID_COMMAND')
    if (account.isClosed) return refused('ACCOUNT_CLOSED')
  }
  const isAmount = wanted.units >= 1n && wanted.units <= AMOUNT_MAX
  if (!isAmount || !isText(reference, 1)) return refused('INVALID_COMMAND')
  const before = state.transfers.get(reference)
  if (before === undefined) return isReserved(reference) ? refused('REFERENCE_CONFLICT') : undefined
  const isSame = Bun.deepEquals(before, wanted)
  return isSame ? { kind: 'Done', repeated: true } : refused('REFERENCE_CONFLICT')
}

/** Makes the transfer; a transfer in or out of the exchange is published. */
export function carryOut(
  state: Administered,
  wanted: Transfer,
  reference: string,
  asset: Asset,
  emit: Emit,
): Reply {
  const { assetId, from, to, units } = wanted
  if (from[0] === OUTSIDE) {
    const inside = -state.unitsIn(assetId, from)
    const cap = asset.supplyCap > 0 ? bigintOf(asset.supplyCap) : AMOUNT_MAX
    if (inside + units > cap) return refused('SUPPLY_LIMIT')
  } else {
    const tied = from[1] === 'freeze' ? pendingIn(state, from[0], assetId) : 0n
    if (state.unitsIn(assetId, from) - tied < units) return refused('INSUFFICIENT_FUNDS')
  }
  state.transfers.set(reference, wanted)
  state.moveUnits(assetId, from, to, units)
  if (from[0] === OUTSIDE) emitExternal(emit, to[0], assetId, units, reference)
  if (to[0] === OUTSIDE) emitExternal(emit, from[0], assetId, -units, reference)
  return DONE
}

export function emitExternal(
  emit: Emit,
  accountId: AccountId,
  assetId: AssetId,
  units: bigint,
  reference: string,
): void {
  emit({ kind: 'ExternalTransfer', accountId, assetId, amount: amount(units), reference })
}

/** The part of an account's `freeze` that belongs to withdrawals. */
export function pendingIn({ withdrawals }: Administered, accountId: AccountId, assetId: AssetId): bigint {
  return withdrawals
    .filter((one) => one.state === 'PENDING' && one.accountId === accountId && one.assetId === assetId)
    .reduce((sum, one) => sum + bigintOf(one.amount), 0n)
}
