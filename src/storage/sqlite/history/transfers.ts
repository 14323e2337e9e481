/**
 * Transfers as records of append-only lists: a transfer has the number of its command, and enters the list of
 * its account and that list's part for the asset.
 *
 *   transfer   account, asset, cause; spot, savings: change and amount afterwards; reference
 */
import { type HistoryTransfer, TRANSFER_CAUSES, type TransferCause } from '../../../engine/port/transfer.ts'
import type { AccountId, AssetId } from '../../../units/ids.ts'
import type { Amount } from '../../../units/quantities.ts'
import { DamagedRowFault } from './check.ts'
import type { ListKey, RecordKind } from './lists/record.ts'

/** The list of an account: of all its transfers, or of those in one asset. */
export function transferList(accountId: AccountId, assetId: AssetId | undefined): ListKey {
  return { owner: accountId, part: assetId }
}

export const TRANSFERS: RecordKind<HistoryTransfer> = {
  word: 'transfer',

  headOf: ({ seq, time }) => ({ number: seq, seq, time }),

  listsOf: ({ accountId, assetId }) => [transferList(accountId, assetId)],

  write(w, { accountId, assetId, cause, spot, spotAfter, savings, savingsAfter, reference }) {
    w.uint(accountId)
    w.uint(assetId)
    w.uint(TRANSFER_CAUSES.indexOf(cause))
    w.whole(spot)
    w.whole(spotAfter)
    w.whole(savings)
    w.whole(savingsAfter)
    w.text(reference)
  },

  read(r, { seq, time }) {
    return {
      seq,
      time,
      accountId: r.uint() as AccountId,
      assetId: r.uint() as AssetId,
      cause: causeAt(r.uint()),
      spot: r.whole() as Amount,
      spotAfter: r.whole() as Amount,
      savings: r.whole() as Amount,
      savingsAfter: r.whole() as Amount,
      reference: r.text(),
    }
  },
}

function causeAt(place: number): TransferCause {
  const cause = TRANSFER_CAUSES[place]
  if (cause === undefined) throw new DamagedRowFault(`cause ${place} of a transfer is unknown`)
  return cause
}
