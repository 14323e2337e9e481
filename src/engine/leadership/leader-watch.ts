/**
 * Looks at the row that says who leads, over a connection of its own that stays open: whoever follows learns from it when to try to lead,
 * and never who does.
 */
import { JournalFault } from '../port/journal.ts'
import type { LeaderRow, LeadershipTable, OpenTable } from './leadership-table.ts'

export class LeaderWatch {
  readonly #openTable: OpenTable
  #table: LeadershipTable | undefined
  #looking: Promise<LeaderRow> | undefined
  #isClosed = false

  constructor(openTable: OpenTable) {
    this.#openTable = openTable
  }

  /** Rejects with `JournalFault`, and the next look opens another connection. Whoever asks while another does looks with that one. */
  look(): Promise<LeaderRow> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  close(): void {
    this.#isClosed = true
    this.#table?.cut()
    this.#table = undefined
  }

  async #look(): Promise<LeaderRow> {
    const table = this.#table ?? (await this.#openTable())
    this.#table = table
    if (this.#isClosed) this.close()
    try {
      return await table.leader()
    } catch (cause) {
      this.#table = undefined
      table.cut()
      if (cause instanceof JournalFault) throw cause
      throw new JournalFault('FAILED', 'cannot look at who leads', { cause })
    }
  }
}
