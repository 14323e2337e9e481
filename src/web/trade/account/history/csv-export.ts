/**
 * Reads a history to its end, or up to a limit, into a file: page by page, so that the user sees the progress
 * and can stop it, and slowly enough to leave capacity for trading.
 */
import { signal } from '@preact/signals'
import { BourseError } from '../../../../client/errors.ts'
import type { SavedFile } from '../../../shared/save-file.ts'
import { messageOf } from '../../state/trading-state.ts'
import { type Column, csvHead, csvRows } from './csv-table.ts'
import type { RowSource } from './paged-list.ts'

/** Maximum number of rows in one file; the rest goes into further ones. */
export const FILE_ROWS_MAX = 100_000
/** Maximum number of rows in one request. */
const REQUEST_ROWS = 1_000
/**
 * A request for this many rows has weight 40 (docs/reference/orders.md#paged-lists): at this pace half of an
 * address's weight limit remains for its other requests.
 */
const REQUEST_EVERY_MS = 800
/** The pause if the exchange does not answer, and the number of attempts in a row. */
const AGAIN_MS = 3_000
const AGAIN_MAX = 20
/** Interval at which the remaining pause is shown. */
const TICK_MS = 1_000

export type ExportProgress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reading'; readonly rows: number }
  /** The exchange has requested a pause, or has not answered. */
  | { readonly kind: 'waiting'; readonly rows: number; readonly seconds: number }
  | { readonly kind: 'saved'; readonly rows: number; readonly hasRest: boolean }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'failed'; readonly message: string }

export type ExportRequest<Row> = {
  readonly source: RowSource<Row>
  readonly columns: readonly Column<Row>[]
  /** Without the file extension. */
  readonly fileName: string
}

export type ExportPorts = {
  readonly save: (file: SavedFile) => void
  /** Resolves after this time, or at once if the signal is aborted. */
  readonly wait: (delayMs: number, signal: AbortSignal) => Promise<void>
}

/** The position at which the next request continues, and the number of the file. */
type Place = { readonly before: string | undefined; readonly part: number }

export class CsvExport<Row> {
  readonly progress = signal<ExportProgress>({ kind: 'idle' })
  readonly #ports: ExportPorts
  #running: AbortController | undefined
  #rest: (() => Promise<void>) | undefined

  constructor(ports: ExportPorts) {
    this.#ports = ports
  }

  get isRunning(): boolean {
    const { kind } = this.progress.value
    return kind === 'reading' || kind === 'waiting'
  }

  async start(request: ExportRequest<Row>): Promise<void> {
    await this.#run(request, { before: undefined, part: 1 })
  }

  /** Starts the next file, after the last row of the previous one. */
  async goOn(): Promise<void> {
    await this.#rest?.()
  }

  cancel(): void {
    this.#running?.abort()
    if (this.isRunning) this.progress.value = { kind: 'canceled' }
  }

  async #run(request: ExportRequest<Row>, place: Place): Promise<void> {
    this.#running?.abort()
    const running = new AbortController()
    this.#running = running
    this.#rest = undefined
    try {
      await this.#write(request, place, running.signal)
    } catch (error) {
      if (!running.signal.aborted) this.progress.value = { kind: 'failed', message: messageOf(error) }
    }
  }

  async #write(request: ExportRequest<Row>, { before, part }: Place, stop: AbortSignal): Promise<void> {
    const { source, columns, fileName } = request
    const parts = [csvHead(columns)]
    let rows = 0
    let next = before
    for (;;) {
      this.progress.value = { kind: 'reading', rows }
      const page = await this.#read(source, next, rows, stop)
      if (stop.aborted) return
      const fitting = source.accepts === undefined ? page.rows : page.rows.filter(source.accepts)
      parts.push(csvRows(columns, fitting))
      rows += fitting.length
      next = page.next
      if (next === undefined || rows + REQUEST_ROWS > FILE_ROWS_MAX) break
      await this.#ports.wait(REQUEST_EVERY_MS, stop)
      if (stop.aborted) return
    }
    const name = `${fileName}${part === 1 ? '' : `-${part}`}.csv`
    this.#ports.save({ name, type: 'text/csv', parts })
    if (next !== undefined) {
      const rest = { before: next, part: part + 1 }
      this.#rest = () => this.#run(request, rest)
    }
    this.progress.value = { kind: 'saved', rows, hasRest: next !== undefined }
  }

  /** Pauses as long as the exchange requests, and shows the pause. */
  async #read(source: RowSource<Row>, before: string | undefined, rows: number, stop: AbortSignal) {
    for (let failures = 1; ; failures++) {
      try {
        return await source.read(before, REQUEST_ROWS, stop)
      } catch (error) {
        const waitMs = waitOf(error)
        if (stop.aborted || waitMs === undefined || failures > AGAIN_MAX) throw error
        await this.#showWait(waitMs, rows, stop)
        if (stop.aborted) throw error
      }
    }
  }

  async #showWait(waitMs: number, rows: number, stop: AbortSignal): Promise<void> {
    for (let left = waitMs; left > 0 && !stop.aborted; left -= TICK_MS) {
      this.progress.value = { kind: 'waiting', rows, seconds: Math.ceil(left / 1_000) }
      await this.#ports.wait(Math.min(left, TICK_MS), stop)
    }
    if (!stop.aborted) this.progress.value = { kind: 'reading', rows }
  }
}

/** Undefined if a pause would not help. */
function waitOf(error: unknown): number | undefined {
  if (!(error instanceof BourseError)) return undefined
  if (error.retryAfterMs !== undefined) return error.retryAfterMs
  return error.kind === 'NO_ANSWER' ? AGAIN_MS : undefined
}

/** Waits with a timer of the browser. */
export function browserWait(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const timer = setTimeout(resolve, delayMs)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
