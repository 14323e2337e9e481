/** The stored ends of orders against those that a replay has caused: each by the number of its order, and no others. */
import { differingFields, nameOfEnd } from '../../../engine/audit/history.ts'
import type { EndedOrder } from '../../../engine/order-history.ts'
import type { Row } from './check.ts'
import type { ReportDifference } from './lists/comparison.ts'
import { believed } from './lists/stored.ts'
import { readEnd } from './orders.ts'

export type StoredEnds = {
  /** The row of an order's end; undefined: there is none. */
  readonly rowOf: (orderNumber: number) => Row | undefined
  /** How many there are. */
  readonly count: () => number
}

export class EndComparison {
  readonly #stored: StoredEnds
  readonly #report: ReportDifference
  #found = 0

  constructor(stored: StoredEnds, report: ReportDifference) {
    this.#stored = stored
    this.#report = report
  }

  /** The next end that must be there. */
  compare(end: EndedOrder): void {
    const { orderNumber } = end
    const row = this.#stored.rowOf(orderNumber)
    const what = nameOfEnd(end)
    if (row === undefined) {
      this.#report({ kind: 'MISSING', sentence: `${what} is missing` })
      return
    }
    this.#found++
    const found = believed(() => readEnd(orderNumber, row[0]))
    if ('damage' in found) this.#report({ kind: 'DAMAGED', sentence: `${what}: ${found.damage}` })
    else for (const difference of differingFields(what, end, found.value)) this.#report(difference)
  }

  /** There are no more. */
  finish(): void {
    const extra = this.#stored.count() - this.#found
    if (extra <= 0) return
    const sentence = `${extra} ends of orders stand in history, the journal caused no such ends`
    this.#report({ kind: 'EXTRA', sentence })
  }
}
