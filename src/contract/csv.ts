/** Rows of text for spreadsheets (RFC 4180), which are also read in terminals. */
import { printable } from '../units/printable.ts'

export const CSV_LINE_END = '\r\n'

/**
 * Texts that a spreadsheet would take for a formula: at the start of a cell, and after a field separator of
 * the local settings (`;`), even with quotes in between. The full-width forms of the same characters count
 * too. Numbers do not.
 */
const FORMULA = /(?:^|[;|])[ "]*(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const NUMBER = /^-?\d+(?:\.\d+)?$/

/**
 * A text that a spreadsheet would execute gets an apostrophe; invisible characters are escaped (`printable`).
 */
export function csvField(value: string | number | undefined): string {
  const text = printable(value === undefined ? '' : String(value))
  const harmless = NUMBER.test(text) ? text : text.replace(FORMULA, "$&'")
  return /[",;]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
