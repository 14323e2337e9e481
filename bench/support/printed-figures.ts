/** The figures in a benchmark's output, for any commit: the cells of its tables, by row and column. */

/** `12.35 M`, `0.73 s`, `55.5 us`, `3.1x`, `12,345`: a number and its unit. */
const NUMBER = /^(-?\d[\d,]*(?:\.\d+)?)(?: ?(M|k|GB|MB|kB|s|ms|us|ns|x|%)(?:\/s)?)?$/
/** Factors to one unit of each kind, so that a figure that changes its unit is comparable. */
const SCALE: Readonly<Record<string, number>> = {
  M: 1e6,
  k: 1e3,
  GB: 1e9,
  MB: 1e6,
  kB: 1e3,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  ns: 1e-9,
}

/**
 * Figures by row and column: `a taker trades once, ns an order`. A row is named by its first cell; a repeated
 * name is numbered.
 */
export function printedFigures(output: string): Map<string, number> {
  const figures = new Map<string, number>()
  for (const [head = [], ...rows] of tablesOf(output)) {
    for (const row of rows) {
      for (const [column, cell] of row.entries()) {
        const value = numberOf(cell)
        if (column === 0 || value === undefined) continue
        const name = `${row[0]}, ${head[column]}`
        let unique = name
        for (let count = 2; figures.has(unique); count++) unique = `${name} #${count}`
        figures.set(unique, value)
      }
    }
  }
  return figures
}

/** Consecutive lines with the same number of cells, at least two, separated by two spaces. */
function tablesOf(output: string): string[][][] {
  const tables: string[][][] = []
  let width = 0
  for (const line of output.split('\n')) {
    const cells = line.trim().split(/\s{2,}/)
    if (cells.length < 2) width = 0
    else if (cells.length === width) tables.at(-1)?.push(cells)
    else {
      tables.push([cells])
      width = cells.length
    }
  }
  return tables
}

function numberOf(cell: string): number | undefined {
  const [, digits, unit = ''] = NUMBER.exec(cell) ?? []
  return digits === undefined ? undefined : Number(digits.replaceAll(',', '')) * (SCALE[unit] ?? 1)
}

export type Compared = {
  readonly name: string
  /**
   * Median of the new figures divided by the old ones, pair by pair, and the smallest and largest quotient.
   */
  readonly ratio: Spread
  /** The same for two old figures: the machine's own variation. */
  readonly noise: Spread
}
export type Spread = { readonly median: number; readonly min: number; readonly max: number }

/** One turn: the old commit before, the new one, the old one after. */
export type Turn = {
  readonly before: ReadonlyMap<string, number>
  readonly now: ReadonlyMap<string, number>
  readonly after: ReadonlyMap<string, number>
}

/** Figures that every run of every turn printed, except those that are always the same. */
export function compareTurns(turns: readonly Turn[]): Compared[] {
  const names = [...(turns[0]?.before.keys() ?? [])]
  return names.flatMap((name) => {
    const ratios: number[] = []
    const noises: number[] = []
    for (const { before, now, after } of turns) {
      const [one, changed, other] = [before.get(name), now.get(name), after.get(name)]
      if (!one || !changed || !other) return []
      ratios.push(changed / Math.sqrt(one * other))
      noises.push(other / one)
    }
    const isFixed = [...ratios, ...noises].every((ratio) => ratio === 1)
    return isFixed ? [] : [{ name, ratio: spreadOf(ratios), noise: spreadOf(noises) }]
  })
}

function spreadOf(ratios: readonly number[]): Spread {
  const sorted = ratios.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
  return { median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}
