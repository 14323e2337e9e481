/** The identity of an engine's journal, in memory: for tests and the simulator. */
import type { KnownJournal } from '../../src/engine/leadership/cluster-ports.ts'

export class MemoryKnownJournal implements KnownJournal {
  #journal: string | undefined

  read(): string | undefined {
    return this.#journal
  }

  write(journal: string): void {
    this.#journal = journal
  }
}
