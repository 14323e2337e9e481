/** Who has withdrawals in hand, in snapshots. */
import { type ByteReader, BytesFault } from '../../units/bytes.ts'
import { readHandling } from './codec/handling-codec.ts'
import type { ExchangeState } from './state.ts'

/** Withdrawals, and what traders have asked for, are read before. Throws `BytesFault`. */
export function readHandlings(r: ByteReader, state: ExchangeState): void {
  const { handlings, withdrawals } = state.backOffice
  if (!state.approvesBeforePaying)
    throw new BytesFault(`withdrawals in hand under rules ${state.rulesVersion}`)
  handlings.read(r, readHandling)
  for (const { reference, claimedBy, rejected } of handlings.values()) {
    const known = withdrawals.get(reference)
    const isClaimed = known?.asked?.claimedAt !== undefined
    const isPossible = known?.state === 'PENDING' && (isClaimed || claimedBy === undefined)
    if (!isPossible || (rejected !== undefined && rejected.at > state.time))
      throw new BytesFault(`who has withdrawal ${reference} in hand before byte ${r.at} cannot be`)
  }
}
