/**
 * Traders' withdrawals and the addresses of accounts, from docs/reference/withdrawals.md: one list of all
 * remembered withdrawals, one of addresses, and one of references in the order in which their withdrawals
 * ended.
 */
import type { CommandOf } from '../../src/core/commands/command.ts'
import type { Operator } from '../../src/core/commands/operator.ts'
import type { AskedWithdrawal } from '../../src/core/ledger/asked-withdrawals.ts'
import type { Withdrawal } from '../../src/core/ledger/withdrawals.ts'
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { Asset } from '../../src/core/registry/records.ts'
import { uuidOf, type WithdrawalNumber } from '../../src/units/ids.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { type Administered, areAmounts, type Emit, isText, type Of } from './administered.ts'
import { assetOf, putAsset } from './listings.ts'
import { isOverLimit } from './roles.ts'
import { askApproval, waitingFor } from './waiting.ts'
import { endWithdrawal, handle, refuse } from './withdrawals.ts'

const DAY_MS = 86_400_000
const DELAY_MOST_MS = 30 * DAY_MS
const REMEMBERED_MOST = 100
const ADDRESSES_MOST = 50
const FORGOTTEN_BY_ONE = 2

type TraderKind = 'AskWithdrawal' | 'RetractWithdrawal' | 'SetOwnAddress'
export type Withdrawing = CommandOf<TraderKind>
type Change = Omit<CommandOf<'SetOwnAddress'>, 'kind'>

/** A withdrawal is forgotten 24 hours after its end; a command forgets two at most. */
export function forgetWithdrawals(state: Administered, time: number): void {
  for (let left = FORGOTTEN_BY_ONE; left > 0; left--) {
    const [reference] = state.endedWithdrawals
    const index = state.withdrawals.findIndex((one) => one.reference === reference)
    const known = state.withdrawals[index]
    if (known?.asked?.end === undefined || known.asked.end.at + DAY_MS > time) return
    state.endedWithdrawals.shift()
    const { asked: _, ...plain } = known
    if (known.state === 'COMPLETED') state.withdrawals[index] = plain
    else state.withdrawals.splice(index, 1)
  }
}

export function withdraw(state: Administered, command: Withdrawing, emit: Emit): Reply {
  switch (command.kind) {
    case 'AskWithdrawal':
      return ask(state, command, emit)
    case 'RetractWithdrawal':
      return retract(state, command, emit)
    case 'SetOwnAddress': {
      const isForbidden = state.accounts[command.accountId]?.restrictions?.includes('WITHDRAW')
      if (command.isAllowed && isForbidden) return refused('ACCOUNT_RESTRICTED')
      return changeAddress(state, command, false, emit)
    }
  }
}

function ask(state: Administered, command: CommandOf<'AskWithdrawal'>, emit: Emit): Reply {
  const { accountId, amount, address, tag, withdrawOrderId } = command
  const isNamed = withdrawOrderId === undefined || /^[A-Za-z0-9._:/-]{1,36}$/.test(withdrawOrderId)
  const isWritten = isPlace(address, tag) && command.asset.length <= 16
  if (!isNamed || !isWritten || bigintOf(amount) < 1n || !areAmounts(amount))
    return refused('INVALID_COMMAND')
  const asset = assetOf(state, command.asset)
  const before = askedOf(state, accountId).find(({ asked }) => asked.withdrawOrderId === withdrawOrderId)
  if (withdrawOrderId !== undefined && before !== undefined) {
    const { asked } = before
    const isSame =
      before.assetId === asset?.id &&
      before.amount === amount &&
      asked.address === address &&
      asked.tag === tag
    if (!isSame) return refused('DUPLICATE_WITHDRAW_ORDER_ID')
    return { kind: 'WithdrawalAsked', reference: before.reference, time: before.requestedAt, repeated: true }
  }
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const refusal = whyNot(state, command, asset)
  if (refusal !== undefined) return refused(refusal)
  const number = state.nextNumber() as WithdrawalNumber
  const reference = uuidOf('withdrawal', number, state.time)
  state.moveUnits(asset.id, [accountId, 'free'], [accountId, 'freeze'], bigintOf(amount))
  const withdrawal: Withdrawal = {
    ...{ reference, accountId, assetId: asset.id, amount, state: 'PENDING', requestedAt: state.time },
    asked: { address, tag, withdrawOrderId, claimedAt: undefined, end: undefined },
  }
  state.withdrawals.push(withdrawal)
  emit({ kind: 'WithdrawalChanged', withdrawal })
  return { kind: 'WithdrawalAsked', reference, time: state.time, repeated: false }
}

