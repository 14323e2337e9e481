/** An answer as a table of text, for spreadsheets. */
export class CsvAnswer {
  /** Header, on the first page, and rows (RFC 4180). */
  readonly text: string
  /** Name of the file, without its extension. */
  readonly name: string
  /** The first line names the columns. */
  readonly hasHeader: boolean
  /** The position at which to continue; undefined if the table is complete. */
  readonly next: string | undefined

  constructor({ name, text, hasHeader, next }: Pick<CsvAnswer, 'name' | 'text' | 'hasHeader' | 'next'>) {
    this.name = name
    this.text = text
    this.hasHeader = hasHeader
    this.next = next
  }
}
