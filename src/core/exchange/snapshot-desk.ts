/** Withdrawals that traders have asked for, and the addresses of accounts, in snapshots. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { parseWithdrawalUuid } from '../../units/ids.ts'
import { ADDRESS_DELAY_MAX_MS } from '../../units/limits.ts'
import type { ExchangeState } from './state.ts'

export function writeDesk(w: ByteWriter, { desk }: ExchangeState): void {
  desk.addresses.write(w)
  desk.asked.write(w)
}

/** What every withdrawal has is read before. Throws `BytesFault`. */
export function readDesk(r: ByteReader, state: ExchangeState): void {
  const { desk, time } = state
  if (!state.hasTraderWithdrawals)
    throw new BytesFault(`withdrawals of traders under rules ${state.rulesVersion}`)
  desk.addresses.read(r)
  desk.asked.read(r, time)
  for (const { reference, requestedAt } of desk.asked.values()) {
    const given = parseWithdrawalUuid(reference)
    if (given === undefined || given.number >= state.nextOrder || given.time !== requestedAt)
      throw new BytesFault(`a trader's withdrawal named ${reference} before byte ${r.at} cannot be`)
  }
  for (const { accountId, assetId, address, addedAt, usableAt } of desk.addresses.values()) {
    const isKnown = state.isTrader(accountId) && state.registry.asset(assetId) !== undefined
    if (!isKnown || addedAt > time || usableAt - addedAt > ADDRESS_DELAY_MAX_MS)
      throw new BytesFault(`address ${address} of account ${accountId} before byte ${r.at} cannot be`)
  }
}
