/** Which connections each address has: whoever bans one address looks at no other's connections. */

export class ConnectionsByAddress<Connection> {
  readonly #connectionsByAddress = new Map<string, Set<Connection>>()

  add(address: string, connection: Connection): void {
    const known = this.#connectionsByAddress.get(address)
    if (known === undefined) this.#connectionsByAddress.set(address, new Set([connection]))
    else known.add(connection)
  }

  remove(address: string, connection: Connection): void {
    const known = this.#connectionsByAddress.get(address)
    known?.delete(connection)
    if (known?.size === 0) this.#connectionsByAddress.delete(address)
  }

  /** A list of its own: whoever goes through it may close connections on the way. */
  of(address: string): Connection[] {
    return [...(this.#connectionsByAddress.get(address) ?? [])]
  }

  /** Addresses that have any. */
  get addresses(): number {
    return this.#connectionsByAddress.size
  }
}
