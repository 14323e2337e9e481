/** Rows of text for spreadsheets (RFC 4180), which are read in terminals too. */
import { printable } from '../units/printable.ts'

export const CSV_LINE_END = '\r\n'

/**
 * What a spreadsheet would take for a formula: at the start of a text, and behind what separates fields where the machine's own language has it
 * so (`;`), whatever quotes stand between. The same characters in the width of East Asia's letters count too. A number is none.
 */
const FORMULA = /(?:^|[;|])[ "]*(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** A text that a spreadsheet would carry out gets an apostrophe before what begins it; what nobody sees is an escape (`printable`). */
export function csvField(value: string | number | undefined): string {
  const text = printable(value === undefined ? '' : String(value))
  const harmless = NUMBER.test(text) ? text : text.replace(FORMULA, "$&'")
  return /[",;]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
