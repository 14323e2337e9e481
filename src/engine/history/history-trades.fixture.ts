/** Trades and positions for tests of history. */
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import { opposite, type Side } from '../../units/order-enums.ts'
import { amount, type Lots, type Price, type Seq, type TimeMs } from '../../units/quantities.ts'
import { HASH_BYTES, type Mark } from '../port/journal.ts'
import type { HistoryTrade, PartyRecord } from './history.ts'

export type TradeTerms = {
  readonly number: number
  readonly seq?: number
  readonly symbol?: number
  readonly maker?: number
  readonly taker?: number
  readonly takerSide?: Side
  readonly units?: bigint
  readonly size?: number
}

/** A trade for tests: every field not given is derived from the trade's number. */
export function aTrade(terms: TradeTerms): HistoryTrade {
  const { number, seq = number, symbol = 0, maker = 10, taker = 20, takerSide = 'BUY' } = terms
  const { units = BigInt(number) * 7n, size = number } = terms
  const party = (account: number, side: Side, order: number, isMaker: boolean): PartyRecord => ({
    accountId: account as AccountId,
    record: {
      tradeNumber: number as TradeNumber,
      symbolTrade: number,
      time: (1_700_000_000_000 + number) as TimeMs,
      symbolId: symbol as SymbolId,
      side,
      isMaker,
      orderNumber: order as OrderNumber,
      orderTime: (1_600_000_000_000 + order) as TimeMs,
      price: (size + 1) as Price,
      quantity: size as Lots,
      total: amount(units),
      commission: amount(units / 1000n),
      commissionAssetId: (side === 'BUY' ? symbol : symbol + 1) as AssetId,
    },
    after: { base: amount(units + 1n), quote: amount(units + 2n) },
  })
  const makerParty = party(maker, opposite(takerSide), number * 2, true)
  const { tradeNumber, symbolTrade, price, quantity, time } = makerParty.record
  return {
    seq: seq as Seq,
    symbolId: symbol as SymbolId,
    trade: { tradeNumber, symbolTrade, price, quantity, time, takerSide },
    aggregate: { trades: 1, quantity },
    maker: makerParty,
    taker: party(taker, takerSide, number * 2 + 1, false),
  }
}

/** The end of a batch at `seq`, with a hash of its own. */
export function at(seq: number): Mark {
  const hash = new Uint8Array(HASH_BYTES)
  new DataView(hash.buffer).setUint32(0, seq)
  return { seq: seq as Seq, hash }
}

/** Like `aTrade`, at a given time. */
export function tradeAt(time: number, terms: TradeTerms): HistoryTrade {
  const { trade, maker, taker, ...rest } = aTrade(terms)
  const party = ({ accountId, record, after }: PartyRecord): PartyRecord => ({
    accountId,
    after,
    record: { ...record, time: time as TimeMs },
  })
  return { ...rest, trade: { ...trade, time: time as TimeMs }, maker: party(maker), taker: party(taker) }
}
