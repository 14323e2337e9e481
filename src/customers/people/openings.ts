/**
 * Opens accounts at the exchange: first the row is stored as PENDING, then the account is opened (a repeat
 * opens the same one), then the row becomes ACTIVE. A start continues with the pending ones.
 */
import type { ExchangeAccess } from '../ports.ts'
import type { Person } from '../store/people.ts'
import type { Store } from '../store/store.ts'

export class Openings {
  readonly #store: Store
  readonly #exchange: ExchangeAccess

  constructor(store: Store, exchange: ExchangeAccess) {
    this.#store = store
    this.#exchange = exchange
  }

  /** The person is ACTIVE when this resolves. Rejects with `ExchangeFault`; it is PENDING then. */
  async open({ owner, account }: Pick<Person, 'owner' | 'account'>): Promise<void> {
    await this.#exchange.openAccount(account)
    this.#store.people.become(owner, 'ACTIVE')
  }

  /** Continues the openings that an earlier process has begun. Rejects with `ExchangeFault`. */
  async goOn(): Promise<void> {
    for (const person of this.#store.people.pending()) await this.open(person)
  }
}
