/**
 * The changes of accounts' balances by the events of one command (docs/reports.md#what-changes-a-balance).
 * All buckets of an account in an asset count as one balance, so a hold, a release and a move between buckets
 * change nothing. The entries of a command sum to 0 in every asset: the accounts of the house and of the
 * outside world are accounts like any other.
 */
import type { ExchangeEvent, ExternalTransfer, OrdersMatched, TradeParty } from '../../core/events/event.ts'
import { baseUnits, difference, lotScale, negated } from '../../core/ledger/money.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import {
  type AccountId,
  type AssetId,
  FEES_ACCOUNT,
  OUTSIDE_ACCOUNT,
  type SymbolId,
} from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { Amount } from '../../units/quantities.ts'

export const ENTRY_CAUSES = [
  'CREDIT',
  'DEBIT',
  'WITHDRAWAL',
  'PAYOUT',
  'TRADE',
  'COMMISSION',
  'ROUNDING',
] as const
export type EntryCause = (typeof ENTRY_CAUSES)[number]

export type Entry = {
  readonly accountId: AccountId
  readonly assetId: AssetId
  readonly cause: EntryCause
  /** Never 0; negative if it left the account. */
  readonly amount: Amount
  readonly of: EntrySource
}

/** The subject of an entry. */
export type EntrySource =
  | {
      readonly kind: 'TRADE'
      readonly trade: OrdersMatched
      readonly symbol: TradingSymbol
      /** The owner of the order; undefined for the house's part. */
      readonly party: TradeParty | undefined
    }
  | { readonly kind: 'TRANSFER'; readonly reference: string }

/** Symbols by number, as in `AuditNames`. */
export type SymbolNames = { symbol(id: SymbolId): TradingSymbol | undefined }

/** Entries in the order in which they happened. `events`: all events of one command. */
export function entriesOf(events: readonly ExchangeEvent[], names: SymbolNames): Entry[] {
  const entries: Entry[] = []
  const isWithdrawal = events.some(
    (event) => event.kind === 'WithdrawalChanged' && event.withdrawal.state === 'COMPLETED',
  )
  for (const event of events) {
    if (event.kind === 'OrdersMatched') addTrade(entries, event, symbolOf(event.symbolId, names))
    else if (event.kind === 'ExternalTransfer') addTransfer(entries, event, isWithdrawal)
  }
  return entries
}

export function symbolOf(id: SymbolId, names: SymbolNames): TradingSymbol {
  const symbol = names.symbol(id)
  invariant(symbol !== undefined, () => `an event belongs to symbol ${id}, which is not listed`)
  return symbol
}

/** The sides of a trade, as buyer and seller. */
export function sidesOf({ takerSide, maker, taker }: OrdersMatched): {
  readonly buyer: TradeParty
  readonly seller: TradeParty
} {
  return takerSide === 'BUY' ? { buyer: taker, seller: maker } : { buyer: maker, seller: taker }
}

/**
 * The buyer pays its total and receives the quantity less commission; the seller, the other way around
 * (docs/reference/matching.md#commission).
 */
function addTrade(entries: Entry[], trade: OrdersMatched, symbol: TradingSymbol): void {
  const { buyer, seller } = sidesOf(trade)
  const { base, quote, roundingAccountId } = symbol
  const delivered = baseUnits(trade.quantity, lotScale(symbol.baseFraction, symbol.basePrecision))
  const add = (
    accountId: AccountId,
    assetId: AssetId,
    cause: EntryCause,
    amount: Amount,
    party?: TradeParty,
  ): void => {
    if (amount === 0) return
    entries.push({ accountId, assetId, cause, amount, of: { kind: 'TRADE', trade, symbol, party } })
  }
  add(seller.accountId, base, 'TRADE', negated(delivered), seller)
  add(buyer.accountId, base, 'TRADE', delivered, buyer)
  add(buyer.accountId, base, 'COMMISSION', negated(buyer.commission), buyer)
  add(FEES_ACCOUNT, base, 'COMMISSION', buyer.commission)
  add(buyer.accountId, quote, 'TRADE', negated(buyer.total), buyer)
  add(seller.accountId, quote, 'TRADE', seller.total, seller)
  add(seller.accountId, quote, 'COMMISSION', negated(seller.commission), seller)
  add(FEES_ACCOUNT, quote, 'COMMISSION', seller.commission)
  add(roundingAccountId, quote, 'ROUNDING', difference(buyer.total, seller.total))
}

function addTransfer(entries: Entry[], event: ExternalTransfer, isWithdrawal: boolean): void {
  const { accountId, assetId, amount, reference } = event
  const cause = transferCause(event, isWithdrawal)
  const of = { kind: 'TRANSFER', reference } as const
  entries.push({ accountId, assetId, cause, amount, of })
  entries.push({ accountId: OUTSIDE_ACCOUNT, assetId, cause, amount: negated(amount), of })
}

function transferCause({ accountId, amount }: ExternalTransfer, isWithdrawal: boolean): EntryCause {
  if (amount > 0) return 'CREDIT'
  if (accountId === FEES_ACCOUNT) return 'PAYOUT'
  return isWithdrawal ? 'WITHDRAWAL' : 'DEBIT'
}
