/**
 * The times at which each order passed each stage, in memory shared by the processes under test and the
 * benchmark: a file of numbers for each writer, with a row for each order. All times are from one clock, so
 * that times of different threads and processes can be compared.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The columns of each file. */
export const TRACE_COLUMNS = {
  /** By the order's number in the load. */
  client: ['due', 'sent', 'answered'],
  /** By the order's position among all orders that were passed to the engine. */
  gateway: ['order', 'arrived', 'handed', 'replied'],
  engine: ['begun', 'synced'],
} as const
export type TracePlace = keyof typeof TRACE_COLUMNS

/** The variable with the directory of the files, for the processes under test. */
export const TRACE_DIRECTORY_VARIABLE = 'ORDER_TRACE_DIRECTORY'

const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT

/**
 * Milliseconds since 1970, by a clock that is not adjusted once a process runs; those of several processes
 * agree within microseconds.
 */
export function sharedMs(): number {
  return performance.timeOrigin + performance.now()
}

/** The files of one benchmark, for at most `orders` orders in total. */
export class TraceFiles {
  readonly directory: string

  constructor(orders: number) {
    this.directory = mkdtempSync(path.join(tmpdir(), 'bourse-trace-'))
    for (const place of Object.keys(TRACE_COLUMNS) as TracePlace[]) {
      const bytes = orders * TRACE_COLUMNS[place].length * NUMBER_BYTES
      writeFileSync(fileOf(this.directory, place), new Uint8Array(bytes))
    }
  }

  open(place: TracePlace): TraceRows {
    return openTrace(this.directory, place)
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}

/** The rows of one writer; everyone who opens them reads what is written. */
export class TraceRows {
  readonly #cells: Float64Array
  readonly #width: number

  constructor(cells: Float64Array, width: number) {
    this.#cells = cells
    this.#width = width
  }

  /** Rows beyond the last are dropped. */
  set(row: number, column: number, value: number): void {
    this.#cells[row * this.#width + column] = value
  }

  get(row: number, column: number): number {
    return this.#cells[row * this.#width + column] ?? Number.NaN
  }
}

export function openTrace(directory: string, place: TracePlace): TraceRows {
  const bytes = Bun.mmap(fileOf(directory, place), { shared: true })
  const cells = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / NUMBER_BYTES)
  return new TraceRows(cells, TRACE_COLUMNS[place].length)
}

function fileOf(directory: string, place: TracePlace): string {
  return path.join(directory, place)
}
