/** The claimants of withdrawals, in snapshots. */
import { type ByteReader, BytesFault } from '../../units/bytes.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { readHandling } from '../records/handling-codec.ts'

/** Withdrawals, and traders' requests, must be read before. Throws `BytesFault`. */
export function readHandlings(r: ByteReader, state: ExchangeState): void {
  const { handlings, withdrawals } = state.backOffice
  handlings.read(r, readHandling)
  for (const { reference, claimedBy, rejected } of handlings.values()) {
    const known = withdrawals.get(reference)
    const isClaimed = known?.asked?.claimedAt !== undefined
    const isPossible = known?.state === 'PENDING' && (isClaimed || claimedBy === undefined)
    if (!isPossible || (rejected !== undefined && rejected.at > state.time))
      throw new BytesFault(`the claim of withdrawal ${reference} before byte ${r.at} is not valid`)
  }
}
