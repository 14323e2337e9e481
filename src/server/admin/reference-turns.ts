/**
 * Runs commands under one reference one after another, from the check of the pending request until the
 * resulting command is answered, so that the checked state still holds for the command. All changes of a
 * pending request, except its expiry, pass through the admin servers of the one process that leads.
 */
import { type AdminOperation, OPERATION_ROWS } from '../../contract/admin/admin.ts'

export class ReferenceTurns {
  /** The end of the last command; absent when none waits. */
  readonly #lastByReference = new Map<string, Promise<unknown>>()

  /** The number of references with pending work. */
  get count(): number {
    return this.#lastByReference.size
  }

  /** Does the work once all earlier operations under its reference have been answered. */
  take<Result>(reference: string | undefined, work: () => Promise<Result>): Promise<Result> {
    if (reference === undefined) return work()
    const before = this.#lastByReference.get(reference)
    const result = before === undefined ? work() : before.then(work)
    // The next caller only waits: the result belongs to the caller that requested it.
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

/** The reference under which an operation changes something; undefined if there is none. */
export function changedReference(operation: AdminOperation, asked: object): string | undefined {
  if (OPERATION_ROWS[operation].isReading || !('reference' in asked)) return undefined
  const { reference } = asked
  return typeof reference === 'string' ? reference : undefined
}
