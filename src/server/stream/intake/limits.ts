/**
 * Counting what clients do: messages of a connection and connections of an address.
 */
import { WIDER_TIMES, widerKeys } from '../../access/auth/address.ts'
import type { StreamConfig } from '../config.ts'
import type { AddressIntake } from './address-intakes.ts'

const WINDOW_MS = 1_000

/** Counts in windows of one second. */
export class RateWindow {
  #startedAt = Number.NEGATIVE_INFINITY
  #count = 0

  /** Counts one more and says how many that makes in the window. `now` in milliseconds; a clock set back starts a new one. */
  count(now: number): number {
    if (now - this.#startedAt >= WINDOW_MS || now < this.#startedAt) {
      this.#startedAt = now
      this.#count = 0
    }
    return ++this.#count
  }
}

/** What one connection may use up, shared by all namespaces that it talks to. */
export class ConnectionBudget {
  readonly messages = new RateWindow()
  readonly joins = new RateWindow()
  /** Symbols joined. */
  rooms = 0
  /** Channels of symbols subscribed to. */
  subscriptions = 0
  readonly #address: AddressIntake | undefined

  /** `address`: what all connections of the address share; undefined: nothing. */
  constructor(address?: AddressIntake) {
    this.#address = address
  }

  /** Counts messages against those of the address, before they are read. False: they are not to be. */
  admitsMessages(count: number, now: number): boolean {
    return this.#address?.admitsMessages(count, now) !== false
  }
}

/** How many connections there are, in all, per address and per wider network of one. */
export class ConnectionCounter {
  readonly #config: Pick<StreamConfig, 'connectionsMax' | 'connectionsPerAddressMax'>
  readonly #countByAddress = new Map<string, number>()
  #total = 0

  constructor(config: Pick<StreamConfig, 'connectionsMax' | 'connectionsPerAddressMax'>) {
    this.#config = config
  }

  get total(): number {
    return this.#total
  }

  /** Whether one more connection from `address` is within the limits. */
  admits(address: string): boolean {
    const { connectionsMax, connectionsPerAddressMax: max } = this.#config
    if (this.#total >= connectionsMax || this.#of(address) >= max) return false
    return widerKeys(address).every((key, at) => this.#of(key) < max * (WIDER_TIMES[at] ?? 1))
  }

  opened(address: string): void {
    this.#total++
    for (const key of [address, ...widerKeys(address)]) this.#countByAddress.set(key, this.#of(key) + 1)
  }

  closed(address: string): void {
    this.#total--
    for (const key of [address, ...widerKeys(address)]) {
      const left = this.#of(key) - 1
      if (left > 0) this.#countByAddress.set(key, left)
      else this.#countByAddress.delete(key)
    }
  }

  #of(key: string): number {
    return this.#countByAddress.get(key) ?? 0
  }
}
