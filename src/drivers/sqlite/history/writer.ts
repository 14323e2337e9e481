/**
 * Adding to history: the trades to their lists, the operators' actions to their table, and the position, which says where
 * both stand.
 */
import { assertMovesOn, type HistoryTrade } from '../../../engine/history.ts'
import type { Mark } from '../../../engine/journal.ts'
import type { OperatorAction } from '../../../engine/ports.ts'
import type { ChainedList } from './lists/chain.ts'
import { AppendOnlyLists, type ListsLimits } from './lists/lists.ts'
import type { ListKey } from './lists/record.ts'
import type { HistoryTables } from './tables.ts'
import { TRADES } from './trades.ts'

export class HistoryWriter {
  readonly #tables: HistoryTables
  readonly #trades: AppendOnlyLists<HistoryTrade>
  /** What the file says, in one with what the lists keep; undefined: to be read. */
  #mark: Mark | undefined

  constructor(tables: HistoryTables, limits: ListsLimits) {
    this.#tables = tables
    this.#trades = new AppendOnlyLists(TRADES, tables.trades, limits)
  }

  get position(): Mark {
    return this.#current()
  }

  trades(list: ListKey): ChainedList<HistoryTrade> {
    this.#current()
    return this.#trades.list(list)
  }

  /** Inside a transaction; one that does not end well must be reported as `undone`. */
  append(trades: readonly HistoryTrade[], mark: Mark, actions: readonly OperatorAction[]): void {
    assertMovesOn(this.#current(), mark)
    this.#trades.append(trades)
    for (const action of actions) this.#tables.addAction(action)
    if (this.#trades.isDue) this.#trades.storeEnds()
    this.#moveTo(mark)
  }

  /** Inside a transaction: leaves nothing that the next start would have to find again. */
  storeEnds(): void {
    const mark = this.#current()
    if (this.#trades.position.after === 0) return
    this.#trades.storeEnds()
    this.#moveTo(mark)
  }

  /** The transaction has changed nothing, or everything. */
  undone(): void {
    this.#mark = undefined
  }

  #moveTo(mark: Mark): void {
    this.#mark = mark
    this.#tables.movePosition({ mark, trades: this.#trades.position })
  }

  #current(): Mark {
    if (this.#mark !== undefined) return this.#mark
    const { mark, trades } = this.#tables.position()
    this.#trades.load(trades)
    this.#mark = mark
    return mark
  }
}
