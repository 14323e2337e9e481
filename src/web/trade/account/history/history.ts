/** One history of the account: its filter, its pages, and its file. */
import { type Signal, signal } from '@preact/signals'
import type { SavedFile } from '../../../shared/save-file.ts'
import { browserWait, CsvExport } from './csv-export.ts'
import type { Column } from './csv-table.ts'
import { PagedList, type RowSource } from './paged-list.ts'
import { EVER, type Period, type PeriodProblem, rangeOf, type TimeRange, utcDate } from './period.ts'

/** Shortest interval at which the newest page is read again during changes. */
const REFRESH_EVERY_MS = 3_000

export type HistoryOptions<Row, Filter> = {
  readonly filter: Filter
  readonly columns: readonly Column<Row>[]
  readonly sourceOf: (filter: Filter, range: TimeRange) => RowSource<Row>
  /** Name of its file, without dates and file extension. */
  readonly nameOf: (filter: Filter) => string
  /** The server's time. */
  readonly now: () => Promise<number>
  readonly save: (file: SavedFile) => void
  /** Resolves when no pointer is pressed. */
  readonly untilReleased?: () => Promise<void>
}

export class History<Row, Filter> {
  readonly list: PagedList<Row>
  readonly csv: CsvExport<Row>
  readonly filter: Signal<Filter>
  readonly period = signal<Period>(EVER)
  readonly problem = signal<PeriodProblem | undefined>(undefined)
  /** The account has changed since the list was read. */
  readonly hasNewer = signal(false)
  readonly #options: HistoryOptions<Row, Filter>
  #isStarted = false
  #lastReadAt = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: HistoryOptions<Row, Filter>) {
    this.#options = options
    this.list = new PagedList(options.untilReleased)
    this.filter = signal(options.filter)
    this.csv = new CsvExport<Row>({ save: options.save, wait: browserWait })
  }

  /** True if no filter is set. */
  get isWhole(): boolean {
    const { filter } = this.#options
    const chosen = this.filter.value
    return this.period.value.kind === 'ALL' && Object.is(chosen, filter)
  }

  /** Reads the history when it is opened for the first time. */
  open(): void {
    if (this.#isStarted) this.noteChange()
    else void this.refresh()
  }

  setFilter(filter: Filter): void {
    this.filter.value = filter
    void this.refresh()
  }

  setPeriod(period: Period): void {
    this.period.value = period
    void this.refresh()
  }

  /** Starts again with the newest row. */
  async refresh(): Promise<void> {
    this.#isStarted = true
    this.#lastReadAt = performance.now()
    clearTimeout(this.#timer)
    this.#timer = undefined
    const source = await this.#source()
    if (source === undefined) return
    this.hasNewer.value = false
    await this.list.start(source)
  }

  /** Called when the account changes: the newest page is updated, later ones are not. */
  noteChange(): void {
    if (!this.#isStarted) return
    if (!this.list.isAtStart) {
      this.hasNewer.value = true
      return
    }
    const waitMs = this.#lastReadAt + REFRESH_EVERY_MS - performance.now()
    this.#timer ??= setTimeout(() => void this.refresh(), Math.max(0, waitMs))
  }

  /** Saves all rows that match the filter as a file. */
  async save(): Promise<void> {
    const [now, source] = [await this.#now(), await this.#source()]
    if (source === undefined) return
    const { columns, nameOf } = this.#options
    const range = rangeOf(this.period.peek(), now)
    const { from, to = now } = typeof range === 'string' ? {} : range
    const dates = from === undefined ? ['until', utcDate(to)] : [utcDate(from), utcDate(to)]
    const fileName = ['bourse', nameOf(this.filter.peek()), ...dates].join('-').replace(/[^\w.-]+/g, '-')
    await this.csv.start({ source, columns, fileName })
  }

  /** Stops all reading. */
  close(): void {
    clearTimeout(this.#timer)
    this.csv.cancel()
    this.list.close()
  }

  /**
   * Without the server's time, the clock of this machine suffices: it only determines the most recent days.
   */
  #now(): Promise<number> {
    return this.#options.now().catch(() => Date.now())
  }

  async #source(): Promise<RowSource<Row> | undefined> {
    const period = this.period.peek()
    const range = rangeOf(period, await this.#now())
    this.problem.value = typeof range === 'string' ? range : undefined
    return typeof range === 'string' ? undefined : this.#options.sourceOf(this.filter.peek(), range)
  }
}
