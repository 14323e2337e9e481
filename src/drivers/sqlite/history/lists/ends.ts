/**
 * Where each list of history ends: how many records it has and the trade of the newest. The next record of a list is
 * linked to its end, so ends are kept in memory while they change and stored many at a time: one row for all
 * lists of an account, or for the public list of a symbol.
 */
import type { HistoryTrade, PartyRecord } from '../../../../engine/history.ts'
import type { Link, LinkedTrade, PartyLinks } from '../../../../engine/history-links.ts'
import { ByteReader, type ByteWriter } from '../../../../units/bytes.ts'
import type { SymbolId } from '../../../../units/ids.ts'
import { DamagedRow, seal, unsealed } from '../check.ts'

/** The number of a list's newest record, and its trade; both 0 where there is none. */
export type ListEnd = { readonly n: number; readonly trade: number }

/**
 * The ends of an owner's lists, one after another: whether they have changed (0 or 1); number and trade of the list of all
 * records; symbol, number and trade of each list by symbol, in the order of the symbols. One array instead of
 * objects: with many accounts, memory that is touched is what costs (bench: history).
 */
export type OwnerEnds = number[]

const CHANGED = 0
/** Where number and trade of the list of all records stand. */
const ALL = 1
const BY_SYMBOL = 3
/** Places of a list by symbol; its symbol comes first. */
const PER_SYMBOL = 3

/** An account owns its lists, a symbol its public one. */
export type Owner = number

/** Symbols are below 0, since accounts start there. */
export function ownerOf(symbolId: SymbolId): Owner {
  return -1 - symbolId
}

/** The symbol that owns a public list. */
export function symbolOf(owner: Owner): SymbolId {
  return (-1 - owner) as SymbolId
}

/** Stands for all symbols in the key of a list. */
export const ALL_SYMBOLS = -1

/** Every so many records a step is stored; a page is found by walking that many at most. */
export const STEP = 64

export type EndsStorage = {
  /** The stored ends of an owner, sealed; undefined: there are none. */
  readonly read: (owner: Owner) => Uint8Array | undefined
  readonly write: (owner: Owner, data: Uint8Array) => void
  /** The trade of record `n` of a list; undefined: there is no such step. Throws `DamagedRow`. */
  readonly step: (owner: Owner, symbol: number, n: number) => number | undefined
  /** Record `n` of a list, a multiple of `STEP`, is of trade `number`; `symbol` may be `ALL_SYMBOLS`. */
  readonly addStep: (owner: Owner, symbol: number, n: number, number: number) => void
}

export class ListEnds {
  readonly #storage: EndsStorage
  readonly #listsMax: number
  readonly #endsByOwner = new Map<Owner, OwnerEnds>()
  /** Owners whose ends have changed since they were stored. */
  #changed: Owner[] = []
  #lists = 0

  /** Keeps the ends of `listsMax` lists and those of one append; above it `isFull`, until they are stored. */
  constructor(storage: EndsStorage, listsMax: number) {
    this.#storage = storage
    this.#listsMax = listsMax
  }

  /** Lists whose ends are kept. */
  get size(): number {
    return this.#lists
  }

  get isFull(): boolean {
    return this.#lists > this.#listsMax
  }

  /** The next record of each list that `trade` belongs to. */
  link(trade: HistoryTrade): LinkedTrade {
    const owner = ownerOf(trade.symbolId)
    const ofSymbol = this.#next(owner, ALL_SYMBOLS, this.#changing(owner), ALL, trade.trade.tradeNumber)
    return { trade, ofSymbol, maker: this.#linkParty(trade.maker), taker: this.#linkParty(trade.taker) }
  }

  /** Takes in a trade that has been linked and stored; throws `DamagedRow` unless it is the next of its lists. */
  restore({ trade, ofSymbol, maker, taker }: LinkedTrade): void {
    const { symbolId } = trade
    const { tradeNumber } = trade.trade
    moveTo(this.#restoring(ownerOf(symbolId), ofSymbol), ALL, ofSymbol, tradeNumber)
    for (const [{ accountId }, links] of [
      [trade.maker, maker],
      [trade.taker, taker],
    ] as const) {
      const ends = this.#restoring(accountId, links.ofAccount)
      moveTo(ends, ALL, links.ofAccount, tradeNumber)
      moveTo(ends, this.#placeOf(ends, symbolId), links.ofSymbol, tradeNumber)
    }
  }

  /** The ends of an owner's lists, as they are; they are not kept for having been asked for. */
  of(owner: Owner): OwnerEnds {
    return this.#endsByOwner.get(owner) ?? this.#stored(owner)
  }

  /** Stores all that have changed, in the order of the rows; whoever undoes that must `forget`. */
  store(writer: ByteWriter): void {
    for (const owner of Float64Array.from(this.#changed).sort()) {
      const ends = this.of(owner)
      ends[CHANGED] = 0
      this.#storage.write(owner, writeEnds(writer, owner, ends))
    }
    this.#changed = []
    if (this.isFull) this.forget()
  }

  /** What is stored may be other than what is kept here. */
  forget(): void {
    this.#endsByOwner.clear()
    this.#changed = []
    this.#lists = 0
  }

  #linkParty({ accountId, record: { symbolId, tradeNumber } }: PartyRecord): PartyLinks {
    const ends = this.#changing(accountId)
    const place = this.#placeOf(ends, symbolId)
    return {
      ofAccount: this.#next(accountId, ALL_SYMBOLS, ends, ALL, tradeNumber),
      ofSymbol: this.#next(accountId, symbolId, ends, place, tradeNumber),
    }
  }

  #next(owner: Owner, symbol: number, ends: OwnerEnds, place: number, number: number): Link {
    const n = (ends[place] as number) + 1
    const before = ends[place + 1] as number
    ends[place] = n
    ends[place + 1] = number
    if (n % STEP === 0) this.#storage.addStep(owner, symbol, n, number)
    return { n, before }
  }

  #changing(owner: Owner): OwnerEnds {
    let ends = this.#endsByOwner.get(owner)
    if (ends === undefined) {
      ends = this.#stored(owner)
      this.#keep(owner, ends)
    }
    if (ends[CHANGED] === 0) {
      ends[CHANGED] = 1
      this.#changed.push(owner)
    }
    return ends
  }

  /** The first record of an owner has no ends before it, while steps after it may be stored already. */
  #restoring(owner: Owner, { n }: Link): OwnerEnds {
    if (n === 1 && !this.#endsByOwner.has(owner)) this.#keep(owner, [0, 0, 0])
    return this.#changing(owner)
  }

  #keep(owner: Owner, ends: OwnerEnds): void {
    this.#endsByOwner.set(owner, ends)
    this.#lists += 1 + (ends.length - BY_SYMBOL) / PER_SYMBOL
  }

