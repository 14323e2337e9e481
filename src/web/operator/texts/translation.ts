/** The parts of a translation of the operator's page. */

export type CommandTexts = {
  /** Titles of a button and a dialog, by operation. */
  readonly titles: Readonly<Record<string, string>>
  /** Sentences, by operation; for an operation without one, the summary of its row is used. */
  readonly summaries: Readonly<Record<string, string>>
  /** Labels of fields of requests and answers, by name. */
  readonly labels: Readonly<Record<string, string>>
  /**
   * Help on fields of requests, by `operation.field` or by field name; otherwise the text of the row is used.
   */
  readonly helps: Readonly<Record<string, string>>
  /** Questions before a command, by operation, with `{field}` for a value. */
  readonly questions: Readonly<Record<string, string>>
}

export type Translation = { readonly page: Readonly<Record<string, string>>; readonly commands: CommandTexts }
