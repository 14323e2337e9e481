/**
 * Order entry over the stream: who is logged in on which connection, and what ends logins from outside. What a login or a request
 * does is its session's (`entry-session.ts`).
 */
import type { ExchangeEvent } from '../../core/exchange/event.ts'
import { type Refusal, refuse } from '../common/refusal.ts'
import type { EntryParts, OrderEntryOptions } from './entry-parts.ts'
import { type EntryBudget, type EntryClient, type EntryOutput, EntrySession } from './entry-session.ts'
import { TurnClock } from './turn-clock.ts'
import { UnderWay } from './under-way.ts'

export class OrderEntry {
  readonly #parts: EntryParts
  readonly #loggedIn = new Set<EntrySession>()

  constructor(options: OrderEntryOptions) {
    this.#parts = { ...options, underWay: new UnderWay(), turn: new TurnClock(options.clock) }
  }

  /** Logins of now. */
  get logins(): number {
    return this.#loggedIn.size
  }

  /** A new conversation. */
  open(client: EntryClient, output: EntryOutput, budget: EntryBudget): EntrySession {
    return new EntrySession(this.#parts, { client, output, budget }, this.#loggedIn)
  }

  /** Resolves when every request that was taken has been answered. */
  untilIdle(): Promise<void> {
    return this.#parts.underWay.untilIdle()
  }

  /** To be called with each event, once the views have taken it in. */
  apply(event: ExchangeEvent): void {
    if (event.kind === 'ApiKeyChanged') this.#check(({ apiKey }) => apiKey === event.apiKey.apiKey)
    else if (event.kind === 'AccountChanged') this.#check(({ accountId }) => accountId === event.account.id)
  }

  /** Ends the logins whose time is over. */
  endExpired(): void {
    this.#check(() => true)
  }

  /** An address has been banned by its limits. */
  banned(limitKey: string, refusal: Refusal): void {
    for (const session of [...this.#loggedIn]) if (session.limitKey === limitKey) session.logOut(refusal)
  }

  #check(isMeant: (principal: NonNullable<EntrySession['principal']>) => boolean): void {
    const now = this.#parts.clock.steady()
    for (const session of [...this.#loggedIn]) {
      const { principal } = session
      if (principal === undefined || !isMeant(principal)) continue
      try {
        session.checkLogin(now)
      } catch (error) {
        const requestId = this.#parts.nextRequestId()
        this.#parts.logger.error({ requestId, err: error }, 'a login could not be checked')
        session.logOut(refuse('INTERNAL_ERROR', { id: requestId }))
      }
    }
  }
}
