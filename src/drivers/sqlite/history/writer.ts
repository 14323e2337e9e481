/**
 * Adding trades to history: into blocks, linked to the ends of their lists. Ends are stored now and then and not with
 * every trade; those of newer trades are found again from these, so no more is read for it than is written between.
 */
import { assertMovesOn, type HistoryTrade } from '../../../engine/history.ts'
import type { Mark } from '../../../engine/journal.ts'
import type { OperatorAction } from '../../../engine/ports.ts'
import { ByteWriter } from '../../../units/bytes.ts'
import { invariant } from '../../../units/invariant.ts'
import type { HistoryFileLimits } from './file.ts'
import { BlockWriter } from './lists/blocks.ts'
import { ListEnds, type Owner, type OwnerEnds } from './lists/ends.ts'
import { assertAllAfter, type StoredPosition } from './rows.ts'
import type { HistoryTables } from './tables.ts'

/**
 * Ends are stored after this many trades: with ever more accounts, storing them is most of what a trade costs (bench:
 * history). With 100,000 accounts it takes 55 to 90 ms, in which no question is answered; a start reads as many trades
 * in less than 0.2 s, of a thousand accounts in less than 0.1 s.
 */
const TRADES_BETWEEN_ENDS = 10_000
/** Lists whose ends are kept in memory, some 100 bytes each. */
const LISTS_MAX = 300_000

export type HistoryWriterLimits = Pick<HistoryFileLimits, 'tradesBetweenEnds' | 'listsMax'>

export class HistoryWriter {
  readonly #tables: HistoryTables
  readonly #tradesBetweenEnds: number
  readonly #ends: ListEnds
  readonly #row = new ByteWriter()
  #block = new BlockWriter()
  /** What the file says, in one with the ends kept here; undefined: to be read. */
  #position: StoredPosition | undefined
  #lastTrade = 0

  constructor(tables: HistoryTables, limits: HistoryWriterLimits) {
    const { tradesBetweenEnds = TRADES_BETWEEN_ENDS, listsMax = LISTS_MAX } = limits
    this.#tables = tables
    this.#tradesBetweenEnds = tradesBetweenEnds
    this.#ends = new ListEnds(tables, listsMax)
  }

  get position(): Mark {
    return this.#current().mark
  }

  endsOf(owner: Owner): OwnerEnds {
    this.#current()
    return this.#ends.of(owner)
  }

  /** Inside a transaction; one that does not end well must be told as `undone`. */
  append(trades: readonly HistoryTrade[], mark: Mark, actions: readonly OperatorAction[]): void {
    const position = this.#current()
    assertMovesOn(position.mark, mark)
    for (const trade of trades) this.#add(trade)
    this.#endBlock()
    for (const action of actions) this.#tables.addAction(action)
    const tradesAfter = position.tradesAfter + trades.length
    const isDue = tradesAfter >= this.#tradesBetweenEnds || this.#ends.isFull
    this.#move({ mark, endsTo: position.endsTo, tradesAfter }, isDue)
  }

  /** Inside a transaction: leaves nothing that the next start would have to find again. */
  storeEnds(): void {
    const position = this.#current()
    if (position.tradesAfter > 0) this.#move(position, true)
  }

  /** The transaction has changed nothing, or everything. */
  undone(): void {
    this.#position = undefined
    this.#tables.forget()
  }

  #move(position: StoredPosition, withEnds: boolean): void {
    if (withEnds) this.#ends.store(this.#row)
    this.#position = withEnds ? { mark: position.mark, endsTo: this.#lastTrade, tradesAfter: 0 } : position
    this.#tables.movePosition(this.#position)
  }

  #add(trade: HistoryTrade): void {
    const { tradeNumber } = trade.trade
    invariant(
      tradeNumber > this.#lastTrade,
      () => `trade ${tradeNumber} must come after trade ${this.#lastTrade}, the last in history`,
    )
    this.#lastTrade = tradeNumber
    this.#block.add(this.#ends.link(trade))
    if (this.#block.isFull) this.#endBlock()
  }

  #endBlock(): void {
    const { first } = this.#block
    if (first !== undefined) this.#tables.addBlock(first, this.#block.end())
  }

  #current(): StoredPosition {
    if (this.#position !== undefined) return this.#position
    const position = this.#tables.position()
    this.#block = new BlockWriter()
    this.#ends.forget()
    this.#lastTrade = position.endsTo
    let trades = 0
    for (;;) {
      const block = this.#tables.blockAfter(this.#lastTrade)
      if (block === undefined) break
      for (const linked of block.trades()) {
        this.#ends.restore(linked)
        this.#lastTrade = linked.trade.trade.tradeNumber
        trades++
      }
    }
    assertAllAfter(position, trades)
    this.#position = position
    return position
  }
}
