/**
 * Mutants that no test can distinguish from the program, each with the reason. An entry that matches no
 * mutant any more, or whose mutant is killed, is reported, so that the list cannot become outdated.
 */
import type { Change } from './mutant.ts'

export type Equivalent = {
  readonly file: string
  /** The line before and after the mutation, both trimmed. */
  readonly before: string
  readonly after: string
  /** Why the difference cannot be observed. */
  readonly reason: string
}

const SAME_SCALE = 'at 0 both branches are the same scale: ten to the power of nothing'

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/core/ledger/money.ts',
    before:
      'return finer >= 0 ? { multiply: powerOfTen(finer), divide: 1 } : { multiply: 1, divide: powerOfTen(-finer) }',
    after:
      'return finer > 0 ? { multiply: powerOfTen(finer), divide: 1 } : { multiply: 1, divide: powerOfTen(-finer) }',
    reason: SAME_SCALE,
  },
  {
    file: 'src/core/ledger/money.ts',
    before:
      'return finer >= 0 ? { multiply: powerOfTen(finer), divide: 1 } : { multiply: 1, divide: powerOfTen(-finer) }',
    after:
      'return finer >= (0 + 1) ? { multiply: powerOfTen(finer), divide: 1 } : { multiply: 1, divide: powerOfTen(-finer) }',
    reason: SAME_SCALE,
  },
  {
    file: 'src/core/market/level-pool.ts',
    before: 'if (low < room) {',
    after: 'if (low <= room) {',
    reason:
      'a low part of exactly one high unit is the same sum, is exact, and is carried by the next change',
  },
  {
    file: 'src/core/ledger/ledger.ts',
    before: 'let previous = -1',
    after: 'let previous = -(1 + 1)',
    reason: 'the first account read is 0 or more, so anything below 0 is before it',
  },
  {
    file: 'src/engine/port/journal.ts',
    before: 'for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false',
    after: 'for (let i = 0; i <= a.length; i++) if (a[i] !== b[i]) return false',
    reason: 'both have the same length by then, and behind it both read as undefined',
  },
  {
    file: 'src/storage/files/snapshots.ts',
    before: 'const HEAD_BYTES_MAX = 8 + 4 + 5 * 8 + 3 * HASH_BYTES',
    after: 'const HEAD_BYTES_MAX = 8 + (4 + 1) + 5 * 8 + 3 * HASH_BYTES',
    reason: 'the most that is read of a file to find its head: a byte more is read and not looked at',
  },
  {
    file: 'src/core/exchange/exchange.ts',
    before: 'const writer = new ByteWriter(1 << 16)',
    after: 'const writer = new ByteWriter((1 + 1) << 16)',
    reason: 'how much memory a writer starts with: it grows, and what is written is the same',
  },
]

/** The entry that explains a change; undefined if there is none. */
export function explanation(
  list: readonly Equivalent[],
  file: string,
  { before, after }: Pick<Change, 'before' | 'after'>,
): Equivalent | undefined {
  return list.find((entry) => entry.file === file && entry.before === before && entry.after === after)
}

/** Entries for these files that explain none of their mutants: the code has changed since. */
export function stale(
  list: readonly Equivalent[],
  files: readonly string[],
  changes: readonly (Change & { readonly file: string })[],
): readonly Equivalent[] {
  const known = new Set(changes.map(({ file, before, after }) => [file, before, after].join('\0')))
  return list.filter(
    ({ file, before, after }) => files.includes(file) && !known.has([file, before, after].join('\0')),
  )
}
