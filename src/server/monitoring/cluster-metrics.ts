/** What an engine of a cluster shows of leadership: in its health, and as metrics. */
import type { Metrics } from './metric-kinds.ts'

/** What an engine does: `SEEKING` while it neither leads nor knows who does. */
export type ClusterRole = 'SEEKING' | 'FOLLOWING' | 'LEADING'

/** Why another process of the cluster is no way to the leader. It never has a secret. */
export type LinkRefusal = {
  /** Where that one is reached, or its name. */
  readonly peer: string
  /** In the words of links: `WRONG_SECRET`, `WITNESS`, `UNREACHABLE` ... */
  readonly kind: string
  readonly problem: string
}

export type ClusterUse = {
  readonly role: ClusterRole
  /** Who leads, as far as this engine knows; itself included. */
  readonly leader: string | undefined
  /** In which that one leads; 0: none is known. */
  readonly epoch: number
  /** When this engine began to lead, in milliseconds since 1970; undefined: it does not. */
  readonly leadingSinceMs: number | undefined
  /** Engines that refuse this process a link, or are not reached. */
  readonly refusals: readonly LinkRefusal[]
  /** Gateways that are linked to this engine. */
  readonly gateways: number
  /** Engines and historians that follow this one, and how many commands each lacks. */
  readonly replicas: readonly { readonly name: string; readonly behindCommands: number }[]
  /** Declared standbys of the database that do not follow it, as the leader has seen; undefined: it does not lead, or has not looked. */
  readonly databaseStandbysMissing: number | undefined
}

/** Standbys that follow a node, and how many commands each lacks. */
export type StandbysUse = ClusterUse['replicas']

/** What a node has found where its exchange may be served besides. */
export type PeersUse = {
  /** Places at which, when it looked last, the same exchange was served in the same epoch. */
  readonly servedTwice: number
  /** How often a node that was taken over from was met, and told so. */
  readonly superseded: number
}

/** What a standby shows of how it follows. */
export type StandbyUse = {
  /** Where its node is reached. */
  readonly from: string
  readonly isLinked: boolean
  readonly behindCommands: number
  /** Milliseconds; undefined: it has never been linked. */
  readonly lagMs: number | undefined
  /** The last command that is durable here. */
  readonly storedSeq: number
  /** The last command after which the node's state was found to be the same; 0: none yet. */
  readonly verifiedSeq: number
}

export function addStandbys({ gauge }: Metrics, use: () => StandbysUse): void {
  gauge('bourse_standbys', 'Standbys that follow this node', () => [{ value: use().length }])
  gauge('bourse_standby_missing_commands', 'Commands that a standby of this node lacks', () =>
    use().map(({ name, behindCommands }) => ({ labels: { standby: name }, value: behindCommands })),
  )
}

export function addPeers({ gauge, counter }: Metrics, use: () => PeersUse): void {
  gauge(
    'bourse_served_twice',
    'Places where this exchange is served besides, and nobody was promoted',
    () => [{ value: use().servedTwice }],
  )
  counter('bourse_superseded_total', 'Times that a node that was taken over from was met and told', () => [
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
  gauge('bourse_standby_behind_commands', 'Commands that this standby knows of and lacks', () => [
    { value: use().behindCommands },
  ])
  gauge('bourse_standby_stored_seq', 'Last command that this standby has on its disk', () => [
    { value: use().storedSeq },
  ])
  gauge('bourse_standby_verified_seq', "Last command after which the node's state was the same", () => [
    { value: use().verifiedSeq },
  ])
}

export function addCluster({ gauge }: Metrics, use: () => ClusterUse): void {
  gauge('bourse_leader', '1 when this engine leads its cluster, else 0', () => [
    { value: Number(use().role === 'LEADING') },
  ])
  gauge('bourse_epoch', 'Epoch of the leader that this engine knows of; 0: of none', () => [
    { value: use().epoch },
  ])
  gauge('bourse_leader_since_seconds', 'When this engine began to lead, seconds since 1970', () => {
    const { leadingSinceMs } = use()
    return leadingSinceMs === undefined ? [] : [{ value: leadingSinceMs / 1_000 }]
  })
  gauge('bourse_link_open', '1 when this engine leads, or is linked to the one that does, else 0', () => [
    { value: Number(use().role !== 'SEEKING') },
  ])
  gauge('bourse_linked_gateways', 'Gateways that are linked to this engine', () => [
    { value: use().gateways },
  ])
  gauge('bourse_replica_behind_commands', 'Commands that an engine or historian which follows lacks', () =>
    use().replicas.map(({ name, behindCommands }) => ({ labels: { replica: name }, value: behindCommands })),
  )
  gauge('bourse_database_standbys_missing', 'Declared standbys of the database that do not follow it', () => {
    const missing = use().databaseStandbysMissing
    return missing === undefined ? [] : [{ value: missing }]
  })
}
