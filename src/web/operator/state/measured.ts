/** What a node's metrics say of it now, for the page. */
import { Interval, parseMetrics } from '../../../cli/top/metrics-text.ts'
import { type TopView, topView } from '../../../cli/top/view.ts'

export type Measured = {
  /** Its rates are those of no time: they come from the node's looks. */
  readonly now: TopView
  /** Standbys that follow; undefined: the node has none to give its journal to. */
  readonly standbys: number | undefined
  /** Commands that the one behind most lacks. */
  readonly missing: number
}

/** `nowMs`: milliseconds since 1970. */
export function measured(text: string, nowMs: number): Measured {
  const scrape = parseMetrics(text)
  const lacking = scrape.samples('bourse_standby_missing_commands').map(({ value }) => value)
  return {
    now: topView(new Interval(scrape, scrape, 1), nowMs),
    standbys: scrape.value('bourse_standbys'),
    missing: Math.max(0, ...lacking),
  }
}
