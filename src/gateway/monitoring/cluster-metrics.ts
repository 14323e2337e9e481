/** What an engine of a cluster shows of leadership: in its health, and as metrics. */
import type { Metrics } from './metric-kinds.ts'

/** What an engine does: `SEEKING` while it neither leads nor knows who does. */
export type ClusterRole = 'SEEKING' | 'FOLLOWING' | 'LEADING'

export type ClusterUse = {
  readonly role: ClusterRole
  /** Who leads, as far as this engine knows; itself included. */
  readonly leader: string | undefined
  /** In which that one leads; 0: none is known. */
  readonly epoch: number
  /** When this engine began to lead, in milliseconds since 1970; undefined: it does not. */
  readonly leadingSinceMs: number | undefined
  /** Gateways that are linked to this engine. */
  readonly gateways: number
  /** Engines and historians that follow this one, and how many commands each lacks. */
  readonly replicas: readonly { readonly name: string; readonly behindCommands: number }[]
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
}
