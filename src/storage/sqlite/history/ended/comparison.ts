/**
 * Compares the stored ends of orders with those of a replay: each must be stored under the number of its
 * order, and no others may be.
 */
import type { StoredRow } from '../../../../engine/audit/actions.ts'
import { differingFields, nameOfEnd } from '../../../../engine/audit/history.ts'
import type { EndedOrder } from '../../../../engine/history/order-history.ts'
import type { OrderNumber } from '../../../../units/ids.ts'
import type { ReportDifference } from '../lists/comparison.ts'
import { pageOf } from './rows.ts'

type StoredRows = StoredRow<readonly EndedOrder[]>

/** The stored ends; for an unreadable row, the reason why it is unreadable. */
export type StoredEnds = {
  /** The ends in the log. */
  readonly log: () => StoredRows
  /** The ends in a page; empty if the page does not exist. */
  readonly page: (page: number) => StoredRows
  /** All pages. */
  readonly pages: () => Iterable<{ readonly page: number; readonly ends: StoredRows }>
}

export class EndComparison {
  readonly #stored: StoredEnds
  readonly #report: ReportDifference
  /** The ends in the log, read when the first end is compared. */
  #loggedByNumber: ReadonlyMap<OrderNumber, EndedOrder> | undefined
  #isLogDamaged = false
  /** The page that was read last: orders end in roughly the order of their numbers. */
  #page: { readonly page: number; readonly ends: StoredRows } | undefined
  readonly #damagedPages = new Set<number>()
  #found = 0

  constructor(stored: StoredEnds, report: ReportDifference) {
    this.#stored = stored
    this.#report = report
  }

  /** Compares the next expected end. */
  compare(end: EndedOrder): void {
    const { orderNumber } = end
    const found = this.#logged().get(orderNumber) ?? this.#inPage(orderNumber)
    if (found === 'damaged') return
    const what = nameOfEnd(end)
    if (found === undefined) {
      if (!this.#isLogDamaged) this.#report({ kind: 'MISSING', sentence: `${what} is missing` })
      return
    }
    this.#found++
    for (const difference of differingFields(what, end, found)) this.#report(difference)
  }

  /** Must be called after the last expected end. */
  finish(): void {
    let stored = this.#logged().size
    for (const { page, ends } of this.#stored.pages()) {
      if ('damage' in ends) this.#damaged(page, ends.damage)
      else stored += ends.value.length
    }
    const extra = stored - this.#found
    if (extra <= 0) return
    const sentence = `${extra} ended orders are in history, but the journal does not have them`
    this.#report({ kind: 'EXTRA', sentence })
  }

  #logged(): ReadonlyMap<OrderNumber, EndedOrder> {
    if (this.#loggedByNumber !== undefined) return this.#loggedByNumber
    const log = this.#stored.log()
    if ('damage' in log) {
      this.#isLogDamaged = true
      this.#report({ kind: 'DAMAGED', sentence: `the newest ended orders: ${log.damage}` })
    }
    const ends = 'damage' in log ? [] : log.value
    this.#loggedByNumber = new Map(ends.map((end) => [end.orderNumber, end]))
    return this.#loggedByNumber
  }

  #inPage(orderNumber: OrderNumber): EndedOrder | 'damaged' | undefined {
    const page = pageOf(orderNumber)
    if (this.#page?.page !== page) this.#page = { page, ends: this.#stored.page(page) }
    const { ends } = this.#page
    if (!('damage' in ends)) return ends.value.find((end) => end.orderNumber === orderNumber)
    this.#damaged(page, ends.damage)
    return 'damaged'
  }

  /** Reports damage once for each page. */
  #damaged(page: number, damage: string): void {
    if (this.#damagedPages.has(page)) return
    this.#damagedPages.add(page)
    this.#report({ kind: 'DAMAGED', sentence: `page ${page} of the ended orders: ${damage}` })
  }
}
