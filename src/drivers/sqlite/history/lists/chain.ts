/**
 * Walking the lists of history: from a step near the place that is asked for, trade by trade, from newer to older. Every
 * trade on the way must say that it is the record it was taken for.
 */
import type { Link, LinkedTrade } from '../../../../engine/history-links.ts'
import { countOlder, type PageRange } from '../../../../engine/history-pages.ts'
import type { TradeRecord } from '../../../../engine/ports.ts'
import type { AccountId, SymbolId } from '../../../../units/ids.ts'
import { DamagedRow } from '../check.ts'
import type { Block } from './blocks.ts'
import { ALL_SYMBOLS, type ListEnd, type Owner, ownerOf, STEP } from './ends.ts'

export type ListsStorage = {
  /** The block that has trade `number`, if any has; throws `DamagedRow`. */
  readonly block: (number: number) => Block | undefined
  /** The trade of record `n` of a list, a multiple of `STEP`; undefined: there is no such step. Throws `DamagedRow`. */
  readonly step: (owner: Owner, symbol: number, n: number) => number | undefined
}

/** A record met on the way; `record` is that of the list's account, undefined in the public list of a symbol. */
export type Met = {
  readonly linked: LinkedTrade
  readonly record: TradeRecord | undefined
  readonly link: Link
}

/** One list, and how a trade that belongs to it shows its place there. */
export class ChainedList {
  readonly #storage: ListsStorage
  readonly #owner: Owner
  readonly #symbol: number
  readonly #end: ListEnd
  readonly #meet: (linked: LinkedTrade, n: number) => Met | undefined

  static ofAccount(
    storage: ListsStorage,
    accountId: AccountId,
    symbolId: SymbolId | undefined,
    end: ListEnd,
  ): ChainedList {
    const meet = (linked: LinkedTrade, n: number): Met | undefined => {
      for (const role of ['taker', 'maker'] as const) {
        const { accountId: found, record } = linked.trade[role]
        const link = symbolId === undefined ? linked[role].ofAccount : linked[role].ofSymbol
        const isOfList = found === accountId && (symbolId === undefined || record.symbolId === symbolId)
        if (isOfList && link.n === n) return { linked, record, link }
      }
      return undefined
    }
    return new ChainedList(storage, accountId, symbolId ?? ALL_SYMBOLS, end, meet)
  }

  static ofSymbol(storage: ListsStorage, symbolId: SymbolId, end: ListEnd): ChainedList {
    const meet = (linked: LinkedTrade, n: number): Met | undefined => {
      const { trade, ofSymbol: link } = linked
      return trade.symbolId === symbolId && link.n === n ? { linked, record: undefined, link } : undefined
    }
    return new ChainedList(storage, ownerOf(symbolId), ALL_SYMBOLS, end, meet)
  }

  private constructor(
    storage: ListsStorage,
    owner: Owner,
    symbol: number,
    end: ListEnd,
    meet: (linked: LinkedTrade, n: number) => Met | undefined,
  ) {
    this.#storage = storage
    this.#owner = owner
    this.#symbol = symbol
    this.#end = end
    this.#meet = meet
  }

  /** Records `first` to `last`, newest first. */
  range({ first, last }: PageRange): Met[] {
    const found: Met[] = []
    if (last < first) return found
    for (const met of this.#walk(this.#from(last))) {
      if (met.link.n <= last) found.push(met)
      if (met.link.n <= first) break
    }
    return found
  }

  /** How many of the records belong to trades before number `before`. */
  olderThan(before: number): number {
    const { n, trade } = this.#end
    if (trade < before) return n
    const steps = countOlder(Math.floor(n / STEP), before, (step) => this.#step(step * STEP))
    return this.#countWhere(steps, ({ linked }) => linked.trade.trade.tradeNumber < before)
  }

  /** How many of the records belong to commands up to and including `seq`. */
  upTo(seq: number): number {
    const { n, trade } = this.#end
    if (n === 0 || this.#trade(trade).trade.seq <= seq) return n
    const seqOf = (step: number): number => this.#trade(this.#step(step * STEP)).trade.seq
    const steps = countOlder(Math.floor(n / STEP), seq + 1, seqOf)
    return this.#countWhere(steps, ({ linked }) => linked.trade.seq <= seq)
  }

  /** The number of the newest record that `isOlder` holds for; it lies after step `steps`, and before the next. */
  #countWhere(steps: number, isOlder: (met: Met) => boolean): number {
    const { n } = this.#end
    const oldest = steps * STEP
    for (const met of this.#walk(this.#from(Math.min(n, (steps + 1) * STEP)))) {
      if (isOlder(met)) return met.link.n
      if (met.link.n === oldest) throw new DamagedRow(`step ${oldest} of ${this.#what()} is of another trade`)
    }
    return 0
  }

  /** The record to walk from so that record `n` is met. */
  #from(n: number): ListEnd {
    const step = Math.ceil(n / STEP) * STEP
    return step >= this.#end.n ? this.#end : { n: step, trade: this.#step(step) }
  }

  *#walk(from: ListEnd): Generator<Met, void> {
    let { trade } = from
    for (let n = from.n; n > 0; n--) {
      const met = this.#meet(this.#trade(trade), n)
      if (met === undefined) throw new DamagedRow(`trade ${trade} must be record ${n} of ${this.#what()}`)
      yield met
      trade = met.link.before
    }
  }

  #trade(number: number): LinkedTrade {
    const linked = this.#storage.block(number)?.trade(number)
    if (linked === undefined) throw new DamagedRow(`trade ${number} of ${this.#what()} is missing`)
    return linked
  }

  #step(n: number): number {
    const trade = this.#storage.step(this.#owner, this.#symbol, n)
    if (trade === undefined) throw new DamagedRow(`step ${n} of ${this.#what()} is missing`)
    return trade
  }

  #what(): string {
    return `list ${this.#owner} ${this.#symbol}`
  }
}
