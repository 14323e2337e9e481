/**
 * Announces the existing session keys to the exchange. An ended session is stored as ended until the exchange
 * has confirmed its end: if the process is killed in between, it announces the end at its next start, before
 * any key.
 */
import { announceAddresses } from '../keys/address-announcer.ts'
import type { ExchangeAccess, World } from '../ports.ts'
import type { Store } from '../store/store.ts'

/** Maximum number of keys in one request. */
const PAGE = 200

export class KeyAnnouncer {
  readonly #store: Store
  readonly #exchange: ExchangeAccess
  readonly #world: Pick<World, 'now'>

  constructor(store: Store, exchange: ExchangeAccess, world: Pick<World, 'now'>) {
    this.#store = store
    this.#exchange = exchange
    this.#world = world
  }

  /**
   * Announces the addresses of all keys, then all existing session keys: session keys that are not among them
   * end. Rejects with `ExchangeFault`.
   */
  async announceAll(): Promise<void> {
    await announceAddresses(this.#store, this.#exchange, this.#world.now())
    // Must come before anything is read: the exchange then keeps the keys that other processes open from here
    // on.
    await this.#exchange.announceSessions([], { isFirst: true, isLast: false })
    let after = ''
    for (let isLast = false; !isLast; ) {
      const nowMs = this.#world.now()
      const page = this.#store.sessions.keysAfter(after, PAGE)
      isLast = page.length < PAGE
      after = page.at(-1)?.name ?? after
      const running = page.filter(({ ends_ms }) => ends_ms > nowMs)
      const keys = running.map(({ name, account, public_key, ends_ms }) => ({
        ...{ name, account, publicKey: public_key },
        lastsMs: ends_ms - nowMs,
      }))
      await this.#exchange.announceSessions(keys, { isFirst: false, isLast })
    }
    await this.announceEnded()
  }

  /** Resolves when the exchange accepts none of the ended keys any more. Rejects with `ExchangeFault`. */
  async announceEnded(): Promise<void> {
    const names = this.#store.sessions.endedKeys()
    for (let at = 0; at < names.length; at += PAGE) {
      const page = names.slice(at, at + PAGE)
      await this.#exchange.endSessions(page)
      this.#store.sessions.forgetEnded(page)
    }
  }
}
