/**
 * A list of the exchange that grows at its newest end, shown in pages. A page that was read keeps its rows, and the next one goes on from its end, so that
 * going back and forth shows each row once, whatever comes in meanwhile.
 */
import { batch, computed, signal } from '@preact/signals'
import { messageOf } from '../../state/desk.ts'

/** Where rows come from. */
export type RowSource<Row> = {
  /** What stands behind `before`, newest first; `next`: `before` of the request that goes on. */
  readonly read: (
    before: string | undefined,
    limit: number,
    signal: AbortSignal,
  ) => Promise<{ readonly rows: readonly Row[]; readonly next?: string | undefined }>
  /** As which `before` goes on behind a row. Two rows of one place stay together. */
  readonly placeOf: (row: Row) => string
  /** Which rows are shown; absent: all. */
  readonly accepts?: ((row: Row) => boolean) | undefined
}

export type ListPage<Row> = {
  readonly rows: readonly Row[]
  readonly next: string | undefined
  /** So many rows were looked at: a page that is not full may stand before others. */
  readonly lookedAt: number
}

export const PAGE_ROWS = 50
/** Pages of one list that are kept. */
export const PAGES_MAX = 200
/** Rows that are looked at for one page, where few fit. */
export const LOOKED_AT_MAX = 5_000
/** Rows of one request, where few may fit. */
const BATCH_ROWS = 500

/** The rows behind `before` that fit, up to a full page. */
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
    // A request that found nothing has looked at something all the same.
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
  /** From 1 on. */
  readonly number = computed(() => this.#index.value + 1)
  readonly hasPrevious = computed(() => this.#index.value > 0)
  readonly hasNext = computed(() => this.page.value?.next !== undefined && this.#index.value + 1 < PAGES_MAX)
  #source: RowSource<Row> | undefined
  #reading: AbortController | undefined

  /** Another list, or the same one from its newest row on. Resolves when it is shown, or the problem is. */
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

  /** Only the newest page was read, and nothing would move by reading it again. */
  get isAtStart(): boolean {
    return this.#pages.peek().length <= 1
  }

  /** Nothing is read any more. */
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
