/**
 * A cluster's journal in PostgreSQL: the [claimed journal](../../engine/leadership/claimed-journal.ts) on its
 * table in the database.
 */
import {
  ClaimedJournal,
  type ClaimedJournalOptions,
  type Doubt,
} from '../../engine/leadership/claimed-journal.ts'
import { runtimeScheduler } from '../scheduler.ts'
import { PostgresTable, type TableOptions } from './table.ts'

export type PostgresJournalOptions = TableOptions & Omit<ClaimedJournalOptions, 'openTable' | 'scheduler'>

export type PostgresJournal = ClaimedJournal

export const PostgresJournal = {
  /** See `ClaimedJournal.open`. */
  open: (options: PostgresJournalOptions): Promise<PostgresJournal> => ClaimedJournal.open(claimed(options)),

  /** See `ClaimedJournal.resolve`. */
  resolve: (options: PostgresJournalOptions, doubt: Doubt) => ClaimedJournal.resolve(claimed(options), doubt),
}

function claimed({ connection, durability, ...options }: PostgresJournalOptions): ClaimedJournalOptions {
  const openTable = () => PostgresTable.open({ connection, durability })
  return { ...options, openTable, scheduler: runtimeScheduler }
}
