/**
 * Trade history as a projection: from the events of a replay to one record per party per trade, and what a store
 * of such records must do. A projection can be dropped at any time; the journal makes it again, to the letter.
 */
import type { EventSink, ExchangeEvent, OrdersMatched } from '../core/exchange/event.ts'
import type { PublicTrade } from '../core/exchange/view.ts'
import type { TradingSymbol } from '../core/registry/records.ts'
import type { AccountId, AssetId, SymbolId } from '../units/ids.ts'
import { invariant } from '../units/invariant.ts'
import { opposite, type Side } from '../units/order-words.ts'
import type { Seq } from '../units/quantities.ts'
import { EMPTY_TAIL, type Mark } from './journal.ts'
import type {
  CandlePage,
  CandleQuery,
  FillPage,
  FillQuery,
  OperatorAction,
  OperatorActionQuery,
  TradePage,
  TradeQuery,
  TradeRecord,
} from './ports.ts'
import type { ReplayedCommand } from './replay.ts'

/** A record in the list of one account. */
export type PartyRecord = { readonly accountId: AccountId; readonly record: TradeRecord }

/** One trade as the store takes it: the public side and the two parties' (docs/reference/http.md#trade-history). */
export type HistoryTrade = {
  /** The command that caused it. */
  readonly seq: Seq
  readonly symbolId: SymbolId
  readonly trade: PublicTrade
  readonly maker: PartyRecord
  readonly taker: PartyRecord
}

/** A page of an account's list; `atLeast` has been met before a store is asked. */
export type PageQuery = Omit<TradeQuery, 'atLeast'>

/** Fills; `atLeast` has been met before a store is asked. */
export type FillRange = Omit<FillQuery, 'atLeast'>

/** Operators' actions; `atLeast` has been met before a store is asked. */
export type ActionQuery = Omit<OperatorActionQuery, 'atLeast'>

/** Stored candles; `atLeast` has been met before a store is asked. */
export type CandleRange = Omit<CandleQuery, 'atLeast'>

/**
 * Why a store of history failed. After `STORAGE_FULL` and `BUSY` the same call may be tried again; it has changed nothing
 * that counts. What is `DAMAGED` is made again by the next start.
 */
export type HistoryFaultKind = 'STORAGE_FULL' | 'BUSY' | 'AHEAD_OF_JOURNAL' | 'DAMAGED' | 'UNUSABLE'

export class HistoryFault extends Error {
  override readonly name = 'HistoryFault'
  readonly kind: HistoryFaultKind

