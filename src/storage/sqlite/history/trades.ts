/**
 * Trades as records of append-only lists. A trade is stored once, with both its parties, and enters the
 * public list of its symbol, the list of the symbol's aggregates if it closes one, and the list of each party
 * with that list's part for the symbol.
 *
 *   trade   number in its symbol, symbol and taker's side, price, quantity; aggregate; maker; taker
 *   aggregate   if the trade is its last: number of its trades, and their quantity if there are several; else 0
 *   party   account, order, total, commission; the account's balances of both assets afterwards
 */
import type { Aggregate, HistoryTrade, PartyRecord } from '../../../engine/history/history.ts'
import type { TradeRecord } from '../../../engine/port/ports.ts'
import type { ByteReader, ByteWriter } from '../../../units/bytes.ts'
import { wordIndex } from '../../../units/field-codec.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../../units/ids.ts'
import { opposite, SIDES } from '../../../units/order-enums.ts'
import { type Amount, type Lots, lots, price, timeMs } from '../../../units/quantities.ts'
import type { Head, ListKey, RecordKind } from './lists/record.ts'

/** The index in `listsOf` of a party's list. */
export const LIST_OF_MAKER = 1
export const LIST_OF_TAKER = 2

/** The owner of a symbol's public list: below 0, since the numbers of accounts begin there. */
export function ownerOf(symbolId: SymbolId): number {
  return -1 - symbolId
}

/** The symbol that owns a public list. */
export function symbolOf(owner: number): SymbolId {
  return (-1 - owner) as SymbolId
}

/** The list of an account: of all its trades, or of those in a symbol. */
export function accountList(accountId: AccountId, symbolId: SymbolId | undefined): ListKey {
  return { owner: accountId, part: symbolId }
}

/** The public list of a symbol. */
export function symbolList(symbolId: SymbolId): ListKey {
  return { owner: ownerOf(symbolId), part: undefined }
}

/**
 * The part of a symbol's list that has the last trade of each aggregate: numbers in it are those of
 * aggregates.
 */
const AGGREGATES = 0

/** The aggregates of a symbol. */
export function aggregateList(symbolId: SymbolId): ListKey {
  return { owner: ownerOf(symbolId), part: AGGREGATES }
}

/** The party of a trade to which list `index` of `listsOf` belongs. */
export function partyOf({ maker, taker }: HistoryTrade, index: number): PartyRecord {
  return index === LIST_OF_TAKER ? taker : maker
}

export const TRADES: RecordKind<HistoryTrade> = {
  word: 'trade',

  headOf: ({ seq, trade }) => ({ number: trade.tradeNumber, seq, time: trade.time }),

  listsOf: ({ symbolId, aggregate, maker, taker }) => [
    aggregate === undefined ? symbolList(symbolId) : aggregateList(symbolId),
    { owner: maker.accountId, part: symbolId },
    { owner: taker.accountId, part: symbolId },
  ],

  write(w, { symbolId, trade, aggregate, maker, taker }) {
    w.uint(trade.symbolTrade)
    w.uint(symbolId * SIDES.length + wordIndex(SIDES, trade.takerSide))
    w.uint(trade.price)
    w.uint(trade.quantity)
    writeAggregate(w, aggregate)
    writeParty(w, maker)
    writeParty(w, taker)
  },

  read(r, head) {
    const symbolTrade = r.uint()
    const symbolAndSide = r.uint()
    const takerSide = SIDES[symbolAndSide % SIDES.length] as TradeRecord['side']
    const symbolId = Math.floor(symbolAndSide / SIDES.length) as SymbolId
    const trade = {
      tradeNumber: head.number as TradeNumber,
      symbolTrade,
      price: price(r.uint()),
      quantity: lots(r.uint()),
      time: head.time,
      takerSide,
    }
    const aggregate = readAggregate(r, trade.quantity)
    const maker = readParty(r, { symbolId, trade, side: opposite(takerSide), isMaker: true }, head)
    const taker = readParty(r, { symbolId, trade, side: takerSide, isMaker: false }, head)
    return { seq: head.seq, symbolId, trade, aggregate, maker, taker }
  },
}

function writeAggregate(w: ByteWriter, aggregate: Aggregate | undefined): void {
  const { trades, quantity } = aggregate ?? { trades: 0, quantity: 0 }
  w.uint(trades)
  if (trades > 1) w.uint(quantity)
}

/** `own` is the quantity of the trade itself. */
function readAggregate(r: ByteReader, own: Lots): Aggregate | undefined {
  const trades = r.uint()
  return trades === 0 ? undefined : { trades, quantity: trades > 1 ? lots(r.uint()) : own }
}

function writeParty(w: ByteWriter, { accountId, record, after }: PartyRecord): void {
  w.uint(accountId)
  w.uint(record.orderNumber)
  w.whole(record.time - record.orderTime)
  w.whole(record.total)
  w.whole(record.commission)
  w.uint(record.commissionAssetId)
  w.whole(after.base)
  w.whole(after.quote)
}

/** Common fields of a trade's sides. */
type Common = Pick<HistoryTrade, 'symbolId' | 'trade'> & Pick<TradeRecord, 'side' | 'isMaker'>

function readParty(r: ByteReader, { symbolId, trade, side, isMaker }: Common, { time }: Head): PartyRecord {
  const accountId = r.uint() as AccountId
  const record = {
    tradeNumber: trade.tradeNumber,
    symbolTrade: trade.symbolTrade,
    time,
    symbolId,
    side,
    isMaker,
    orderNumber: r.uint() as OrderNumber,
    orderTime: timeMs(time - Number(r.whole())),
    price: trade.price,
    quantity: trade.quantity,
    total: r.whole() as Amount,
    commission: r.whole() as Amount,
    commissionAssetId: r.uint() as AssetId,
  }
  return { accountId, record, after: { base: r.whole() as Amount, quote: r.whole() as Amount } }
}
