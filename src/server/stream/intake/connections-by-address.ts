/** Which connections each address and each network of IPv6 has: whoever bans one looks at no other's connections. */
import { keysOf } from '../../access/auth/address.ts'

export class ConnectionsByAddress<Connection> {
  readonly #connectionsByAddress = new Map<string, Set<Connection>>()

  add(address: string, connection: Connection): void {
    for (const key of keysOf(address)) {
      const known = this.#connectionsByAddress.get(key)
      if (known === undefined) this.#connectionsByAddress.set(key, new Set([connection]))
      else known.add(connection)
    }
  }

  remove(address: string, connection: Connection): void {
    for (const key of keysOf(address)) {
      const known = this.#connectionsByAddress.get(key)
      known?.delete(connection)
      if (known?.size === 0) this.#connectionsByAddress.delete(key)
    }
  }

  /** A list of its own: whoever goes through it may close connections on the way. */
  of(address: string): Connection[] {
    return [...(this.#connectionsByAddress.get(address) ?? [])]
  }

  /** Addresses and networks that have any. */
  get addresses(): number {
    return this.#connectionsByAddress.size
  }
}
