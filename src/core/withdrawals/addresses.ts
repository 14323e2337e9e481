/**
 * The addresses to which an account's money may be withdrawn, as traders and operators change them
 * (docs/reference/withdrawals.md#addresses).
 */
import { ADDRESS_DELAY_DEFAULT_MS } from '../../units/limits.ts'
import { type TimeMs, timeMs } from '../../units/quantities.ts'
import type { AddressChange, SetAccountAddress, SetOwnAddress } from '../commands/withdrawals.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { isDestination, type WithdrawalAddress } from '../ledger/withdrawal-addresses.ts'
import { accountRefusal } from '../operators/money.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'
import type { Asset } from '../registry/records.ts'
import { isTextWithin } from '../registry/terms.ts'

/**
 * A trader's change: an account that may not withdraw cannot add an address, but can remove any of its
 * addresses.
 */
export function setOwnAddress(state: ExchangeState, command: SetOwnAddress, emit: EventSink): Reply {
  const restrictions = state.registry.account(command.accountId)?.restrictions
  if (command.isAllowed && restrictions?.includes('WITHDRAW')) return refused('ACCOUNT_RESTRICTED')
  return changeAddress(state, command, false, emit)
}

export function setAccountAddress(state: ExchangeState, command: SetAccountAddress, emit: EventSink): Reply {
  return changeAddress(state, command, command.isAtOnce, emit)
}

function changeAddress(
  state: ExchangeState,
  command: AddressChange,
  isAtOnce: boolean,
  emit: EventSink,
): Reply {
  if (!isDestination(command) || !isTextWithin(command.label, 0)) return refused('INVALID_COMMAND')
  const asset = state.registry.assetByCode(command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  return command.isAllowed
    ? allow(state, command, asset, isAtOnce, emit)
    : remove(state, command, asset, emit)
}

/** An existing address keeps the time from which it may be used, or gets an earlier one. */
function allow(
  state: ExchangeState,
  { accountId, address, tag, label }: AddressChange,
  asset: Asset,
  isAtOnce: boolean,
  emit: EventSink,
): Reply {
  const reason = accountRefusal(state, accountId)
  if (reason !== undefined) return refused(reason)
  const { addresses } = state.withdrawalRequests
  const place = { accountId, assetId: asset.id, address, tag }
  const known = addresses.get(place)
  if (known === undefined && !addresses.hasRoom(accountId)) return refused('TOO_MANY_WITHDRAWAL_ADDRESSES')
  const usableAt = usableFrom(state, asset, known, isAtOnce)
  if (known?.label === label && known.usableAt === usableAt)
    return { kind: 'AddressAllowed', usableAt, repeated: true }
  const changed = { ...place, label, addedAt: known?.addedAt ?? state.time, usableAt }
  addresses.put(changed)
  emit({ kind: 'WithdrawalAddressChanged', address: changed, isAllowed: true })
  return { kind: 'AddressAllowed', usableAt, repeated: false }
}

function usableFrom(
  { time }: ExchangeState,
  { addressDelayMs }: Asset,
  known: WithdrawalAddress | undefined,
  isAtOnce: boolean,
): TimeMs {
  if (known !== undefined && (!isAtOnce || known.usableAt < time)) return known.usableAt
  return isAtOnce ? time : timeMs(time + (addressDelayMs ?? ADDRESS_DELAY_DEFAULT_MS))
}

function remove(
  { withdrawalRequests: { addresses } }: ExchangeState,
  { accountId, address, tag }: AddressChange,
  asset: Asset,
  emit: EventSink,
): Reply {
  const place = { accountId, assetId: asset.id, address, tag }
  const known = addresses.get(place)
  if (known === undefined) return refused('UNKNOWN_WITHDRAWAL_ADDRESS')
  addresses.delete(place)
  emit({ kind: 'WithdrawalAddressChanged', address: known, isAllowed: false })
  return DONE
}
