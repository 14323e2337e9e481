/**
 * Withdrawals requested by traders (docs/reference/withdrawals.md). The money is held at once, like an
 * operator's hold. The payer claims the withdrawal, and from then on its trader cannot cancel it. Each
 * command takes a bounded number of steps: no list is searched from one end to the other.
 */
import { isClientOrderId } from '../../units/client-order-id.ts'
import { uuidOf, type WithdrawalNumber } from '../../units/ids.ts'
import { ASSET_CODE_MAX } from '../../units/limits.ts'
import { isAmount } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { AskWithdrawal, RetractWithdrawal } from '../commands/withdrawals.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { type AskedWithdrawal, isAsked } from '../ledger/asked-withdrawals.ts'
import { isDestination, type WithdrawalAddress } from '../ledger/withdrawal-addresses.ts'
import { endApproval, waitingApproval } from '../operators/approvals.ts'
import { forgetHandling } from '../operators/handlings.ts'
import { accountRefusal } from '../operators/money.ts'
import { DONE, type Reply, refused, type WithdrawalAsked } from '../questions/reply.ts'
import type { Asset } from '../registry/records.ts'

export function askWithdrawal(state: ExchangeState, command: AskWithdrawal, emit: EventSink): Reply {
  if (!isWellFormed(command)) return refused('INVALID_COMMAND')
  const repeated = repeatOf(state, command)
  if (repeated !== undefined) return repeated
  const asset = state.registry.assetByCode(command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const reason = whyNot(state, command, asset)
  if (reason !== undefined) return refused(reason)
  const { accountId, amount, address, tag, withdrawOrderId } = command
  const number = state.nextOrder++ as WithdrawalNumber
  const reference = uuidOf('withdrawal', number, state.time)
  state.ledger.move(asset.id, accountId, 'free', accountId, 'freeze', amount)
  const withdrawal: AskedWithdrawal = {
    reference,
    accountId,
    assetId: asset.id,
    amount,
    state: 'PENDING',
    requestedAt: state.time,
    asked: { address, tag, withdrawOrderId, claimedAt: undefined, end: undefined },
  }
  state.withdrawalRequests.asked.add(withdrawal)
  emit({ kind: 'WithdrawalChanged', withdrawal })
  return askedReply(withdrawal, false)
}

export function retractWithdrawal(state: ExchangeState, command: RetractWithdrawal, emit: EventSink): Reply {
  const { accountId, name } = command
  const known =
    name.kind === 'OWN'
      ? state.withdrawalRequests.asked.find(accountId, name.withdrawOrderId)
      : state.backOffice.withdrawals.get(name.reference)
  if (!isAsked(known) || known.accountId !== accountId) return refused('UNKNOWN_WITHDRAWAL')
  const { asked } = known
  if (asked.end?.canceledBy === 'TRADER') return { kind: 'Done', repeated: true }
  if (asked.end !== undefined) return refused('WITHDRAWAL_FINISHED')
  if (asked.claimedAt !== undefined) return refused('WITHDRAWAL_CLAIMED')
  // If its claim waits for a second person, that request is rejected: the withdrawal must not be paid any
  // more.
  const waiting = waitingApproval(state, known.reference)
  if (waiting !== undefined) endApproval(state, waiting, 'REJECTED', emit)
  state.ledger.move(known.assetId, accountId, 'freeze', accountId, 'free', known.amount)
  const end = { at: state.time, canceledBy: 'TRADER', reason: '' } as const
  const withdrawal: AskedWithdrawal = { ...known, state: 'CANCELED', asked: { ...asked, end } }
  state.withdrawalRequests.asked.change(withdrawal)
  forgetHandling(state, known.reference)
  emit({ kind: 'WithdrawalChanged', withdrawal })
  return DONE
}

function isWellFormed(command: AskWithdrawal): boolean {
  const { asset, amount, withdrawOrderId } = command
  const isNamed = withdrawOrderId === undefined || isClientOrderId(withdrawOrderId)
  return asset.length <= ASSET_CODE_MAX && isAmount(amount, 1) && isNamed && isDestination(command)
}

/**
 * The earlier reply, or the reason why the id belongs to another withdrawal; undefined if the request is new.
 */
function repeatOf(state: ExchangeState, command: AskWithdrawal): Reply | undefined {
  const { accountId, withdrawOrderId, amount, address, tag } = command
  if (withdrawOrderId === undefined) return undefined
  const known = state.withdrawalRequests.asked.find(accountId, withdrawOrderId)
  if (known === undefined) return undefined
  const isSame =
    state.registry.asset(known.assetId)?.code === command.asset &&
    known.amount === amount &&
    known.asked.address === address &&
    known.asked.tag === tag
  return isSame ? askedReply(known, true) : refused('DUPLICATE_WITHDRAW_ORDER_ID')
}

function askedReply({ reference, requestedAt }: AskedWithdrawal, repeated: boolean): WithdrawalAsked {
  return { kind: 'WithdrawalAsked', reference, time: requestedAt, repeated }
}

function whyNot(state: ExchangeState, command: AskWithdrawal, asset: Asset): CoreReason | undefined {
  const { accountId, amount } = command
  const reason = accountRefusal(state, accountId) ?? payingRefusal(state, command, asset)
  if (reason !== undefined) return reason
  if (asset.withdrawMin !== undefined && amount < asset.withdrawMin) return 'WITHDRAWAL_TOO_SMALL'
  if (asset.withdrawMax !== undefined && amount > asset.withdrawMax) return 'WITHDRAWAL_TOO_LARGE'
  const address = state.withdrawalRequests.addresses.get({ ...command, assetId: asset.id })
  if (address === undefined) return 'UNKNOWN_WITHDRAWAL_ADDRESS'
  if (!isUsable(address, state)) return 'WITHDRAWAL_ADDRESS_TOO_NEW'
  const { withdrawals } = state.backOffice
  if (withdrawals.isBusy || withdrawals.isFull || !state.withdrawalRequests.asked.hasRoom(accountId))
    return 'TOO_MANY_WITHDRAWALS'
  return state.ledger.balance(accountId, asset.id, 'free') < amount ? 'INSUFFICIENT_FUNDS' : undefined
}

/**
 * The reason why no money of an account may be paid out now, for a request or a claim; undefined if it may.
 */
export function payingRefusal(
  state: ExchangeState,
  { accountId }: Pick<AskWithdrawal, 'accountId'>,
  asset: Asset | undefined,
): CoreReason | undefined {
  if (asset?.isWithdraw !== true) return 'ASSET_NOT_WITHDRAWABLE'
  const isForbidden = state.registry.account(accountId)?.restrictions?.includes('WITHDRAW')
  return isForbidden ? 'ACCOUNT_RESTRICTED' : undefined
}

function isUsable({ usableAt }: WithdrawalAddress, { time }: ExchangeState): boolean {
  return usableAt <= time
}
