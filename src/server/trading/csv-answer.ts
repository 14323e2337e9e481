/** An answer as a table of text, for spreadsheets. */
export class CsvAnswer {
  /** Header, on the first page, and rows (RFC 4180). */
  readonly text: string
  /** What the file is called, without its ending. */
  readonly name: string
  /** The first line names the columns. */
  readonly hasHeader: boolean
  /** Where to go on; undefined: the table is complete. */
  readonly next: string | undefined

  constructor({ name, text, hasHeader, next }: Pick<CsvAnswer, 'name' | 'text' | 'hasHeader' | 'next'>) {
    this.name = name
    this.text = text
    this.hasHeader = hasHeader
    this.next = next
  }
}
