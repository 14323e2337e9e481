/**
 * Reads the leader's row over a connection of its own that stays open: the row tells a follower when to try
 * to lead, never which engine leads.
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

  /**
   * Rejects with `JournalFault`, and the next read opens another connection. Concurrent callers share a read.
   */
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
      throw new JournalFault('FAILED', 'cannot find out which engine leads', { cause })
    }
  }
}
