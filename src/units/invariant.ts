/**
 * Bugs. A broken invariant is never handled: it stops the node, which recovers from its journal.
 */

/** An invariant of the program did not hold. Only the outermost guard of a process catches this error. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/**
 * Throws an `InvariantError` with `sentence` unless `condition` holds. The sentence states what was expected
 * and what was found.
 */
export function invariant(condition: boolean, sentence: string | (() => string)): asserts condition {
  if (!condition) throw new InvariantError(typeof sentence === 'string' ? sentence : sentence())
}

/** Marks a branch that the type system proves unreachable; reached at run time it is a bug. */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable value: ${String(value)}`)
}
