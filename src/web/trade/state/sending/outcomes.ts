/**
 * Finds the outcome of each request that was sent (docs/client.md#when-an-answer-is-lost). Before each
 * attempt the browser stores the id under which it can be queried, so that a reloaded page, or another tab,
 * finds it as well. Nothing is sent again.
 */
import { signal } from '@preact/signals'
import { BourseError } from '../../../../client/errors.ts'
import type { Resolution } from '../../../../client/http/placements.ts'
import type { PlaceOptions } from '../../../../client/requests.ts'
import type { OrderFigures } from '../order-phrase.ts'
import type { AttemptStore, KeptAttempt } from './attempt-store.ts'

/** The time after which the outcome of a request is reported as unknown, and the interval of queries. */
const LATE_MS = 2_000
/**
 * After this time outcomes are no longer final
 * (docs/reference/client-order-ids.md#ask-what-became-of-an-order).
 */
const LOST_MS = 24 * 60 * 60_000

/** The outcome of a request. */
export type Placement =
  | { readonly kind: 'PLACED'; readonly id: string }
  | { readonly kind: 'NEVER' }
  | { readonly kind: 'REFUSED'; readonly error: unknown }

/** The exchange's record under a client order id: the order itself, or the orders of a list. */
export type PlacedThing = { readonly id: string; readonly orders: readonly OrderFigures[] }

type FoundOutcome =
  | { readonly kind: 'PLACED'; readonly placed: PlacedThing }
  | { readonly kind: 'NEVER' | 'LOST' }

/** The outcome of a request of an earlier page, or of another tab. */
export type Found = { readonly attempt: KeptAttempt } & FoundOutcome

export type OutcomesOptions = {
  readonly apiKey: string
  readonly store: AttemptStore
  readonly ask: (attempt: KeptAttempt) => Promise<Resolution<PlacedThing>>
  /** Runs the work while no other tab runs work under the same name. */
  readonly alone: (name: string, work: () => Promise<void>) => Promise<void>
  /** The exchange's time. */
  readonly now: () => Promise<number>
  readonly pause: (ms: number) => Promise<void>
  readonly onFound: (found: Found) => void
  /** Called before a request that the browser does not store, if it stored the previous ones. */
  readonly onNotKept: () => void
}

export class Outcomes {
  readonly #options: OutcomesOptions
  /** The client order id of a request whose outcome is unknown. */
  readonly unknown = signal<string | undefined>(undefined)
  /** The browser did not store the last attempt. */
  readonly isNotKept = signal(false)
  /** The requests sent by this page, and those of others that it checks. */
  readonly #own = new Map<string, KeptAttempt>()
  readonly #asked = new Set<string>()
  readonly #late = new Set<string>()
  readonly #stopWatching: () => void
  #isClosed = false

  constructor(options: OutcomesOptions) {
    this.#options = options
    for (const attempt of this.#kept()) void this.#adopt(attempt)
    this.#stopWatching = options.store.watch(() => {
      for (const attempt of this.#kept()) void this.#adoptLater(attempt)
    })
  }

  /** Stops all queries. Unknown outcomes stay stored. */
  close(): void {
    this.#isClosed = true
    this.#stopWatching()
  }

  /**
   * The outcome of the request of `call`, sent once, however long it takes to find. `call` returns the id of
   * the placed order or list.
   */
  async of(what: KeptAttempt['what'], call: (options: PlaceOptions) => Promise<string>): Promise<Placement> {
    let id: string | undefined
    const { promise: isDone, resolve: done } = Promise.withResolvers<void>()
    const onAttempt: PlaceOptions['onAttempt'] = (attempted) => {
      const attempt = { ...attempted, what, apiKey: this.#options.apiKey }
      if (id === undefined) {
        this.#lateSoon(attempted.clientOrderId)
        void this.#options.alone(attempted.clientOrderId, () => isDone)
      }
      id = attempted.clientOrderId
      this.#own.set(id, attempt)
      this.#keep(attempt)
    }
    let placement: Placement | undefined
    try {
      placement = { kind: 'PLACED', id: await call({ sendAgain: false, onAttempt }) }
    } catch (error) {
      placement = id === undefined ? { kind: 'REFUSED', error } : await this.#outcomeOf(error, id)
      // Queries were stopped: an unknown outcome stays stored for the next page.
      if (placement === undefined) return { kind: 'REFUSED', error }
    } finally {
      done()
    }
    if (id !== undefined) this.#forget(id)
    return placement
  }

  /** An error that is not the client's own leaves the outcome open: the request was sent. */
  async #outcomeOf(error: unknown, id: string): Promise<Placement | undefined> {
    if (error instanceof BourseError) {
      const { outcome, order } = error
      if (outcome === 'DONE' && order !== undefined) return { kind: 'PLACED', id: order.id }
      if (outcome === 'NOT_DONE' && error.kind === 'NO_ANSWER') return { kind: 'NEVER' }
      if (outcome !== 'UNKNOWN') return { kind: 'REFUSED', error }
    }
    this.#markLate(id)
    const resolution = await this.#find(() => this.#own.get(id))
    if (resolution === undefined) return undefined
    if (resolution.kind === 'PLACED') return { kind: 'PLACED', id: resolution.placed.id }
    return resolution.kind === 'NEVER' ? { kind: 'NEVER' } : { kind: 'REFUSED', error }
  }

