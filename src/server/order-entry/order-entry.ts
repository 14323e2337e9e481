/**
 * Order entry over the stream: the logins of connections, and the external events that end them. The session
 * (`entry-session.ts`) carries out a login or a request.
 */

import type { EventBatch, ExchangeEvent } from '../../core/events/event.ts'
import type { Seq } from '../../units/quantities.ts'
import { widerKeys } from '../access/auth/address.ts'
import { type Refusal, refuse } from '../common/refusal.ts'
import { Feeds } from '../private-feed/feeds.ts'
import type { EntryClient, EntryOutputs } from './conversation.ts'
import type { EntryBudget } from './entry-budget.ts'
import type { EntryParts, OrderEntryOptions } from './entry-parts.ts'
import { EntrySession } from './entry-session.ts'
import { Logins } from './logins.ts'
import { OrderSessions } from './order-sessions.ts'
import { TurnClock } from './turn-clock.ts'
import { UnderWay } from './under-way.ts'

export class OrderEntry {
  readonly #parts: EntryParts
  readonly #logins = new Logins<EntrySession>()

  constructor(options: OrderEntryOptions) {
    const turn = new TurnClock(options.clock)
    const orderSessions = new OrderSessions(options.services)
    this.#parts = { ...options, underWay: new UnderWay(), turn, feeds: new Feeds(options), orderSessions }
  }

  /** The private feeds of all accounts. */
  get feeds(): Feeds {
    return this.#parts.feeds
  }

  /** Number of current logins. */
  get logins(): number {
    return this.#logins.count
  }

  /** Number of logins that cancel on disconnect. */
  get orderSessions(): number {
    return this.#parts.orderSessions.count
  }

  /** A new conversation. */
  open(client: EntryClient, outputs: EntryOutputs, budget: EntryBudget): EntrySession {
    return new EntrySession(this.#parts, { client, ...outputs, budget }, this.#logins)
  }

  /** Resolves when every accepted request has been answered. */
  untilIdle(): Promise<void> {
    return this.#parts.underWay.untilIdle()
  }

  /** Number of accounts with followers of their private feed. */
  get followedAccounts(): number {
    return this.#parts.feeds.accounts
  }

  /**
   * Must be called with each batch, once the views have applied it and its events have been passed to
   * `apply`.
   */
  publish(batch: EventBatch): void {
    this.#parts.feeds.publish(batch)
  }

  /** Must be called with each event, once the views have applied it. */
  apply(event: ExchangeEvent): void {
    if (event.kind === 'ApiKeyChanged') this.#check(this.#logins.ofKey(event.apiKey.apiKey))
    else if (event.kind === 'ApiKeyRemoved') this.#check(this.#logins.ofKey(event.apiKey))
    else if (event.kind === 'AccountChanged') this.#check(this.#logins.ofAccount(event.account.id))
  }

  /** Called when a session's key ends: ends its logins. */
  keyEnded(apiKey: string): void {
    this.#check(this.#logins.ofKey(apiKey))
  }

  /** Ends expired logins, and reports to the engine closed connections that could not be reported before. */
  endExpired(): void {
    this.#parts.orderSessions.retry()
    this.#check(this.#logins.all())
  }

  /**
   * Called when events up to command `seq` were not received, but are in the views: all logins are checked,
   * and feeds read the missed events.
   */
  restarted(seq: Seq): void {
    this.#check(this.#logins.all())
    this.#parts.feeds.restarted(seq)
  }

  /**
   * Called when the engine can no longer be reached. It considers every connection closed, so logins whose
   * orders end with their connection are over; a client that returns in time resumes its session.
   */
  engineLost(refusal: Refusal): void {
    for (const session of this.#logins.all()) if (session.hasSession) session.logOut(refusal)
  }

  /** Ends the logins of an address, or of a wider network, that its limits have banned. */
  banned(limitKey: string, refusal: Refusal): void {
    for (const session of this.#logins.all()) {
      const own = session.limitKey
      if (own === limitKey || widerKeys(own).some((key) => key === limitKey)) session.logOut(refusal)
    }
  }

  #check(sessions: readonly EntrySession[]): void {
    const now = this.#parts.clock.steady()
    for (const session of sessions) {
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
