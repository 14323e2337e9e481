/**
 * What is ordered under one reference, one after another: from the look at what waits there until the command that was ordered upon it is answered, so that what was looked
 * at is what the command finds. Everything that can change what waits under a reference, but for its end by time, is ordered through the operators' servers of the one process that
 * leads.
 */
import { type AdminOperation, OPERATION_ROWS } from '../../wire/admin.ts'

export class ReferenceTurns {
  /** The end of what was ordered last; gone when nobody waits. */
  readonly #lastByReference = new Map<string, Promise<unknown>>()

  /** How many references have something under way. */
  get count(): number {
    return this.#lastByReference.size
  }

  /** Does the work when all that was ordered before under its reference is answered. */
  take<Result>(reference: string | undefined, work: () => Promise<Result>): Promise<Result> {
    if (reference === undefined) return work()
    const before = this.#lastByReference.get(reference)
    const result = before === undefined ? work() : before.then(work)
    // Whoever comes next only waits: what came of it is for whoever asked.
    const end = result.then(
      () => undefined,
      () => undefined,
    )
    this.#lastByReference.set(reference, end)
    void end.then(() => {
      if (this.#lastByReference.get(reference) === end) this.#lastByReference.delete(reference)
    })
    return result
  }
}

/** The reference under which an operation changes something; undefined: none. */
export function changedReference(operation: AdminOperation, asked: object): string | undefined {
  if (OPERATION_ROWS[operation].isReading || !('reference' in asked)) return undefined
  const { reference } = asked
  return typeof reference === 'string' ? reference : undefined
}
