/**
 * A part of the corpus: its committed files, their current equivalents from the code, and what may change.
 * See README.md for the three classes.
 */

/** A: stored. B: between processes. C: for people and programs. */
export const CLASSES = {
  A: 'stored',
  B: 'between processes',
  C: 'for people and programs',
} as const
export type CorpusClass = keyof typeof CLASSES

/** How an entry differs from the committed one. */
export type Difference = {
  /** The aspect that changed; aspects that may never change are separate from those that may. */
  readonly aspect: 'bytes' | 'value' | 'body' | 'text' | 'missing' | 'unknown'
  /** Kind of the entry. */
  readonly kind: string
  /** The expected and the found value. */
  readonly detail: string
}

export type Part = {
  readonly class: CorpusClass
  /** The name of the part's file under `test/corpus`, without extension, if it records one. */
  readonly name: string
  /** Compares the committed files with the code. */
  compare(): Promise<readonly Difference[]>
  /**
   * The file as it should be: with entries for everything that lacks one, and recorded again where that is
   * allowed. Entries that may not change are kept, so that `compare` still reports them. Undefined if the
   * part's files are written elsewhere.
   */
  record?(allowed: Allowed): Promise<string>
}

/** A part that records its file. */
export type RecordingPart = Part & Required<Pick<Part, 'record'>>

/** Changes that `--write` may make, in addition to adding entries. */
export type Allowed = {
  /**
   * Classes that are recorded again completely: A by the commit that raises the floor of the rules, B by the
   * one that raises the link's version.
   */
  readonly anew: ReadonlySet<CorpusClass>
}

const SHOWN_MAX = 160

/** The first difference of two texts, with a little of the text before it. */
export function parting(expected: string, found: string): string {
  let at = 0
  while (at < expected.length && expected[at] === found[at]) at++
  const from = Math.max(0, at - 20)
  const show = (text: string) => `${from > 0 ? '...' : ''}${text.slice(from, from + SHOWN_MAX)}`
  return `at ${at}: expected ${show(expected)}\n      found ${show(found)}`
}
