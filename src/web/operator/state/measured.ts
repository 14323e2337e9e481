/** What a node's metrics say of it now, for the page. */
import { MeasuredInterval, parseMetrics, type Scrape } from '../../../cli/top/metrics-text.ts'
import { type TopView, topView } from '../../../cli/top/view.ts'

/** A standby, an engine or a historian that follows. */
export type Copy = {
  readonly name: string
  /** Commands that it lacks. */
  readonly behind: number
}

export type Measured = {
  /** Its rates are those of no time: they come from the node's looks. */
  readonly now: TopView
  readonly scrape: Scrape
  /** Those that follow; undefined: the node has none to give its journal to. */
  readonly standbys: readonly Copy[] | undefined
  /** Of a cluster, as its leader knows them. */
  readonly replicas: readonly Copy[]
  /** Since when this engine has led, in milliseconds since 1970; undefined: it does not. */
  readonly leadsSinceMs: number | undefined
  /** Linked to this engine; undefined: it is none of a cluster. */
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
