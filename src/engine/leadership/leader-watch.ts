/**
 * Looks at the row that says who leads, over a connection of its own that stays open: whoever follows learns from it when to try to lead,
 * and never who does.
 */
import { JournalFault } from '../journal.ts'
import type { LeaderRow, LeadershipTable, OpenTable } from './leadership-table.ts'

export class LeaderWatch {
  readonly #openTable: OpenTable
  #table: LeadershipTable | undefined

  constructor(openTable: OpenTable) {
    this.#openTable = openTable
  }

  /** Rejects with `JournalFault`, and the next look opens another connection. */
  async look(): Promise<LeaderRow> {
    const table = this.#table ?? (await this.#openTable())
    this.#table = table
    try {
      return await table.leader()
    } catch (cause) {
      this.#table = undefined
      table.cut()
      if (cause instanceof JournalFault) throw cause
      throw new JournalFault('FAILED', 'cannot look at who leads', { cause })
    }
  }

  close(): void {
    this.#table?.cut()
    this.#table = undefined
  }
}
