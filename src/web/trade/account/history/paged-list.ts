/**
 * A list of the exchange that grows at its newest end, shown in pages. A loaded page keeps its rows, and the
 * next one continues from its end, so that moving between pages shows each row once, even if new rows arrive
 * in the meantime.
 */
import { batch, computed, signal } from '@preact/signals'
import { messageOf } from '../../state/trading-state.ts'

/** The source of rows. */
export type RowSource<Row> = {
  /** Entries after `before`, newest first; `next` is the `before` of the following request. */
  readonly read: (
    before: string | undefined,
    limit: number,
    signal: AbortSignal,
  ) => Promise<{ readonly rows: readonly Row[]; readonly next?: string | undefined }>
  /** The value of `before` that continues after a row. Two rows with the same place stay together. */
  readonly placeOf: (row: Row) => string
  /** Whether a row is shown; absent for all rows. */
  readonly accepts?: ((row: Row) => boolean) | undefined
}

export type ListPage<Row> = {
  readonly rows: readonly Row[]
  readonly next: string | undefined
  /** Number of rows read: a page that is not full may be followed by others. */
  readonly lookedAt: number
}

export const PAGE_ROWS = 50
/** Maximum number of loaded pages of one list. */
export const PAGES_MAX = 200
/** Maximum number of rows read for one page if few match. */
export const LOOKED_AT_MAX = 5_000
/** Number of rows of one request if few may match. */
const BATCH_ROWS = 500

/** The matching rows after `before`, up to a full page. */
export async function filledPage<Row>(
  { read, placeOf, accepts }: RowSource<Row>,
  before: string | undefined,
  signal: AbortSignal,
): Promise<ListPage<Row>> {
  const found: Row[] = []
  let next = before
  let lookedAt = 0
  while (lookedAt < LOOKED_AT_MAX) {
    const answer = await read(next, accepts === undefined ? PAGE_ROWS : BATCH_ROWS, signal)
    for (const [index, row] of answer.rows.entries()) {
      if (found.length >= PAGE_ROWS && index > 0) {
        const place = placeOf(answer.rows[index - 1] as Row)
        if (placeOf(row) !== place) return { rows: found, next: place, lookedAt: lookedAt + index }
      }
      if (accepts?.(row) ?? true) found.push(row)
    }
    lookedAt += answer.rows.length
    next = answer.next
    if (next === undefined || found.length >= PAGE_ROWS) break
    // Even a request without results has read rows.
    if (answer.rows.length === 0) lookedAt += BATCH_ROWS
  }
  return { rows: found, next, lookedAt }
}

export class PagedList<Row> {
  readonly #pages = signal<readonly ListPage<Row>[]>([])
  readonly #index = signal(0)
  readonly isReading = signal(false)
  readonly problem = signal<string | undefined>(undefined)
  readonly page = computed(() => this.#pages.value[this.#index.value])
  /** Counted from 1. */
  readonly number = computed(() => this.#index.value + 1)
  readonly hasPrevious = computed(() => this.#index.value > 0)
  readonly hasNext = computed(() => this.page.value?.next !== undefined && this.#index.value + 1 < PAGES_MAX)
  readonly #untilReleased: () => Promise<void>
  #source: RowSource<Row> | undefined
  #reading: AbortController | undefined

  /** `untilReleased`: resolves when no pointer is pressed. A page that has been read is shown only then. */
  constructor(untilReleased: () => Promise<void> = () => Promise.resolve()) {
    this.#untilReleased = untilReleased
  }

  /**
   * Starts with another list, or again with the newest row of the same one. Resolves when the page or the
   * error is shown.
   */
  async start(source: RowSource<Row>): Promise<void> {
    this.#source = source
    await this.#read(undefined, (page) => {
      this.#pages.value = [page]
      this.#index.value = 0
    })
  }

  async goNext(): Promise<void> {
    const { next } = this.page.peek() ?? {}
    if (!this.hasNext.peek() || next === undefined || this.isReading.peek()) return
    const to = this.#index.peek() + 1
    if (this.#pages.peek()[to] !== undefined) {
      this.#index.value = to
      return
    }
    await this.#read(next, (page) => {
      this.#pages.value = [...this.#pages.peek(), page]
      this.#index.value = to
    })
  }

  goPrevious(): void {
    if (this.hasPrevious.peek()) this.#index.value--
  }

  /** Whether only the newest page has been read, so that reading it again moves nothing. */
  get isAtStart(): boolean {
    return this.#pages.peek().length <= 1
  }

  /** Stops all reading. */
  close(): void {
    this.#reading?.abort()
  }

  async #read(before: string | undefined, take: (page: ListPage<Row>) => void): Promise<void> {
    this.#reading?.abort()
    const reading = new AbortController()
    this.#reading = reading
    const source = this.#source
    if (source === undefined) return
    this.isReading.value = true
    try {
      const page = await filledPage(source, before, reading.signal)
      await this.#untilReleased()
      if (reading.signal.aborted) return
      batch(() => {
        this.problem.value = undefined
        take(page)
      })
    } catch (error) {
      if (!reading.signal.aborted) this.problem.value = messageOf(error)
    }
    if (this.#reading === reading) this.isReading.value = false
  }
}
