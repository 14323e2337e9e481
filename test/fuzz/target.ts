/**
 * What can be fuzzed: a parser, inputs for it, and a check that says what became of an input. An input is a text or
 * bytes; one with parts (a request, a command line) is a text of lines that the target takes apart.
 */
import type { RandomSource } from '../model/random-source.ts'

export type Input = string | Uint8Array

/** The parser did something that is not documented. */
export class FindingError extends Error {
  override readonly name = 'FindingError'
}

/** Throws a `FindingError` unless `condition` holds. */
export function expectThat(condition: boolean, sentence: () => string): asserts condition {
  if (!condition) throw new FindingError(sentence())
}

export type Target<I extends Input = Input> = {
  readonly name: string
  /** How often CI runs it. */
  readonly executions: number
  /** Inputs that mutation starts from, beside the committed corpus. */
  readonly samples: readonly I[]
  /** A fresh input that makes sense, for targets where mutation alone seldom does. */
  readonly generate?: (random: RandomSource) => I
  /** Pieces that mutation puts into inputs. */
  readonly tokens: readonly I[]
  /** A word for what became of the input; throws when that is not documented. */
  readonly check: (input: I) => string | Promise<string>
  /** What `check` must have answered at least once in a run of CI's length. */
  readonly outcomes: readonly string[]
  /** Lets go of what the target opened. */
  readonly close?: () => Promise<void> | void
}

/** A target of either kind of input; made only when it is to run, since some open servers and files. */
export type AnyTarget = Target<string> | Target<Uint8Array>
