/** The changes of a store in a file, for standbys. */
import { changePage, type PageParts } from './change-pages.ts'
import type { AskedPage, ChangePage } from './page.ts'

export class StoreChanges {
  readonly #parts: PageParts

  constructor(parts: PageParts) {
    this.#parts = parts
  }

  /** A page for a standby. */
  page(asked: AskedPage, nowMs: number): ChangePage {
    return changePage(this.#parts, asked, nowMs)
  }

  /** Forgets the passkeys of erased persons; called in their transaction. */
  forget(owners: readonly string[]): void {
    this.#parts.log.forget(owners)
  }

  /** Forgets deleted rows; called at intervals. */
  sweep(nowMs: number): void {
    this.#parts.log.sweep(nowMs)
  }
}
