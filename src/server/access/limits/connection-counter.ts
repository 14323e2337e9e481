/** Client connections that stay open, counted by address. */
import { WIDER_TIMES, widerKeys } from '../auth/address.ts'

export type ConnectionMaxima = {
  readonly connectionsMax: number
  /** Maximum for one address; a /56 of IPv6 has four times as many, a /48 sixteen times. */
  readonly connectionsPerAddressMax: number
}

/** Number of connections: in total, per address, and per wider network of an address. */
export class ConnectionCounter {
  readonly #config: ConnectionMaxima
  readonly #countByAddress = new Map<string, number>()
  #total = 0

  constructor(config: ConnectionMaxima) {
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