  /** If the browser does not store the request, only this page can find its outcome. */
  #keep(attempt: KeptAttempt): void {
    const { store, onNotKept } = this.#options
    const isKept = store.write(attempt)
    // The stored record of an earlier attempt has an earlier deadline, after which the order would be
    // reported as never placed. That would be too soon.
    if (!isKept) store.remove(attempt.clientOrderId)
    if (!isKept && !this.isNotKept.peek()) onNotKept()
    this.isNotKept.value = !isKept
  }

  #kept(): readonly KeptAttempt[] {
    const { store, apiKey } = this.#options
    const isOthers = ({ clientOrderId }: KeptAttempt) =>
      !this.#own.has(clientOrderId) && !this.#asked.has(clientOrderId)
    return store.all().filter((attempt) => attempt.apiKey === apiKey && isOthers(attempt))
  }

  /** Adopts the request of another tab later, since that tab will most likely receive its answer. */
  async #adoptLater(attempt: KeptAttempt): Promise<void> {
    this.#asked.add(attempt.clientOrderId)
    await this.#options.pause(LATE_MS)
    this.#asked.delete(attempt.clientOrderId)
    if (this.#stored(attempt.clientOrderId) !== undefined) await this.#adopt(attempt)
  }

  /** Finds the outcome of a request of another page, once that page has stopped doing so. */
  async #adopt(attempt: KeptAttempt): Promise<void> {
    const { clientOrderId } = attempt
    this.#asked.add(clientOrderId)
    this.#markLate(clientOrderId)
    await this.#options.alone(clientOrderId, async () => {
      const resolution = await this.#find(() => this.#stored(clientOrderId))
      if (resolution === undefined) return
      this.#options.store.remove(clientOrderId)
      this.#options.onFound({ attempt, ...resolution })
    })
    this.#asked.delete(clientOrderId)
    this.#known(clientOrderId)
  }

  /**
   * Undefined if another page has found it, or queries were stopped. `current`: the stored record, since
   * another attempt may have been sent.
   */
  async #find(current: () => KeptAttempt | undefined): Promise<FoundOutcome | undefined> {
    while (!this.#isClosed) {
      const attempt = current()
      if (attempt === undefined) return undefined
      // A failed query proves nothing, and is repeated.
      const resolution = await this.#options.ask(attempt).catch(() => undefined)
      if (resolution?.kind === 'PLACED') return { kind: 'PLACED', placed: resolution.found }
      if (resolution?.kind === 'NEVER' && current()?.deadline === attempt.deadline) return { kind: 'NEVER' }
      if (resolution?.kind !== 'NEVER' && (await this.#isLost(attempt))) return { kind: 'LOST' }
      await this.#options.pause(LATE_MS)
    }
    return undefined
  }

  async #isLost({ firstAttempt }: KeptAttempt): Promise<boolean> {
    const now = await this.#options.now().catch(() => firstAttempt)
    return now - firstAttempt >= LOST_MS
  }

  #stored(id: string): KeptAttempt | undefined {
    return this.#options.store.all().find(({ clientOrderId }) => clientOrderId === id)
  }

  #lateSoon(id: string): void {
    void this.#options.pause(LATE_MS).then(() => {
      if (this.#own.has(id)) this.#markLate(id)
    })
  }

  #markLate(id: string): void {
    this.#late.add(id)
    this.unknown.value = this.#late.values().next().value
  }

  #known(id: string): void {
    this.#late.delete(id)
    this.unknown.value = this.#late.values().next().value
  }

  #forget(id: string): void {
    this.#own.delete(id)
    this.#options.store.remove(id)
    this.#known(id)
  }
}
