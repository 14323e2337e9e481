/**
 * Long work in pieces: one piece in a turn of the event loop, and one at a time. Whatever else has arrived is served between
 * two pieces, so long answers make others wait for a piece and not for the whole.
 */

type Piece = () => Promise<void>

export class WorkLane {
  readonly #first: Piece[] = []
  readonly #further: Piece[] = []
  /** How many of each have been run: the lists are emptied when all have. */
  #firstDone = 0
  #furtherDone = 0
  #isRunning = false

  /** Runs the first piece of an answer, before all further ones that wait. Rejects as `work` does. */
  first<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#run(this.#first, work)
  }

  /** Runs a further piece of an answer, in the order in which they are asked for. Rejects as `work` does. */
  further<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#run(this.#further, work)
  }

  #run<T>(pieces: Piece[], work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      pieces.push(async () => {
        try {
          resolve(await work())
        } catch (cause) {
          reject(cause)
        }
      })
      if (this.#isRunning) return
      this.#isRunning = true
      this.#next()
    })
  }

  #next(): void {
    const piece = this.#take()
    if (piece === undefined) {
      this.#isRunning = false
      return
    }
    void piece().then(() => setImmediate(() => this.#next()))
  }

  #take(): Piece | undefined {
    const first = this.#first[this.#firstDone]
    if (first !== undefined) {
      this.#firstDone++
      return first
    }
    this.#first.length = 0
    this.#firstDone = 0
    const further = this.#further[this.#furtherDone]
    if (further !== undefined) {
      this.#furtherDone++
      return further
    }
    this.#further.length = 0
    this.#furtherDone = 0
    return undefined
  }
}
