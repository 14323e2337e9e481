/** A witness that exists as long as this object. */
import type { JournalPosition } from '../../src/engine/port/journal.ts'
import type { Witness, WitnessRecord } from '../../src/engine/port/witness.ts'

export class MemoryWitness implements Witness {
  #mark: JournalPosition | undefined

  recall(): WitnessRecord {
    return this.#mark === undefined ? { kind: 'NONE' } : { kind: 'MARK', mark: this.#mark, damage: undefined }
  }

  record(mark: JournalPosition): void {
    this.#mark = mark
  }

  reset(mark: JournalPosition): void {
    this.#mark = mark
  }

  close(): void {}
}