function whyNot(
  state: Administered,
  { accountId, amount, address, tag }: CommandOf<'AskWithdrawal'>,
  asset: Asset,
): CoreReason | undefined {
  const refusal = accountRefusal(state, accountId) ?? notPaid(state, accountId, asset)
  if (refusal !== undefined) return refusal
  const units = bigintOf(amount)
  if (asset.withdrawMin !== undefined && units < bigintOf(asset.withdrawMin)) return 'WITHDRAWAL_TOO_SMALL'
  if (asset.withdrawMax !== undefined && units > bigintOf(asset.withdrawMax)) return 'WITHDRAWAL_TOO_LARGE'
  const known = state.addresses.find(isAt({ accountId, address, tag }, asset))
  if (known === undefined) return 'UNKNOWN_WITHDRAWAL_ADDRESS'
  if (known.usableAt > state.time) return 'WITHDRAWAL_ADDRESS_TOO_NEW'
  if (askedOf(state, accountId).length >= REMEMBERED_MOST) return 'TOO_MANY_WITHDRAWALS'
  return state.unitsIn(asset.id, [accountId, 'free']) < units ? 'INSUFFICIENT_FUNDS' : undefined
}

function retract(
  state: Administered,
  { accountId, name }: CommandOf<'RetractWithdrawal'>,
  emit: Emit,
): Reply {
  const known = askedOf(state, accountId).find(({ reference, asked }) =>
    name.kind === 'ID' ? reference === name.reference : asked.withdrawOrderId === name.withdrawOrderId,
  )
  if (known === undefined) return refused('UNKNOWN_WITHDRAWAL')
  const { asked } = known
  if (asked.end !== undefined) {
    return asked.end.canceledBy === 'TRADER'
      ? { kind: 'Done', repeated: true }
      : refused('WITHDRAWAL_FINISHED')
  }
  if (asked.claimedAt !== undefined) return refused('WITHDRAWAL_CLAIMED')
  return endWithdrawal(state, known.reference, 'CANCELED', emit, { by: 'TRADER', reason: '' })
}

export function changeHarness(
  state: Administered,
  command: Of<'SetAccountAddress' | 'SetWithdrawalTerms' | 'HandleWithdrawal'>,
  emit: Emit,
): Reply {
  switch (command.kind) {
    case 'SetAccountAddress':
      return changeAddress(state, command, command.isAtOnce, emit)
    case 'SetWithdrawalTerms':
      return setTerms(state, command, emit)
    case 'HandleWithdrawal': {
      const { operator, reference, step, reason } = command
      if (!isText(reason, 0) || (step === 'REFUSE') === (reason === '')) return refused('INVALID_COMMAND')
      if (step === 'CLAIM') return claim(state, operator, reference, emit)
      return refuse(state, operator, reference, reason, emit)
    }
  }
}

/** `agreed` is the approver; undefined if no approval was needed. */
export function claim(
  state: Administered,
  operator: Operator,
  reference: string,
  emit: Emit,
  agreed?: readonly string[],
): Reply {
  const { actor } = operator
  const index = state.withdrawals.findIndex((one) => one.reference === reference)
  const known = state.withdrawals[index]
  if (known === undefined) return refused('UNKNOWN_WITHDRAWAL')
  if (known.state === 'CANCELED') return refused('WITHDRAWAL_FINISHED')
  if (known.asked === undefined || known.asked.claimedAt !== undefined)
    return { kind: 'Done', repeated: true }
  const { accountId, assetId, amount } = known
  const asset = state.assets[assetId]
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const refusal = notPaid(state, accountId, asset)
  if (refusal !== undefined) return refused(refusal)
  const isAsked = agreed === undefined && waitingFor(state, reference) !== undefined
  if (!isAsked && isOverLimit(state, actor, assetId, 'out', amount)) return refused('ROLE_LIMIT')
  if (agreed === undefined) {
    const wanted = { reference, kind: 'ClaimWithdrawal', ...operator, accountId, assetId, amount } as const
    const waits = askApproval(state, wanted, asset, emit)
    if (waits !== undefined) return waits
  }
  const withdrawal: Withdrawal = { ...known, asked: { ...known.asked, claimedAt: state.time } }
  state.withdrawals[index] = withdrawal
  emit({ kind: 'WithdrawalChanged', withdrawal })
  const handling = { reference, claimedBy: actor, approvedBy: agreed ?? [], rejected: undefined }
  handle(state, handling, emit)
  return DONE
}

