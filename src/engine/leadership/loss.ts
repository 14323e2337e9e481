/**
 * The loss of a leader, for callers that send it one query after another. It keeps no answers: a promise of
 * the loss, raced with each answer, would keep all of them until the leader is lost.
 */
export class Loss {
  /** The reason; undefined if the leader is not lost. */
  #why: string | undefined
  #tell: (why: string) => void = () => {}

  get hasHappened(): boolean {
    return this.#why !== undefined
  }

  /** Records the reason, unless there is an earlier one. */
  happened(why: string): void {
    if (this.#why !== undefined) return
    this.#why = why
    this.#tell(why)
  }

  /**
   * The result of `ask`, or the reason for the loss of the leader if the loss comes first; then no more
   * queries are sent. One call at a time. Rejects like `ask`.
   */
  async or<Answer>(ask: () => Promise<Answer>): Promise<Answer | string> {
    if (this.#why !== undefined) return this.#why
    const first = Promise.withResolvers<Answer | string>()
    this.#tell = first.resolve
    ask().then(first.resolve, first.reject)
    try {
      return await first.promise
    } finally {
      this.#tell = () => {}
    }
  }
}
