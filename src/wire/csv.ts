/** Rows of text for spreadsheets (RFC 4180). */

export const CSV_LINE_END = '\r\n'

/** What a spreadsheet would take for a formula; a number is none. */
const FORMULA = /^(?!-?\d+(?:\.\d+)?$)[=+\-@\t\r\n]/

/** A text that a spreadsheet would carry out gets an apostrophe before it. */
export function csvField(value: string | number | undefined): string {
  const text = value === undefined ? '' : String(value)
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
