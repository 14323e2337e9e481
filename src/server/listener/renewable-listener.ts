/**
 * A listener whose certificate can be exchanged: the runtime cannot do that, so that a new listener takes the port in
 * the same turn, and the old one goes on with the connections that it has.
 */

/** A certificate with its chain and its private key, both PEM. */
export type TlsMaterial = { readonly cert: string; readonly key: string; readonly expiresAtMs: number }

/** Listens on a port (0: any free one). Throws what the system says when the port cannot be had. */
export type Listen<Data = unknown> = (port: number, tls: TlsMaterial | undefined) => Bun.Server<Data>

export class RenewableListener<Data = unknown> {
  readonly port: number
  readonly #listen: Listen<Data>
  #current: Bun.Server<Data>
  /** Listeners that take nothing new and still have connections. */
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

  /** Takes nothing new; resolves when what was taken is answered. `isNow`: cuts everything off. */
  async stop(isNow = false): Promise<void> {
    await Promise.all([this.#current, ...this.#retired].map((each) => each.stop(isNow)))
  }
}
