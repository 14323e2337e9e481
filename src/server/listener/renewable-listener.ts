/**
 * A listener whose certificate can be replaced. The runtime cannot do that, so a new listener takes over the
 * port in the same turn, and the old one continues with its open connections.
 */

/** A certificate with its chain and its private key, both PEM. */
export type TlsMaterial = { readonly cert: string; readonly key: string; readonly expiresAtMs: number }

/** Listens on a port (0: any free one). Throws the system's error if the port is not available. */
export type Listen<Data = unknown> = (port: number, tls: TlsMaterial | undefined) => Bun.Server<Data>

export class RenewableListener<Data = unknown> {
  readonly port: number
  readonly #listen: Listen<Data>
  #current: Bun.Server<Data>
  /** Listeners that accept nothing new but still have connections. */
  readonly #retired = new Set<Bun.Server<Data>>()

  constructor(listen: Listen<Data>, port: number, tls: TlsMaterial | undefined) {
    this.#listen = listen
    this.#current = listen(port, tls)
    this.port = this.#current.port ?? port
  }

  get current(): Bun.Server<Data> {
    return this.#current
  }

  renew(tls: TlsMaterial): void {
    const old = this.#current
    this.#retired.add(old)
    void old.stop().then(() => this.#retired.delete(old))
    this.#current = this.#listen(this.port, tls)
  }

  /**
   * Accepts no new requests; resolves when the accepted ones are answered. `isNow`: closes all connections.
   */
  async stop(isNow = false): Promise<void> {
    await Promise.all([this.#current, ...this.#retired].map((each) => each.stop(isNow)))
  }
}
