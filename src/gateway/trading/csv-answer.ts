/** An answer as a table of text, for spreadsheets. */
export class CsvAnswer {
  /** Header and rows (RFC 4180). */
  readonly text: string
  /** What the file is called, without its ending. */
  readonly name: string
  /** Where to go on; undefined: the table is complete. */
  readonly next: string | undefined

  constructor(name: string, text: string, next: string | undefined) {
    this.name = name
    this.text = text
    this.next = next
  }
}
