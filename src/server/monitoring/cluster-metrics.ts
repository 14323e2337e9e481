/** Leadership of a cluster's engine: in its health check, and as metrics. */
import type { Metrics } from './metric-kinds.ts'

/** The role of an engine: `SEEKING` while it neither leads nor has found the leader. */
export type ClusterRole = 'SEEKING' | 'FOLLOWING' | 'LEADING'

/**
 * The reason why another process of the cluster cannot be used to reach the leader. It never contains a
 * secret.
 */
export type LinkRefusal = {
  /** The address of that process, or its name. */
  readonly peer: string
  /** A result of a link: `WRONG_SECRET`, `WITNESS`, `UNREACHABLE` ... */
  readonly kind: string
  readonly problem: string
}

export type ClusterUse = {
  readonly role: ClusterRole
  /** The leader in the view of this engine; possibly itself. */
  readonly leader: string | undefined
  /** The epoch of that leader; 0 if none is known. */
  readonly epoch: number
  /**
   * The time at which this engine became the leader, in milliseconds since 1970; undefined if it does not
   * lead.
   */
  readonly leadingSinceMs: number | undefined
  /** Engines that refuse this process a link, or cannot be reached. */
  readonly refusals: readonly LinkRefusal[]
  /** Gateways connected to this engine. */
  readonly gateways: number
  /** Engines and historians that follow this one, and how many commands each lacks. */
  readonly replicas: readonly { readonly name: string; readonly behindCommands: number }[]
  /**
   * Declared standbys of the database that are not connected, as seen by the leader; undefined if it does not
   * lead, or has not checked.
   */
  readonly databaseStandbysMissing: number | undefined
}

/** Standbys that follow a node, and how many commands each lacks. */
export type StandbysUse = ClusterUse['replicas']

/** Results of a node's checks of other addresses at which its exchange may be served. */
export type PeersUse = {
  /** Number of addresses at which, by the last check, the same exchange was served in the same epoch. */
  readonly servedTwice: number
  /** The number of times that this engine found a superseded node and notified it. */
  readonly superseded: number
}

/** Progress of a standby. */
export type StandbyUse = {
  /** The address of its node. */
  readonly from: string
  readonly isLinked: boolean
  readonly behindCommands: number
  /** Milliseconds; undefined if it has never been linked. */
  readonly lagMs: number | undefined
  /** The last command that is durable here. */
  readonly storedSeq: number
  /** The last command after which the node's state was verified to be identical; 0 if there is none yet. */
  readonly verifiedSeq: number
  readonly customers: CustomersCopyUse
}

/** A standby's copy of its node's customers. */
export type CustomersCopyUse = {
  /** Milliseconds since the time of the copy, or since the first copy began; 0 if there are no customers. */
  readonly ageMs: number
  /** Whether the standby has the keys that unseal the copy, or there is nothing to unseal. */
  readonly hasKeys: boolean
}

export function addStandbys({ gauge }: Metrics, use: () => StandbysUse): void {
  gauge('bourse_standbys', 'Standbys connected to this node', () => [{ value: use().length }])
  gauge('bourse_standby_missing_commands', 'Commands that a standby of this node lacks', () =>
    use().map(({ name, behindCommands }) => ({ labels: { standby: name }, value: behindCommands })),
  )
}

export function addPeers({ gauge, counter }: Metrics, use: () => PeersUse): void {
  gauge(
    'bourse_served_twice',
    'Other addresses at which this exchange is also served without a promotion',
    () => [{ value: use().servedTwice }],
  )
  counter('bourse_superseded_total', 'Times that a replaced node was found and notified', () => [
    { value: use().superseded },
  ])
}

export function addStandby({ gauge }: Metrics, use: () => StandbyUse): void {
  gauge('bourse_standby_linked', '1 when this standby is linked to its node, else 0', () => [
    { value: Number(use().isLinked) },
  ])
  gauge('bourse_standby_lag_seconds', 'How far this standby is behind its node', () => {
    const { lagMs } = use()
    return lagMs === undefined ? [] : [{ value: lagMs / 1_000 }]
  })
  gauge('bourse_standby_behind_commands', 'Commands of its node that this standby does not have yet', () => [
    { value: use().behindCommands },
  ])
  gauge('bourse_standby_stored_seq', 'Last command stored on the disk of this standby', () => [
    { value: use().storedSeq },
  ])
  gauge('bourse_standby_verified_seq', 'Last command after which the state equaled that of the node', () => [
    { value: use().verifiedSeq },
  ])
  gauge('bourse_standby_customers_age_seconds', "Age of this standby's copy of the customers' store", () => [
    { value: use().customers.ageMs / 1_000 },
  ])
  gauge('bourse_standby_customers_keys', "1 when this standby has the customers' keys, else 0", () => [
    { value: Number(use().customers.hasKeys) },
  ])
}

export function addCluster({ gauge }: Metrics, use: () => ClusterUse): void {
  gauge('bourse_leader', '1 when this engine leads its cluster, else 0', () => [
    { value: Number(use().role === 'LEADING') },
  ])
  gauge('bourse_epoch', 'Epoch of the leader known to this engine; 0 if none is known', () => [
    { value: use().epoch },
  ])
  gauge('bourse_leader_since_seconds', 'Time at which this engine began to lead, seconds since 1970', () => {
    const { leadingSinceMs } = use()
    return leadingSinceMs === undefined ? [] : [{ value: leadingSinceMs / 1_000 }]
  })
  gauge('bourse_link_open', '1 when this engine leads or is connected to the leader, else 0', () => [
    { value: Number(use().role !== 'SEEKING') },
  ])
  gauge('bourse_linked_gateways', 'Gateways connected to this engine', () => [{ value: use().gateways }])
  gauge('bourse_replica_behind_commands', 'Commands that a following engine or historian is behind', () =>
    use().replicas.map(({ name, behindCommands }) => ({ labels: { replica: name }, value: behindCommands })),
  )
  gauge(
    'bourse_database_standbys_missing',
    'Declared standbys of the database that are not connected',
    () => {
      const missing = use().databaseStandbysMissing
      return missing === undefined ? [] : [{ value: missing }]
    },
  )
}