function setTerms(state: Administered, command: Of<'SetWithdrawalTerms'>, emit: Emit): Reply {
  const { withdrawMin, withdrawMax, addressDelayMs } = command
  const asset = assetOf(state, command.code)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const [least, most] = [bigintOf(withdrawMin), bigintOf(withdrawMax)]
  const isInOrder = most === 0n || least <= most
  if (!areAmounts(withdrawMin, withdrawMax) || !isInOrder || addressDelayMs > DELAY_MOST_MS)
    return refused('INVALID_COMMAND')
  const { withdrawMin: _min, withdrawMax: _max, addressDelayMs: _delay, ...rest } = asset
  const limits = [
    ...(least > 0n ? [{ withdrawMin }] : []),
    ...(most > 0n ? [{ withdrawMax }] : []),
    ...(addressDelayMs === DAY_MS ? [] : [{ addressDelayMs }]),
  ]
  putAsset(state, Object.assign({}, rest, ...limits) as Asset, emit)
  return DONE
}

function changeAddress(state: Administered, change: Change, isAtOnce: boolean, emit: Emit): Reply {
  const { accountId, address, tag, isAllowed, label } = change
  if (!isPlace(address, tag) || !isText(label, 0)) return refused('INVALID_COMMAND')
  const asset = assetOf(state, change.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const index = state.addresses.findIndex(isAt(change, asset))
  const known = state.addresses[index]
  if (!isAllowed) {
    if (known === undefined) return refused('UNKNOWN_WITHDRAWAL_ADDRESS')
    state.addresses.splice(index, 1)
    emit({ kind: 'WithdrawalAddressChanged', address: known, isAllowed })
    return DONE
  }
  const refusal = accountRefusal(state, accountId)
  if (refusal !== undefined) return refused(refusal)
  const own = state.addresses.filter((one) => one.accountId === accountId)
  if (known === undefined && own.length >= ADDRESSES_MOST) return refused('TOO_MANY_WITHDRAWAL_ADDRESSES')
  const after = isAtOnce ? state.time : state.time + (asset.addressDelayMs ?? DAY_MS)
  const usableAt = (
    known === undefined ? after : isAtOnce ? Math.min(known.usableAt, after) : known.usableAt
  ) as TimeMs
  if (known?.label === label && known.usableAt === usableAt)
    return { kind: 'AddressAllowed', usableAt, repeated: true }
  const addedAt = known?.addedAt ?? state.time
  const changed = { accountId, assetId: asset.id, address, tag, label, addedAt, usableAt }
  if (known === undefined) state.addresses.push(changed)
  else state.addresses[index] = changed
  emit({ kind: 'WithdrawalAddressChanged', address: changed, isAllowed })
  return { kind: 'AddressAllowed', usableAt, repeated: false }
}

/** The remembered withdrawals that an account requested. */
export function askedOf({ withdrawals }: Administered, accountId: number): AskedWithdrawal[] {
  return withdrawals.flatMap((one) =>
    one.accountId === accountId && one.asked !== undefined ? [{ ...one, asked: one.asked }] : [],
  )
}

function isAt({ accountId, address, tag }: Pick<Change, 'accountId' | 'address' | 'tag'>, { id }: Asset) {
  return (one: Administered['addresses'][number]): boolean =>
    one.accountId === accountId && one.assetId === id && one.address === address && one.tag === tag
}

function isPlace(address: string, tag: string): boolean {
  return /^[!-~]{1,128}$/.test(address) && /^[!-~]{0,64}$/.test(tag)
}

function notPaid(state: Administered, accountId: number, asset: Asset): CoreReason | undefined {
  if (!asset.isWithdraw) return 'ASSET_NOT_WITHDRAWABLE'
  return state.accounts[accountId]?.restrictions?.includes('WITHDRAW') ? 'ACCOUNT_RESTRICTED' : undefined
}

function accountRefusal({ accounts }: Administered, accountId: number): CoreReason | undefined {
  const account = accounts[accountId]
  if (account === undefined) return 'UNKNOWN_ACCOUNT'
  if (account.role !== 'trader') return 'INVALID_COMMAND'
  return account.isClosed ? 'ACCOUNT_CLOSED' : undefined
}
