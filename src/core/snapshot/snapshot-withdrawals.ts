/** Withdrawals requested by traders, and the addresses of accounts, in snapshots. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { parseWithdrawalUuid } from '../../units/ids.ts'
import { ADDRESS_DELAY_MAX_MS } from '../../units/limits.ts'
import type { ExchangeState } from '../exchange/state.ts'

export function writeWithdrawals(w: ByteWriter, { withdrawalRequests }: ExchangeState): void {
  withdrawalRequests.addresses.write(w)
  withdrawalRequests.asked.write(w)
}

/** The common fields of withdrawals must be read before. Throws `BytesFault`. */
export function readWithdrawals(r: ByteReader, state: ExchangeState): void {
  const { withdrawalRequests, time } = state
  withdrawalRequests.addresses.read(r)
  withdrawalRequests.asked.read(r, time)
  for (const { reference, requestedAt } of withdrawalRequests.asked.values()) {
    const given = parseWithdrawalUuid(reference)
    if (given === undefined || given.number >= state.nextOrder || given.time !== requestedAt)
      throw new BytesFault(`the withdrawal request ${reference} before byte ${r.at} is not valid`)
  }
  for (const { accountId, assetId, address, addedAt, usableAt } of withdrawalRequests.addresses.values()) {
    const isKnown = state.isTrader(accountId) && state.registry.asset(assetId) !== undefined
    if (!isKnown || addedAt > time || usableAt - addedAt > ADDRESS_DELAY_MAX_MS)
      throw new BytesFault(`address ${address} of account ${accountId} before byte ${r.at} is not valid`)
  }
}
