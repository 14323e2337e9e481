/** Counts the messages of a connection. */
import type { AddressIntake } from './address-intakes.ts'

const WINDOW_MS = 1_000

/** Counts in windows of one second. */
export class RateWindow {
  #startedAt = Number.NEGATIVE_INFINITY
  #count = 0

  /**
   * Counts one more and returns the number in the window. `now` in milliseconds; a clock set back starts a
   * new window.
   */
  count(now: number): number {
    if (now - this.#startedAt >= WINDOW_MS || now < this.#startedAt) {
      this.#startedAt = now
      this.#count = 0
    }
    return ++this.#count
  }
}

/** Allowances of one connection, shared by all namespaces that it uses. */
export class ConnectionBudget {
  readonly messages = new RateWindow()
  readonly joins = new RateWindow()
  /** Number of symbols joined. */
  rooms = 0
  /** Number of channels of symbols subscribed to. */
  subscriptions = 0
  readonly #address: AddressIntake | undefined

  /** `address`: the limits shared by all connections of the address; undefined if there are none. */
  constructor(address?: AddressIntake) {
    this.#address = address
  }

  /**
   * Counts messages against the limit of the address before they are read; if it returns false, they must not
   * be read.
   */
  admitsMessages(count: number, now: number): boolean {
    return this.#address?.admitsMessages(count, now) !== false
  }
}
