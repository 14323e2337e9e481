/**
 * Trades as bytes: a block is some trades that happened one after another. The lists that a trade belongs to are
 * written into it as links: its number in the list, and the trade before it there.
 *
 *   block   number, command and time of its first trade; each trade as a field; check
 *   trade   what it adds to those three, symbol and taker's side, price, quantity, link; maker; taker
 *   party   account, order, total, commission, link in the account's list and, shorter, in that of the symbol
 */
import type { HistoryTrade, PartyRecord } from '../../../../engine/history.ts'
import type { Link, LinkedTrade, PartyLinks } from '../../../../engine/history-links.ts'
import { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../../../units/ids.ts'
import { opposite, SIDES, type Side } from '../../../../units/order-words.ts'
import { amount, lots, price, type Seq, seq, type TimeMs, timeMs } from '../../../../units/quantities.ts'
import { DamagedRow, seal, unsealed } from '../check.ts'

/** A block takes no more trades once it has this many bytes, so that four share a page. */
const BLOCK_BYTES = 900

/** What the trades of a block count from. */
type Base = { readonly number: number; readonly seq: Seq; readonly time: TimeMs }

export class BlockWriter {
  readonly #block = new ByteWriter()
  readonly #entry = new ByteWriter()
  #base: Base | undefined

  /** Number of the first trade of the block under way; undefined: it has none. */
  get first(): number | undefined {
    return this.#base?.number
  }

  get isFull(): boolean {
    return this.#block.length >= BLOCK_BYTES
  }

  /** `linked` is later than all that were added before. */
  add(linked: LinkedTrade): void {
    const { seq, trade } = linked.trade
    this.#base ??= this.#begin({ number: trade.tradeNumber, seq, time: trade.time })
    this.#entry.reset()
    writeTrade(this.#entry, this.#base, linked)
    this.#block.bytes(this.#entry.peek())
  }

  /** The bytes of the block, valid until the next one is begun. */
  end(): Uint8Array {
    this.#base = undefined
    return seal(this.#block)
  }

  #begin(base: Base): Base {
    this.#block.reset()
    this.#block.uint(base.number)
    this.#block.uint(base.seq)
    this.#block.uint(base.time)
    return base
  }
}

/** A block as it was read; its trades are read when they are asked for. */
export class Block {
  readonly #base: Base
  /** By number, in the order in which they happened. */
  readonly #entryByNumber = new Map<number, ByteReader | LinkedTrade>()

  /** Throws `DamagedRow` when `data` is not what was written as the block from trade `first` on. */
  constructor(first: number, data: Uint8Array) {
    const reader = new ByteReader(unsealed(data))
    this.#base = { number: reader.uint(), seq: seq(reader.uint()), time: timeMs(reader.uint()) }
    const { number } = this.#base
    if (number !== first) throw new DamagedRow(`the block of trade ${number} is found as that of ${first}`)
    while (!reader.atEnd) {
      const entry = new ByteReader(reader.bytes())
      this.#entryByNumber.set(number + entry.uint(), entry)
    }
    if (!this.has(number)) throw new DamagedRow(`the block of trade ${number} is without it`)
  }

  has(number: number): boolean {
    return this.#entryByNumber.has(number)
  }

  /** Trade `number`; undefined: it is not here. */
  trade(number: number): LinkedTrade | undefined {
    const entry = this.#entryByNumber.get(number)
    if (!(entry instanceof ByteReader)) return entry
    const trade = readTrade(entry, this.#base, number)
    this.#entryByNumber.set(number, trade)
    return trade
  }

  /** All of them, oldest first. */
  trades(): LinkedTrade[] {
    return [...this.#entryByNumber.keys()].map((number) => this.trade(number) as LinkedTrade)
  }
}

function writeTrade(w: ByteWriter, base: Base, linked: LinkedTrade): void {
  const { seq, symbolId, trade, maker, taker } = linked.trade
  const { tradeNumber, price, quantity, time } = trade
  w.uint(tradeNumber - base.number)
  w.uint(seq - base.seq)
  w.whole(time - base.time)
  w.uint(symbolId * SIDES.length + SIDES.indexOf(taker.record.side))
  w.uint(price)
  w.uint(quantity)
  writeLink(w, linked.ofSymbol, tradeNumber)
  writeParty(w, maker, linked.maker)
  writeParty(w, taker, linked.taker)
}

function readTrade(r: ByteReader, base: Base, number: number): LinkedTrade {
  const at = seq(base.seq + r.uint())
  const time = timeMs(base.time + Number(r.whole()))
  const symbolAndSide = r.uint()
  const side = SIDES[symbolAndSide % SIDES.length] as Side
  const symbolId = Math.floor(symbolAndSide / SIDES.length) as SymbolId
  const trade = {
    tradeNumber: number as TradeNumber,
    price: price(r.uint()),
    quantity: lots(r.uint()),
    time,
  }
  const ofSymbol = readLink(r, number)
  const maker = readParty(r, { symbolId, trade, side: opposite(side) })
  const taker = readParty(r, { symbolId, trade, side })
  r.end()
  return {
    trade: { seq: at, symbolId, trade, maker: maker.party, taker: taker.party },
    ofSymbol,
    maker: maker.links,
    taker: taker.links,
  }
}

function writeParty(w: ByteWriter, { accountId, record }: PartyRecord, links: PartyLinks): void {
  const { ofAccount, ofSymbol } = links
  w.uint(accountId)
  w.uint(record.orderNumber)
  w.whole(record.time - record.orderTime)
  w.bigint(record.total)
  w.bigint(record.commission)
  w.uint(record.commissionAssetId)
  writeLink(w, ofAccount, record.tradeNumber)
  w.uint(ofAccount.n - ofSymbol.n)
  w.uint(ofAccount.before - ofSymbol.before)
}

/** What a trade's parties have in common. */
type Common = Pick<HistoryTrade, 'symbolId' | 'trade'> & { readonly side: Side }

function readParty(
  r: ByteReader,
  { symbolId, trade, side }: Common,
): { readonly party: PartyRecord; readonly links: PartyLinks } {
  const accountId = r.uint() as AccountId
  const { tradeNumber, time } = trade
  const record = {
    tradeNumber,
    time,
    symbolId,
    side,
    orderNumber: r.uint() as OrderNumber,
    orderTime: timeMs(time - Number(r.whole())),
    price: trade.price,
    quantity: trade.quantity,
    total: amount(r.bigint()),
    commission: amount(r.bigint()),
    commissionAssetId: r.uint() as AssetId,
  }
  const ofAccount = readLink(r, tradeNumber)
  const ofSymbol = { n: ofAccount.n - r.uint(), before: ofAccount.before - r.uint() }
  return { party: { accountId, record }, links: { ofAccount, ofSymbol } }
}

function writeLink(w: ByteWriter, { n, before }: Link, number: number): void {
  w.uint(n)
  w.uint(number - before)
}

function readLink(r: ByteReader, number: number): Link {
  return { n: r.uint(), before: number - r.uint() }
}
