/**
 * The conditions that every result must state beside its figures: the machine, the runtime, the number of
 * rounds.
 */
import { cpus } from 'node:os'

/** The machine and the runtime, in one line. */
export function machine(): string {
  const cpu = cpus()
  return `${cpu.length} x ${cpu[0]?.model.trim()}; Bun ${Bun.version}`
}

/**
 * Rows in aligned columns, the first left-aligned and the others right-aligned; the first row is the head.
 */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[i] ?? 0))),
    )
    .map((cells) => cells.join('  ').trimEnd())
    .join('\n')
}

/** 12345678 as `12.35 M`, 12345 as `12.3 k`. */
export function short(figure: number): string {
  if (figure >= 1e6) return `${(figure / 1e6).toFixed(2)} M`
  return figure >= 1e3 ? `${(figure / 1e3).toFixed(1)} k` : figure.toFixed(figure < 10 ? 2 : 0)
}

/**
 * CPU time of this process so far. On a shared machine it is more meaningful than the wall clock; it includes
 * the collector's threads.
 */
export function cpuNanoseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}
