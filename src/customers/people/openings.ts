/**
 * Opens accounts at the exchange: the row PENDING comes first, then the account, whose repeat is the same
 * one, then ACTIVE. A start goes on with what is pending.
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

  /** Goes on with what an earlier process has begun. Rejects with `ExchangeFault`. */
  async goOn(): Promise<void> {
    for (const person of this.#store.people.pending()) await this.open(person)
  }
}
