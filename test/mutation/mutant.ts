/**
 * A mutant: one small change to the text of one source file. This file contains nothing about syntax or
 * tests.
 */
import { randomNumbers } from '../support/random-numbers.ts'

export type Mutant = {
  /** Path from the project's root, with `/`. */
  readonly file: string
  /** The kind of the change, as in `operators.ts`. */
  readonly operator: string
  /** The replaced characters: from `start` inclusive to `end` exclusive. */
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** Paths of tests that run before those of its file; undefined if there are none. */
  readonly tests?: readonly string[]
}

/** A mutant as it is shown to people. Lines are trimmed; the lines of a longer change are joined. */
export type Change = { readonly line: number; readonly before: string; readonly after: string }

/** The file's text with the mutant in it. */
export function mutate(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** The lines that a mutant changes, before and after. */
export function changeOf(text: string, { start, end, replacement }: Mutant): Change {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const newline = text.indexOf('\n', end)
  const to = newline === -1 ? text.length : newline
  return {
    line: text.slice(0, start).split('\n').length,
    before: onOneLine(text.slice(from, to)),
    after: onOneLine(text.slice(from, start) + replacement + text.slice(end, to)),
  }
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The mutants in an order that depends on the seed alone (Fisher-Yates). */
export function shuffled(mutants: readonly Mutant[], seed: number): readonly Mutant[] {
  const drawn = [...mutants]
  const random = randomNumbers(seed)
  for (let left = drawn.length; left > 1; left--) {
    const at = Math.floor(random() * left)
    const last = drawn[left - 1] as Mutant
    drawn[left - 1] = drawn[at] as Mutant
    drawn[at] = last
  }
  return drawn
}
