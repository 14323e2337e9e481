/**
 * A target of fuzzing: a parser, inputs for it, and a check that returns the outcome of an input. An input is
 * text or bytes; an input with parts (a request, a command line) is a text of lines that the target splits.
 */
import type { RandomSource } from '../model/random-source.ts'

export type Input = string | Uint8Array

/** The parser behaved in a way that is not documented. */
export class FindingError extends Error {
  override readonly name = 'FindingError'
}

/** Throws a `FindingError` unless `condition` holds. */
export function expectThat(condition: boolean, sentence: () => string): asserts condition {
  if (!condition) throw new FindingError(sentence())
}

export type Target<I extends Input = Input> = {
  readonly name: string
  /** Number of executions in CI. */
  readonly executions: number
  /** Inputs from which mutation starts, in addition to the committed corpus. */
  readonly samples: readonly I[]
  /** A new meaningful input, for targets where mutation alone seldom produces one. */
  readonly generate?: (random: RandomSource) => I
  /** Pieces that mutation inserts into inputs. */
  readonly tokens: readonly I[]
  /** Returns a word for the outcome of the input; throws if the outcome is not documented. */
  readonly check: (input: I) => string | Promise<string>
  /** Outcomes that `check` must return at least once in a run of CI's length. */
  readonly outcomes: readonly string[]
  /** Releases what the target opened. */
  readonly close?: () => Promise<void> | void
}

/** A target of either kind of input; created only when it is to run, since some open servers and files. */
export type AnyTarget = Target<string> | Target<Uint8Array>
