/**
 * The current search of the audit trail, and the page of it that is shown. Results of an earlier search never
 * appear in the current one.
 */
import { signal } from '@preact/signals'
import type { AdminAuditSearch } from '../../../contract/admin/admin.ts'
import type { AdminAuditPage } from '../../../contract/admin/audit.ts'
import { ANYTHING, nextFound, searchOf, type TypedSearch } from './audit-search.ts'
import type { Answer } from './page-session.ts'

type Shown = {
  readonly typed: TypedSearch
  /** The commands before which pages begin; empty for the newest page. */
  readonly pages: readonly number[]
}

export class AuditPages {
  readonly #ask: (request: AdminAuditSearch) => Promise<Answer<AdminAuditPage>>
  readonly #shown = signal<Shown>({ typed: ANYTHING, pages: [] })

  constructor(ask: (request: AdminAuditSearch) => Promise<Answer<AdminAuditPage>>) {
    this.#ask = ask
  }

  get typed(): TypedSearch {
    return this.#shown.value.typed
  }

  /** The command before which the page begins; undefined for the newest page. */
  get before(): number | undefined {
    return this.#shown.value.pages.at(-1)
  }

  search(typed: TypedSearch): void {
    this.#shown.value = { typed, pages: [] }
  }

  back(): void {
    const { typed, pages } = this.#shown.value
    this.#shown.value = { typed, pages: pages.slice(0, -1) }
  }

  /**
   * Moves to the next result before this command, unless the operator has moved elsewhere in the meantime.
   */
  async goOn(from: number): Promise<void> {
    const shown = this.#shown.value
    const before = await nextFound(this.#ask, searchOf(shown.typed), from)
    if (this.#shown.value === shown) this.#shown.value = { ...shown, pages: [...shown.pages, before] }
  }
}
