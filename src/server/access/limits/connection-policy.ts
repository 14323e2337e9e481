/**
 * Decides which connections of a process to close, so that file descriptors last: every connection costs one,
 * even before a request. It works on numbers only, without sockets or clocks
 * (docs/reference/configuration.md#connections).
 */

import { WIDER_TIMES } from '../auth/address.ts'

/** An open connection. */
export type OpenConnection = {
  /**
   * The `limitKey` under which it is counted; undefined if it is not counted by address, as for a trusted
   * proxy.
   */
  readonly key: string | undefined
  /** The wider networks of that address, narrowest first. */
  readonly wider: readonly string[]
  /**
   * `CLIENTS`: client connections, which share one budget. A number: another port, which has a budget of its
   * own.
   */
  readonly port: 'CLIENTS' | number
  readonly hasSent: boolean
  /** Time since the last received data, or since it was opened. */
  readonly silentMs: number
}

export type ConnectionTerms = {
  /** Limit of file descriptors of the process. */
  readonly descriptorsMax: number
  /**
   * Maximum number of client connections from one address; a /56 has four times as many, a /48 sixteen times.
   */
  readonly perAddressMax: number
}

/**
 * The reason why a connection is closed: it has sent nothing, its address has too many, or there is no room.
 */
export type CutCause = 'SILENT' | 'ADDRESS' | 'ROOM'
export const CUT_CAUSES: readonly CutCause[] = ['SILENT', 'ADDRESS', 'ROOM']

/** Time allowed for a connection that has sent nothing. */
export const SILENT_MS_MAX = 3_000
/**
 * With more descriptors in use, the connections that have been silent for longest are closed until
 * `FREED_SHARE` is free.
 */
export const FULL_SHARE = 0.8
const FREED_SHARE = 0.75
/**
 * Above this, no new connections are accepted on client ports; the rest is reserved for journal, snapshots,
 * operators and monitoring.
 */
export const CLOSED_SHARE = 0.9
/** Above this, no connections are accepted at all. */
export const RESERVE_CLOSED_SHARE = 0.97
/** The share of all descriptors for one port other than the clients'. */
const OTHER_PORT_SHARE = 0.05
const [OTHER_PORT_MIN, OTHER_PORT_MAX] = [64, 512]
/** The maximum share of all descriptors for one client address, regardless of the settings. */
const ADDRESS_SHARE_MAX = 0.5

/** The limit of one address, by the settings and by the available descriptors. */
export function perAddressMax({ descriptorsMax, perAddressMax: set }: ConnectionTerms): number {
  return Math.max(1, Math.min(set, Math.floor(descriptorsMax * ADDRESS_SHARE_MAX)))
}

/** The limit of one port other than the clients'. */
export function perOtherPortMax({ descriptorsMax }: Pick<ConnectionTerms, 'descriptorsMax'>): number {
  return Math.min(OTHER_PORT_MAX, Math.max(OTHER_PORT_MIN, Math.floor(descriptorsMax * OTHER_PORT_SHARE)))
}

/** The connections to be closed; `used`: descriptors in use of any kind. */
export function connectionsToCut<Connection extends OpenConnection>(
  open: readonly Connection[],
  used: number,
  terms: ConnectionTerms,
): ReadonlyMap<Connection, CutCause> {
  const cut = new Map<Connection, CutCause>()
  for (const connection of open)
    if (!connection.hasSent && connection.silentMs >= SILENT_MS_MAX) cut.set(connection, 'SILENT')
  const clients = (): Connection[] => open.filter((each) => each.port === 'CLIENTS' && !cut.has(each))
  const counted = (key: (connection: Connection) => string | undefined, max: number): void => {
    for (const group of groupsOf(clients(), key))
      for (const connection of longestSilent(group, group.length - max)) cut.set(connection, 'ADDRESS')
  }
  const max = perAddressMax(terms)
  counted(({ key }) => key, max)
  for (const [at, times] of WIDER_TIMES.entries()) counted(({ wider }) => wider[at], max * times)
  for (const group of groupsOf(
    open.filter((each) => !cut.has(each)),
    ({ port }) => (port === 'CLIENTS' ? undefined : port),
  )) {
    const excess = group.length - perOtherPortMax(terms)
    for (const connection of fewestLeft(group, excess)) cut.set(connection, 'ROOM')
  }
  if (used > terms.descriptorsMax * FULL_SHARE) {
    const excess = used - cut.size - Math.floor(terms.descriptorsMax * FREED_SHARE)
    for (const connection of fewestLeft(clients(), excess)) cut.set(connection, 'ROOM')
  }
  return cut
}

function groupsOf<Connection>(
  connections: readonly Connection[],
  key: (connection: Connection) => string | number | undefined,
): Iterable<Connection[]> {
  const groupByKey = new Map<string | number, Connection[]>()
  for (const connection of connections) {
    const of = key(connection)
    if (of === undefined) continue
    const group = groupByKey.get(of)
    if (group === undefined) groupByKey.set(of, [connection])
    else group.push(connection)
  }
  return groupByKey.values()
}

function longestSilent<Connection extends OpenConnection>(group: Connection[], count: number): Connection[] {
  return count <= 0 ? [] : group.toSorted(byIdleTime).slice(0, count)
}

/**
 * Closes connections of the address that has the most, those silent for longest first: a flooding address
 * loses its own connections before others lose any. If all addresses have equally many, the connections
 * silent for longest are closed.
 */
function fewestLeft<Connection extends OpenConnection>(
  all: readonly Connection[],
  count: number,
): Connection[] {
  if (count <= 0) return []
  const ranked: { readonly connection: Connection; readonly rank: number }[] = []
  // Connections through a trusted proxy belong to many customers: each counts separately.
  for (const connection of all) if (connection.key === undefined) ranked.push({ connection, rank: 1 })
  for (const group of groupsOf(all, ({ key, wider }) => wider.at(-1) ?? key)) {
    for (const [at, connection] of group.toSorted(byIdleTime).entries())
      ranked.push({ connection, rank: group.length - at })
  }
  ranked.sort((one, other) => other.rank - one.rank || byIdleTime(one.connection, other.connection))
  return ranked.slice(0, count).map(({ connection }) => connection)
}

function byIdleTime(one: OpenConnection, other: OpenConnection): number {
  return Number(one.hasSent) - Number(other.hasSent) || other.silentMs - one.silentMs
}
