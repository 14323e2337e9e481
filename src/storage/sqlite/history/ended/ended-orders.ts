/**
 * Ends of orders, found by the order's number without a row for each. The newest ends are in memory and in a
 * log that is read at a start. From time to time they are moved to pages with many ends each, and the log is
 * emptied. The caller owns the transactions: it stores `position` in the transaction that changes it, and
 * passes it to `load`.
 */
import type { EndedOrder } from '../../../../engine/history/order-history.ts'
import { ByteWriter } from '../../../../units/bytes.ts'
import type { OrderNumber } from '../../../../units/ids.ts'
import { invariant } from '../../../../units/invariant.ts'
import { DamagedRowFault, type Row, seal } from '../check.ts'
import { EMPTY_LISTS, type ListsPosition } from '../lists/lists.ts'
import { addToLogRow, beginLogRow, LOG_ROW_BYTES, pageOf, readLogRow } from './rows.ts'
import type { EndedTables } from './tables.ts'

/** Maximum number of ends in memory, which are read at a start; about 150 bytes each. */
const LOGGED_MAX = 10_000

export class EndedOrders {
  readonly #tables: EndedTables
  readonly #loggedMax: number
  /** The ends in the log, in order. */
  #logged: EndedOrder[] = []
  /** The first `#indexed` ends of the log; the others are added at the next lookup. */
  readonly #loggedByNumber = new Map<OrderNumber, EndedOrder>()
  #indexed = 0
  readonly #row = new ByteWriter()
  /** The number of ends in pages, and the number of ends in the log. */
  #position: ListsPosition = EMPTY_LISTS

  /** `load` must be called first. */
  constructor(tables: EndedTables, loggedMax = LOGGED_MAX) {
    this.#tables = tables
    this.#loggedMax = loggedMax
  }

  /** Must be stored in the transaction that changed it. */
  get position(): ListsPosition {
    return this.#position
  }

  /** Whether the log should be moved to its pages now. */
  get isDue(): boolean {
    return this.#position.after >= this.#loggedMax
  }

  /** Loads the stored state, both at a start and after a failed transaction. Throws `DamagedRowFault`. */
  load(stored: ListsPosition): void {
    this.#forget()
    this.#logged = loggedEnds(this.#tables.log(), stored)
    this.#position = stored
  }

  append(ends: readonly EndedOrder[]): void {
    const { endsTo, after } = this.#position
    for (let i = 0; i < ends.length; ) {
      const n = endsTo + after + i + 1
      const first = ends[i] as EndedOrder
      beginLogRow(this.#row, n, first)
      for (; i < ends.length && this.#row.length < LOG_ROW_BYTES; i++) {
        const end = ends[i] as EndedOrder
        this.#logged.push(end)
        addToLogRow(this.#row, first, end)
      }
      this.#tables.addLogRow(n, seal(this.#row))
    }
    this.#position = { endsTo, after: after + ends.length }
  }

  /** Moves the ends in the log to their pages. */
  storeEnds(): void {
    const endsByPage = new Map<number, EndedOrder[]>()
    for (const end of this.#logged) {
      const page = pageOf(end.orderNumber)
      const ends = endsByPage.get(page)
      if (ends === undefined) endsByPage.set(page, [end])
      else ends.push(end)
    }
    for (const page of Float64Array.from(endsByPage.keys()).sort()) {
      this.#tables.setPage(page, joined(this.#tables.page(page), endsByPage.get(page) as EndedOrder[]))
    }
    this.#forget()
    this.#tables.dropLog()
    const { endsTo, after } = this.#position
    this.#position = { endsTo: endsTo + after, after: 0 }
  }

  /** The end of an order; undefined if it has none. Throws `DamagedRowFault`. */
  end(orderNumber: OrderNumber): EndedOrder | undefined {
    for (; this.#indexed < this.#logged.length; this.#indexed++) {
      const end = this.#logged[this.#indexed] as EndedOrder
      this.#loggedByNumber.set(end.orderNumber, end)
    }
    const logged = this.#loggedByNumber.get(orderNumber)
    return logged ?? this.#tables.page(pageOf(orderNumber)).find((end) => end.orderNumber === orderNumber)
  }

  #forget(): void {
    this.#logged = []
    this.#loggedByNumber.clear()
    this.#indexed = 0
  }
}

/**
 * The ends in the rows of a log with this position, in order. Throws `DamagedRowFault` if any are missing: a
 * lost end must not be mistaken for one that never existed.
 */
export function loggedEnds(rows: readonly Row[], { endsTo, after }: ListsPosition): EndedOrder[] {
  const found: EndedOrder[] = []
  for (const [first, data] of rows) {
    if (Number(first) !== endsTo + found.length + 1) break
    found.push(...readLogRow(Number(first), data))
  }
  if (found.length === after) return found
  throw new DamagedRowFault(`${found.length} ended orders come after the first ${endsTo}, expected ${after}`)
}

/** Merges both lists, by order; no order may occur twice. */
function joined(stored: readonly EndedOrder[], added: readonly EndedOrder[]): readonly EndedOrder[] {
  const ends = [...stored, ...added].sort((a, b) => a.orderNumber - b.orderNumber)
  for (const [i, { orderNumber }] of ends.entries()) {
    invariant(orderNumber !== ends[i + 1]?.orderNumber, () => `order ${orderNumber} has already ended`)
  }
  return ends
}