  constructor(kind: HistoryFaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/**
 * Keeps trades, numbered per account and per account and symbol, so that any page of any list costs the same wherever
 * it lies, and what they come to as candles. Calls reject with `HistoryFault`.
 */
export interface HistoryStore {
  /** The end of the last batch whose trades are all here; `EMPTY_TAIL`'s in an empty store. */
  position(): Promise<Mark>

  /**
   * Adds the trades, and the operators' actions, of the batches after `position()` up to the end of one, in the order in which they happened, and
   * moves the position there: all of it or nothing. A power cut may still take the newest appends away, see `flush`.
   */
  append(trades: readonly HistoryTrade[], end: Mark, actions?: readonly OperatorAction[]): Promise<void>

  /** What was appended survives a power cut when the promise resolves; `BUSY`: somebody is in the way of that. */
  flush(): Promise<void>

  /** One page, newest first. Two records of one trade (its parties the same account): taker's first. */
  page(query: PageQuery): Promise<TradePage>

  /** Fills of an account, newest first; of one trade, taker's first. */
  fills(range: FillRange): Promise<FillPage>

  /** The newest `limit` trades of a symbol up to and including command `upTo`, newest first. */
  recentTrades(symbolId: SymbolId, limit: number, upTo: Seq): Promise<readonly PublicTrade[]>

  /** What the trades of a symbol come to, window by window. */
  candles(range: CandleRange): Promise<CandlePage>

  /** Operators' actions, newest first. */
  operatorActions(query: ActionQuery): Promise<readonly OperatorAction[]>

  /** Drops everything; the store is as an empty one. */
  clear(): Promise<void>

  close(): Promise<void>
}

/** Where an empty store stands. */
export const EMPTY_POSITION: Mark = { seq: EMPTY_TAIL.seq, hash: EMPTY_TAIL.hash }

/** Checks what every `append` asks for: that the position moves on. Anything else is a bug of the caller. */
export function assertMovesOn(position: Mark, end: Mark): void {
  invariant(end.seq > position.seq, () => `history is at ${position.seq}, found an append up to ${end.seq}`)
}

/** Turns the events of a replay into trades for the store. It learns of new symbols from the events themselves. */
export class TradeProjection {
  readonly #currentSeq: () => Seq
  readonly #symbolById = new Map<SymbolId, TradingSymbol>()
  #trades: HistoryTrade[] = []
  #actions: OperatorAction[] = []

  /** `symbols`: those listed before the first event. `currentSeq`: the command being applied. */
  constructor(symbols: readonly TradingSymbol[], currentSeq: () => Seq) {
    for (const symbol of symbols) this.#symbolById.set(symbol.id, symbol)
    this.#currentSeq = currentSeq
  }

  /** Where the events go, in order. */
  readonly sink: EventSink = (event: ExchangeEvent): void => {
    if (event.kind === 'OrdersMatched') {
      const symbol = this.#symbolById.get(event.symbolId)
      invariant(
        symbol !== undefined,
        () => `trade ${event.tradeNumber} is in unlisted symbol ${event.symbolId}`,
      )
      this.#trades.push(historyTrade(event, symbol, this.#currentSeq()))
    } else if (event.kind === 'SymbolChanged') {
      this.#symbolById.set(event.symbol.id, event.symbol)
    }
  }

  /** Takes note of what an operator did; of other commands it takes none, and of quarantined ones neither. */
  note({ seq, time, command, reply }: ReplayedCommand): void {
    if (command === undefined || command.kind === 'PlaceOrder' || command.kind === 'CancelOrder') return
    this.#actions.push({ seq, time, command, reply })
  }

  /** The operators' actions since the last call. */
  drainActions(): readonly OperatorAction[] {
    const actions = this.#actions
    this.#actions = []
    return actions
  }

  /** The trades since the last call. */
  drain(): readonly HistoryTrade[] {
    const trades = this.#trades
    this.#trades = []
    return trades
  }
}

/** What `event`, caused by command `seq`, leaves in history. */
export function historyTrade(event: OrdersMatched, symbol: TradingSymbol, seq: Seq): HistoryTrade {
  const { symbolId, tradeNumber, price, quantity, time, takerSide } = event
  return {
    seq,
    symbolId,
    trade: { tradeNumber, price, quantity, time, takerSide },
    maker: partyRecord(event, 'maker', opposite(takerSide), symbol),
    taker: partyRecord(event, 'taker', takerSide, symbol),
  }
}

function partyRecord(
  event: OrdersMatched,
  role: 'maker' | 'taker',
  side: Side,
  symbol: TradingSymbol,
): PartyRecord {
  const party = event[role]
  return {
    accountId: party.accountId,
    record: {
      tradeNumber: event.tradeNumber,
      time: event.time,
      symbolId: event.symbolId,
      side,
      isMaker: role === 'maker',
      orderNumber: party.orderNumber,
      orderTime: party.orderTime,
      price: event.price,
      quantity: event.quantity,
      total: party.total,
      commission: party.commission,
      commissionAssetId: receivedAsset(side, symbol),
    },
  }
}

/** Commission is charged on what a side receives: base for the buyer, quote for the seller (docs/reference/http.md#commission). */
function receivedAsset(side: Side, symbol: TradingSymbol): AssetId {
  return side === 'BUY' ? symbol.base : symbol.quote
}
