/** Connections by address and by IPv6 network, so that a ban need not examine the connections of others. */
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

  /** A copy of the list: the caller may close connections while iterating. */
  of(address: string): Connection[] {
    return [...(this.#connectionsByAddress.get(address) ?? [])]
  }

  /** Number of addresses and networks that have a connection. */
  get addresses(): number {
    return this.#connectionsByAddress.size
  }
}
