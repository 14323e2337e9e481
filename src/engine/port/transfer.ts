/**
 * Transfers: money that entered or left an account, or moved between savings and the rest, as history stores
 * it.
 */
import type { AccountId, AssetId } from '../../units/ids.ts'
import type { Amount, Seq, TimeMs } from '../../units/quantities.ts'

/**
 * The reason why money moved other than by trading (docs/reference/orders.md#ledger). New causes go to the
 * end: their indexes are stored.
 */
export const TRANSFER_CAUSES = [
  'CREDIT',
  'DEBIT',
  'WITHDRAWAL',
  'SAVINGS_DEPOSIT',
  'SAVINGS_WITHDRAWAL',
] as const
export type TransferCause = (typeof TRANSFER_CAUSES)[number]

/** A command causes at most one transfer. */
export type HistoryTransfer = {
  readonly seq: Seq
  readonly time: TimeMs
  readonly accountId: AccountId
  readonly assetId: AssetId
  readonly cause: TransferCause
  /** The change of the amount outside savings, and the resulting amount. */
  readonly spot: Amount
  readonly spotAfter: Amount
  /** The change of the amount in savings, and the resulting amount. */
  readonly savings: Amount
  readonly savingsAfter: Amount
  /** The reference of the command that moved the money. */
  readonly reference: string
}
