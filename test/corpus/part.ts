/**
 * A part of the corpus: what it has committed, what the code makes of it today, and what of it may change. See README.md for the three classes.
 */

/** A: stored. B: between processes. C: for people and programs. */
export const CLASSES = {
  A: 'stored',
  B: 'between processes',
  C: 'for people and programs',
} as const
export type CorpusClass = keyof typeof CLASSES

/** How an entry is not what was committed. */
export type Difference = {
  /** What the change is of; what may never change is another aspect than what may. */
  readonly aspect: 'bytes' | 'value' | 'body' | 'text' | 'missing' | 'unknown'
  /** Kind of the entry. */
  readonly kind: string
  /** What was expected and what was found. */
  readonly detail: string
}

export type Part = {
  readonly class: CorpusClass
  /** Its file under `test/corpus`, without the ending, where it records one. */
  readonly name: string
  /** Compares what is committed with what the code does. */
  compare(): Promise<readonly Difference[]>
  /**
   * The file as it should be: with entries for all that lacks one, and anew what may change. What may not stays as it is, so that `compare`
   * goes on to name it. Undefined: its files are made elsewhere.
   */
  record?(allowed: Allowed): Promise<string>
}

/** One that records its file. */
export type RecordingPart = Part & Required<Pick<Part, 'record'>>

/** What `--write` may change, beyond adding entries. */
export type Allowed = {
  /** Classes of which everything is recorded anew: the floor's commit for A, the one that raises the link's version for B. */
  readonly anew: ReadonlySet<CorpusClass>
}

const SHOWN_MAX = 160

/** Where two texts part, with a little of what stands before. */
export function parting(expected: string, found: string): string {
  let at = 0
  while (at < expected.length && expected[at] === found[at]) at++
  const from = Math.max(0, at - 20)
  const show = (text: string) => `${from > 0 ? '...' : ''}${text.slice(from, from + SHOWN_MAX)}`
  return `at ${at}: expected ${show(expected)}\n      found ${show(found)}`
}
