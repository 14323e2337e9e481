/**
 * The network between the machines of a test's cluster: where each is reached, and what is cut. Two kinds: namespaces of the kernel, where the tests run
 * as root, and TCP proxies of the tests' own elsewhere.
 */

/** The name under which whoever leads the database is reached, wherever that is. */
export const DATABASE_PLACE = 'database'

export type Way = { readonly host: string; readonly port: number }

/** Files of TLS for links and the database, of a certificate that is valid for every machine; undefined: what is there stays on this machine. */
export type NetworkTls = { readonly certFile: string; readonly keyFile: string }

export interface Network {
  readonly kind: 'NAMESPACES' | 'PROXIES'
  readonly tls: NetworkTls | undefined
  /** What programs listen on, to be reached at every address of their machine. */
  readonly listensOn: string
  /** Whether a way can be made slow. */
  readonly canSlow: boolean

  /** Words in front of a command that runs on that machine. */
  launcher(place: string): readonly string[]

  /** The address at which programs of that machine listen, and at which the test itself reaches them. */
  hostOf(place: string): string

  /** A port that a program of that machine may listen on. */
  freePort(place: string): Promise<number>

  /** The port that a server of the database listens on. */
  databasePort(): Promise<number>

  /** Where `from` reaches what listens on `port` of `to`. */
  way(from: string, to: string, port: number): Promise<Way>

  /** Where `from` reaches the database, whoever leads it. */
  databaseWay(from: string): Promise<Way>

  /** The database's address leads to that machine from now on. */
  leadDatabase(place: string, port: number): Promise<void>

  /** Nothing reaches `to` from `from` any more, and nobody is told. */
  cut(from: string, to: string): void

  /** What goes between the two is so much later. */
  slow(one: string, other: string, delayMs: number): void

  /** Everything reaches everybody again, at once. */
  heal(): void

  discard(): Promise<void>
}

/** Nothing reaches one from the other, in either direction. */
export function part(network: Network, one: string, other: string): void {
  network.cut(one, other)
  network.cut(other, one)
}
