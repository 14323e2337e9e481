/** The current state of a node from its metrics, for the page. */
import { MeasuredInterval, parseMetrics, type Scrape } from '../../../cli/top/metrics-text.ts'
import { type TopView, topView } from '../../../cli/top/view.ts'

/** A standby, engine or historian that follows. */
export type Copy = {
  readonly name: string
  /** Number of commands that it has not received yet. */
  readonly behind: number
}

export type Measured = {
  /** The rates in these figures are meaningless: the page computes rates from the node's samples. */
  readonly now: TopView
  readonly scrape: Scrape
  /** Standbys that follow; undefined for a node that cannot have standbys. */
  readonly standbys: readonly Copy[] | undefined
  /** The replicas of a cluster, as reported by its leader. */
  readonly replicas: readonly Copy[]
  /**
   * Time at which this engine became the leader, in milliseconds since 1970; undefined if it does not lead.
   */
  readonly leadsSinceMs: number | undefined
  /** Number of linked gateways; undefined if this is not an engine of a cluster. */
  readonly gateways: number | undefined
}

/** `nowMs`: milliseconds since 1970. */
export function measured(text: string, nowMs: number): Measured {
  const scrape = parseMetrics(text)
  const copies = (name: string, label: string): readonly Copy[] =>
    scrape.samples(name).map(({ labels, value }) => ({ name: labels[label] ?? '', behind: value }))
  const since = scrape.value('bourse_leader_since_seconds')
  const hasStandbys = scrape.value('bourse_standbys') !== undefined
  return {
    now: topView(new MeasuredInterval(scrape, scrape, 1), nowMs),
    scrape,
    standbys: hasStandbys ? copies('bourse_standby_missing_commands', 'standby') : undefined,
    replicas: copies('bourse_replica_behind_commands', 'replica'),
    leadsSinceMs: since === undefined ? undefined : since * 1_000,
    gateways: scrape.value('bourse_linked_gateways'),
  }
}
