/** Effects outside the database, which wait until the transaction under way is stored. */
export class Afterwards {
  /** Undefined outside of a transaction. */
  #waiting: (() => void)[] | undefined

  add(effect: () => void): void {
    if (this.#waiting === undefined) effect()
    else this.#waiting.push(effect)
  }

  /** One run of a transaction, or of a part of one. The effects of a run that throws are dropped. */
  during<Result>(run: () => Result): Result {
    const outer = this.#waiting
    const own: (() => void)[] = []
    this.#waiting = own
    let result: Result
    try {
      result = run()
    } finally {
      this.#waiting = outer
    }
    if (outer !== undefined) outer.push(...own)
    else for (const effect of own) effect()
    return result
  }
}
