/** What the node measured while the page was open, newest last: so many looks and no more. */
import { Interval, parseMetrics, type Scrape } from '../../../cli/top/metrics-text.ts'
import { type TopView, topView } from '../../../cli/top/view.ts'

/** An hour of looks every five seconds. */
export const LOOKS_MAX = 720
export const LOOK_EVERY_MS = 5_000

export type LoadPoint = {
  readonly atMs: number
  readonly commandsPerSecond: number
  readonly requestsPerSecond: number
  readonly tradesPerSecond: number
  /** Undefined: nothing was stored. */
  readonly commitP99Ms: number | undefined
  /** Of one processor. */
  readonly cpu: number
}

export class LoadSeries {
  readonly #points: LoadPoint[] = []
  #last: { readonly scrape: Scrape; readonly atMs: number } | undefined
  #view: TopView | undefined

  get points(): readonly LoadPoint[] {
    return this.#points
  }

  /** As of the last look; undefined: there was none. */
  get view(): TopView | undefined {
    return this.#view
  }

  /** `atMs`: milliseconds since 1970. */
  look(text: string, atMs: number): void {
    const scrape = parseMetrics(text)
    const before = this.#last
    this.#last = { scrape, atMs }
    const isFirst = before === undefined || atMs <= before.atMs
    const interval = isFirst
      ? new Interval(scrape, scrape, 1)
      : new Interval(before.scrape, scrape, (atMs - before.atMs) / 1_000)
    const view = topView(interval, atMs)
    this.#view = view
    if (isFirst) return
    this.#points.push({
      atMs,
      commandsPerSecond: view.engine.commandsPerSecond,
      requestsPerSecond: view.requests.requestsPerSecond,
      tradesPerSecond: view.market.reduce((sum, { tradesPerSecond }) => sum + tradesPerSecond, 0),
      commitP99Ms: view.engine.commit.p99Ms,
      cpu: view.node.cpu,
    })
    if (this.#points.length > LOOKS_MAX) this.#points.shift()
  }
}
