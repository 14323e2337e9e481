/**
 * A witness that lives and dies with its object.
 */
import type { Mark } from '../../engine/journal.ts'
import type { Testimony, Witness } from '../../engine/witness.ts'

export class MemoryWitness implements Witness {
  #mark: Mark | undefined

  recall(): Testimony {
    return this.#mark === undefined ? { kind: 'NONE' } : { kind: 'MARK', mark: this.#mark, damage: undefined }
  }

  record(mark: Mark): void {
    this.#mark = mark
  }

  reset(mark: Mark): void {
    this.#mark = mark
  }

  close(): void {}
}
