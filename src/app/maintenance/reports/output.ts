/**
 * The output of a report: rows as CSV or as one JSON object a line, between a line that describes its source
 * and one that states its end. Only one piece of text is in memory. A file gets its name when it is complete.
 */

import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { CSV_LINE_END, csvField } from '../../../contract/csv.ts'
import { fileFault, syncDirectory, writeAll } from '../../../storage/files/directory.ts'
import { printable } from '../../../units/printable.ts'

export const REPORT_FORMATS = ['csv', 'json'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

/** Values by column; an absent one is an empty field of CSV, and no field of JSON. */
export type Row = Readonly<Record<string, string | number | undefined>>

/** Rows are written in pieces of this number of characters. */
const PIECE_CHARS = 64 * 1024

export type ReportTarget = {
  readonly format: ReportFormat
  readonly columns: readonly string[]
  /** Undefined if the report is printed. */
  readonly file: string | undefined
  /** Prints a text and a line feed. */
  readonly print: (text: string) => void
}

export class ReportOutput {
  readonly #target: ReportTarget
  readonly #lineEnd: string
  #piece = ''
  #rows = 0
  #fd: number | undefined

  /** Throws `JournalFault` if the file cannot be written; so does every other method. */
  constructor(target: ReportTarget) {
    this.#target = target
    this.#lineEnd = target.format === 'csv' ? CSV_LINE_END : '\n'
    if (target.file !== undefined) this.#fd = this.#try(() => openSync(this.#temporary, 'w', 0o600))
  }

  get rows(): number {
    return this.#rows
  }

  /** Writes the source of the report, before the first row. */
  begin(head: Row): void {
    this.#note('report', head)
    if (this.#target.format === 'csv') this.#line(this.#target.columns.join())
  }

  row(row: Row): void {
    this.#rows++
    const { format, columns } = this.#target
    this.#line(
      format === 'csv'
        ? columns.map((column) => csvField(row[column])).join()
        : printable(JSON.stringify(row)),
    )
  }

  /** Writes the end of the report: without this line it is incomplete. */
  end(tail: Row): void {
    this.#note('end', tail)
    this.#flush()
    const fd = this.#fd
    if (fd === undefined) return
    this.#try(() => {
      fsyncSync(fd)
      closeSync(fd)
      this.#fd = undefined
      renameSync(this.#temporary, this.#file)
      syncDirectory(path.dirname(this.#file))
    })
  }

  /**
   * Ends without further rows: printed output lacks its last line, and no file is created. Does nothing after
   * `end`.
   */
  abandon(): void {
    if (this.#fd === undefined) return
    closeSync(this.#fd)
    this.#fd = undefined
    rmSync(this.#temporary, { force: true })
  }

  get #file(): string {
    return this.#target.file ?? ''
  }

  get #temporary(): string {
    return `${this.#file}.tmp`
  }

  /** Writes a line for programs; in CSV, one that readers can skip as a comment. */
  #note(name: 'report' | 'end', fields: Row): void {
    const json = printable(JSON.stringify({ [name]: fields }))
    this.#line(this.#target.format === 'csv' ? `# ${json}` : json)
  }

  #line(text: string): void {
    this.#piece += text + this.#lineEnd
    if (this.#piece.length >= PIECE_CHARS) this.#flush()
  }

  #flush(): void {
    const piece = this.#piece
    this.#piece = ''
    const fd = this.#fd
    if (piece === '') return
    if (fd === undefined) this.#target.print(piece.slice(0, -1))
    else this.#try(() => writeAll(fd, new TextEncoder().encode(piece), undefined))
  }

  #try<Result>(write: () => Result): Result {
    try {
      return write()
    } catch (cause) {
      throw fileFault(cause, `cannot write ${this.#file}`)
    }
  }
}
