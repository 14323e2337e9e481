/**
 * The network between the machines of a test's cluster: their addresses and the disconnected pairs. There are
 * two kinds: kernel namespaces if the tests run as root, and otherwise TCP proxies of the tests' own.
 */

/** The name of the database's primary, on whichever machine it is. */
export const DATABASE_PLACE = 'database'

export type Way = { readonly host: string; readonly port: number }

/**
 * TLS files for links and the database, with a certificate that is valid for every machine; undefined if all
 * traffic stays on this machine.
 */
export type NetworkTls = { readonly certFile: string; readonly keyFile: string }

export interface Network {
  readonly kind: 'NAMESPACES' | 'PROXIES'
  readonly tls: NetworkTls | undefined
  /** The address on which programs listen so that they can be reached at every address of their machine. */
  readonly listensOn: string
  /** Whether a connection can be delayed. */
  readonly canSlow: boolean

  /** Prefix of a command that runs on that machine. */
  launcher(place: string): readonly string[]

  /** The address on which programs of that machine listen, and at which the test itself reaches them. */
  hostOf(place: string): string

  /** A port on which a program of that machine may listen. */
  freePort(place: string): Promise<number>

  /** The port on which a database server listens. */
  databasePort(): Promise<number>

  /** The address at which `from` reaches `port` of `to`. */
  way(from: string, to: string, port: number): Promise<Way>

  /** The address at which `from` reaches the database's primary. */
  databaseWay(from: string): Promise<Way>

  /** Makes the database's address lead to that machine from now on. */
  leadDatabase(place: string, port: number): Promise<void>

  /** Stops all bytes from `from` to `to` from now on, without an error. */
  cut(from: string, to: string): void

  /** Delays the traffic between the two. */
  slow(one: string, other: string, delayMs: number): void

  /** Restores all connections at once. */
  heal(): void

  discard(): Promise<void>
}

/** Disconnects the two in both directions. */
export function part(network: Network, one: string, other: string): void {
  network.cut(one, other)
  network.cut(other, one)
}
