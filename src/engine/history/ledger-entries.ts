/**
 * The entries of an account's ledger (docs/reference/orders.md#ledger): the changes of its balances by a fill
 * or a transfer, each with the resulting balance. Spot is everything except savings: a hold does not change
 * it.
 */
import { amountSum, baseUnits, lotScale, negated } from '../../core/ledger/money.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { AssetId } from '../../units/ids.ts'
import type { Amount, TimeMs } from '../../units/quantities.ts'
import type { LedgerPlace, LedgerRecord, TradeRecord } from '../port/ports.ts'
import { type HistoryTransfer, TRANSFER_CAUSES } from '../port/transfer.ts'

export const LEDGER_WALLETS = ['SPOT', 'SAVINGS'] as const
export type LedgerWallet = (typeof LEDGER_WALLETS)[number]

export const LEDGER_CAUSES = ['TRADE', 'COMMISSION', ...TRANSFER_CAUSES] as const
export type LedgerCause = (typeof LEDGER_CAUSES)[number]

export type LedgerEntry = {
  readonly place: LedgerPlace
  readonly time: TimeMs
  readonly assetId: AssetId
  readonly wallet: LedgerWallet
  readonly cause: LedgerCause
  /** Never 0; negative if it left the wallet. */
  readonly amount: Amount
  /** The balance of this asset in this wallet, right after the entry. */
  readonly balance: Amount
  readonly record: LedgerRecord
}

/** Maximum number of entries of one fill: the taker's entries come after the maker's. */
const ENTRIES_PER_FILL = 3

/** The place of the first entry of a record. */
export function placeOf(record: LedgerRecord): LedgerPlace {
  if (record.kind === 'TRANSFER') return { seq: record.transfer.seq, tradeNumber: 0, entry: 0 }
  const { tradeNumber, isMaker } = record.fill
  return { seq: record.seq, tradeNumber, entry: isMaker ? 0 : ENTRIES_PER_FILL }
}

export function isBefore(a: LedgerPlace, b: LedgerPlace): boolean {
  if (a.seq !== b.seq) return a.seq < b.seq
  return a.tradeNumber === b.tradeNumber ? a.entry < b.entry : a.tradeNumber < b.tradeNumber
}

/**
 * Newest first; entries without a change are left out. `symbolOf` returns the symbol for the number in a
 * fill.
 */
export function ledgerEntries(
  record: LedgerRecord,
  symbolOf: (id: TradeRecord['symbolId']) => TradingSymbol,
): LedgerEntry[] {
  const changes =
    record.kind === 'FILL'
      ? changesByFill(record, symbolOf(record.fill.symbolId))
      : changesByTransfer(record.transfer)
  const { time } = record.kind === 'FILL' ? record.fill : record.transfer
  const first = placeOf(record)
  return changes
    .map((change, i) => ({ ...change, time, record, place: { ...first, entry: first.entry + i } }))
    .filter(({ amount }) => amount !== 0)
    .reverse()
}

type Change = Pick<LedgerEntry, 'assetId' | 'wallet' | 'cause' | 'amount' | 'balance'>

/** The amount paid, the amount received, and the commission on the amount received. */
function changesByFill(
  { fill, after }: Extract<LedgerRecord, { kind: 'FILL' }>,
  symbol: TradingSymbol,
): Change[] {
  const { side, quantity, total, commission } = fill
  const delivered = baseUnits(quantity, lotScale(symbol.baseFraction, symbol.basePrecision))
  const isBuy = side === 'BUY'
  const [base, quote] = [
    { assetId: symbol.base, units: delivered, left: after.base },
    { assetId: symbol.quote, units: total, left: after.quote },
  ]
  const [given, received] = isBuy ? [quote, base] : [base, quote]
  const wallet = 'SPOT'
  return [
    {
      assetId: given.assetId,
      wallet,
      cause: 'TRADE',
      amount: negated(given.units),
      balance: given.left,
    },
    {
      assetId: received.assetId,
      wallet,
      cause: 'TRADE',
      amount: received.units,
      balance: amountSum(received.left, commission),
    },
    {
      assetId: received.assetId,
      wallet,
      cause: 'COMMISSION',
      amount: negated(commission),
      balance: received.left,
    },
  ]
}

function changesByTransfer({
  assetId,
  cause,
  spot,
  spotAfter,
  savings,
  savingsAfter,
}: HistoryTransfer): Change[] {
  return [
    { assetId, wallet: 'SPOT', cause, amount: spot, balance: spotAfter },
    { assetId, wallet: 'SAVINGS', cause, amount: savings, balance: savingsAfter },
  ]
}
