/**
 * Lists for people in a terminal. Text cannot leave its cell: line breaks and similar characters are escaped.
 */
import { printable } from '../units/printable.ts'

/**
 * Rows under a heading; columns are as wide as their widest cell, and numbers are aligned at their points.
 * `none`: the text to show if there are no rows.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): string {
  if (rows.length === 0) return none
  const columns = headings.map((heading, index) =>
    column(
      heading,
      rows.map((row) => cellOf(row[index] ?? '')),
    ),
  )
  return [headings, ...rows]
    .map((_, line) =>
      columns
        .map((cells) => cells[line])
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A space at an end would be invisible. */
function cellOf(text: string): string {
  return printable(text).replace(/^ | $/g, '\\u0020')
}

const NUMBER = /^-?\d+(\.\d+)?$/
/** Placeholder for a missing number. */
const NO_NUMBER = new Set(['', '-', 'none'])

function column(heading: string, cells: readonly string[]): string[] {
  const isNumeric = cells.some((cell) => NUMBER.test(cell))
  const allFit = cells.every((cell) => NUMBER.test(cell) || NO_NUMBER.has(cell))
  return isNumeric && allFit ? underTheirPoints(heading, cells) : toTheLeft([heading, ...cells])
}

function toTheLeft(cells: readonly string[]): string[] {
  const width = Math.max(...cells.map(({ length }) => length))
  return cells.map((cell) => cell.padEnd(width))
}

/** Aligns integers at their end, and fractions at their point. */
function underTheirPoints(heading: string, cells: readonly string[]): string[] {
  const fractions = cells.map((cell) => cell.length - wholeOf(cell).length)
  const fractionWidth = Math.max(...fractions)
  const padded = cells.map((cell, row) => cell + ' '.repeat(fractionWidth - (fractions[row] ?? 0)))
  const width = Math.max(heading.length, ...padded.map(({ length }) => length))
  return [heading.padStart(width), ...padded.map((cell) => cell.padStart(width))]
}

function wholeOf(cell: string): string {
  return cell.split('.', 1)[0] ?? ''
}

/** One fact per line, with aligned names. */
export function facts(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${cellOf(value)}`.trimEnd()).join('\n')
}
