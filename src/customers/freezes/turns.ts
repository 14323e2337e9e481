/**
 * Serializes changes of one person's freeze: the end of a period without withdrawals must not undo a freeze
 * that begins.
 */
export class FreezeTurns {
  /** The end of the last change; absent when none runs. */
  readonly #lastByOwner = new Map<string, Promise<unknown>>()

  take<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#lastByOwner.get(owner)
    const result = before === undefined ? work() : before.then(work)
    const end = result.then(
      () => undefined,
      () => undefined,
    )
    this.#lastByOwner.set(owner, end)
    void end.then(() => {
      if (this.#lastByOwner.get(owner) === end) this.#lastByOwner.delete(owner)
    })
    return result
  }
}
