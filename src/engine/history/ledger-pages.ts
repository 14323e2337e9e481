/**
 * A page of an account's ledger, joined from its fills and its transfers by any store that has both lists.
 * The work is limited even if few of the records that are read are in the requested asset
 * (docs/reference/orders.md#ledger).
 */
import type { AssetId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import {
  LEDGER_READ_MAX,
  LEDGER_RECORDS_MAX,
  type LedgerPage,
  type LedgerPlace,
  type LedgerRecord,
} from '../port/ports.ts'
import type { HistoryTransfer } from '../port/transfer.ts'
import type { HistoryTrade, LedgerRange, PartyRecord } from './history.ts'
import { isBefore, placeOf } from './ledger-entries.ts'

/** One party's side of a trade, with the fields that its record does not have. */
export type LedgerFill = Pick<HistoryTrade, 'seq'> & {
  readonly party: PartyRecord
  /** The symbol's two assets. */
  readonly assetIds: readonly [AssetId, AssetId]
}

/**
 * Each newest first, starting with the newest that `to` allows and that may have entries before `before`;
 * extra entries of one trade or one command do no harm. They are read only as far as needed.
 */
export type LedgerSources = {
  readonly fills: Iterable<LedgerFill>
  readonly transfers: Iterable<HistoryTransfer>
}

/** The side of a trade in the form for the ledger. */
export function ledgerFill({ seq, maker, taker }: HistoryTrade, party: PartyRecord): LedgerFill {
  // One side receives base, the other quote.
  return { seq, party, assetIds: [maker.record.commissionAssetId, taker.record.commissionAssetId] }
}

/** A page, newest first. */
export function ledgerPage(sources: LedgerSources, range: LedgerRange): LedgerPage {
  const { assetId, from = 0, before, limit } = range
  invariant(
    Number.isSafeInteger(limit) && limit >= 1 && limit <= LEDGER_RECORDS_MAX,
    () => `limit must be 1 to ${LEDGER_RECORDS_MAX}, found ${limit}`,
  )
  const records: LedgerRecord[] = []
  let lookedAt = 0
  let last: LedgerPlace | undefined
  for (const { record, assetIds } of joined(sources)) {
    const place = placeOf(record)
    if (before !== undefined && !isBefore(place, before)) continue
    const { time } = record.kind === 'FILL' ? record.fill : record.transfer
    if (time < from) break
    if (records.length >= limit || lookedAt >= LEDGER_READ_MAX) return { records, lookedAt, next: last }
    last = place
    lookedAt++
    if (assetId === undefined || assetIds.includes(assetId)) records.push(record)
  }
  return { records, lookedAt, next: undefined }
}

type Joined = { readonly record: LedgerRecord; readonly assetIds: readonly AssetId[] }

/** By command: a command with trades makes no transfer. */
function* joined({ fills, transfers }: LedgerSources): Generator<Joined, void> {
  const [ofFills, ofTransfers] = [fills[Symbol.iterator](), transfers[Symbol.iterator]()]
  let [fill, transfer] = [ofFills.next(), ofTransfers.next()]
  while (fill.done !== true || transfer.done !== true) {
    if (transfer.done === true || (fill.done !== true && fill.value.seq > transfer.value.seq)) {
      const { seq, party, assetIds } = fill.value as LedgerFill
      yield { record: { kind: 'FILL', seq, fill: party.record, after: party.after }, assetIds }
      fill = ofFills.next()
    } else {
      yield { record: { kind: 'TRANSFER', transfer: transfer.value }, assetIds: [transfer.value.assetId] }
      transfer = ofTransfers.next()
    }
  }
}
