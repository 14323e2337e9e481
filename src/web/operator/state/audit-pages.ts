/** Which search of the audit trail is shown, and how far into the past somebody has gone on with it. Of what was asked before, nothing comes into what is shown now. */
import { signal } from '@preact/signals'
import type { AdminAuditSearch } from '../../../wire/admin.ts'
import type { AdminAuditPage } from '../../../wire/admin-audit.ts'
import { ANYTHING, nextFound, searchOf, type TypedSearch } from './audit-search.ts'
import type { Answer } from './page-session.ts'

type Shown = {
  readonly typed: TypedSearch
  /** The commands before which pages begin; none: the newest page. */
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

  /** The command before which the page begins; undefined: it is the newest one. */
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

  /** To where something is found before this command. Whoever has gone elsewhere meanwhile stays there. */
  async goOn(from: number): Promise<void> {
    const shown = this.#shown.value
    const before = await nextFound(this.#ask, searchOf(shown.typed), from)
    if (this.#shown.value === shown) this.#shown.value = { ...shown, pages: [...shown.pages, before] }
  }
}
