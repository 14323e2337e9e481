/**
 * Opens accounts at the exchange: first the row is stored as PENDING, then the account is opened (a repeat
 * opens the same one), then the row becomes ACTIVE. A start continues with the pending ones.
 */
import { forEachPerson } from '../for-each-person.ts'
import type { ExchangeAccess } from '../ports.ts'
import type { Person } from '../store/people.ts'
import type { Store } from '../store/store.ts'

export class Openings {
  readonly #store: Store
  readonly #exchange: ExchangeAccess
  /** By owner: a sign-in may come while a start continues the opening of the same account. */
  readonly #running = new Map<string, Promise<void>>()

  constructor(store: Store, exchange: ExchangeAccess) {
    this.#store = store
    this.#exchange = exchange
  }

  /**
   * The person is ACTIVE when this resolves. If it rejects with `ExchangeFault`, the person stays PENDING.
   */
  async open(person: Pick<Person, 'owner' | 'account'>): Promise<void> {
    const { owner } = person
    const running = this.#running.get(owner) ?? this.#open(person)
    this.#running.set(owner, running)
    try {
      await running
    } finally {
      this.#running.delete(owner)
    }
  }

  /** Continues the openings that an earlier process has begun. Rejects like `forEachPerson`. */
  async goOn(): Promise<void> {
    await forEachPerson(this.#store.people.pending(), (person) => this.open(person))
  }

  async #open({ owner, account }: Pick<Person, 'owner' | 'account'>): Promise<void> {
    await this.#exchange.openAccount(account)
    this.#store.people.become(owner, 'ACTIVE', 'PENDING')
  }
}