  /** Where number and trade of a symbol's list stand; made where there is none. */
  #placeOf(ends: OwnerEnds, symbolId: SymbolId): number {
    const place = placeOf(ends, symbolId)
    if (ends[place] !== symbolId) {
      ends.splice(place, 0, symbolId, 0, 0)
      this.#lists++
    }
    return place + 1
  }

  #stored(owner: Owner): OwnerEnds {
    const data = this.#storage.read(owner)
    if (data !== undefined) return readEnds(owner, data)
    // A row that cannot be found any more must not pass for one that never was.
    const isLost = this.#storage.step(owner, ALL_SYMBOLS, STEP) !== undefined
    if (isLost) throw new DamagedRow(`the ends of the lists of ${owner} are missing`)
    return [0, 0, 0]
  }
}

/** The end of a list, of no record where there is no such list. */
export function endOf(ends: OwnerEnds, symbolId: SymbolId | undefined): ListEnd {
  if (symbolId === undefined) return endAt(ends, ALL)
  const place = placeOf(ends, symbolId)
  return ends[place] === symbolId ? endAt(ends, place + 1) : { n: 0, trade: 0 }
}

/** The symbols that an owner has lists of. */
export function symbolsOf(ends: OwnerEnds): SymbolId[] {
  const symbols: SymbolId[] = []
  for (let place = BY_SYMBOL; place < ends.length; place += PER_SYMBOL) symbols.push(ends[place] as SymbolId)
  return symbols
}

function endAt(ends: OwnerEnds, place: number): ListEnd {
  return { n: ends[place] as number, trade: ends[place + 1] as number }
}

/** The bytes of a row of `list_end`, valid until `writer` is used again. */
export function writeEnds(writer: ByteWriter, owner: Owner, ends: OwnerEnds): Uint8Array {
  writer.reset()
  writer.whole(owner)
  for (let place = ALL; place < ends.length; place++) writer.uint(ends[place] as number)
  return seal(writer)
}

/** Throws `DamagedRow` when `data` is not what was written for `owner`. */
export function readEnds(owner: Owner, data: Uint8Array): OwnerEnds {
  const reader = new ByteReader(unsealed(data))
  const found = reader.whole()
  if (found !== owner) throw new DamagedRow(`the ends of lists of ${found} are found as those of ${owner}`)
  const ends = [0, reader.uint(), reader.uint()]
  while (!reader.atEnd) ends.push(reader.uint(), reader.uint(), reader.uint())
  return ends
}

function moveTo(ends: OwnerEnds, place: number, { n, before }: Link, number: number): void {
  if (n !== (ends[place] as number) + 1 || before !== ends[place + 1]) {
    throw new DamagedRow(`trade ${number} is record ${n} of a list that has ${ends[place]}`)
  }
  ends[place] = n
  ends[place + 1] = number
}

/** The first list by symbol whose symbol is not below `symbolId`. */
function placeOf(ends: OwnerEnds, symbolId: SymbolId): number {
  let low = 0
  let high = (ends.length - BY_SYMBOL) / PER_SYMBOL
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[BY_SYMBOL + middle * PER_SYMBOL] as number) < symbolId) low = middle + 1
    else high = middle
  }
  return BY_SYMBOL + low * PER_SYMBOL
}
