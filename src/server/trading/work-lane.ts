/**
 * Long work in pieces: one piece in a turn of the event loop, and one at a time. Other messages are served
 * between two pieces, so long answers delay others by one piece only.
 */

type Piece = () => Promise<void>

const DONE: Piece = async () => {}

/** A queue that is never empty releases its taken entries whenever there are this many. */
const TAKEN_MAX = 1_024

export class WorkLane {
  readonly #first = new Queue()
  readonly #further = new Queue()
  #wasFirst = false
  #isRunning = false

  /** Runs the first piece of an answer: most answers have only one. Rejects like `work` does. */
  first<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#run(this.#first, work)
  }

  /** Runs a further piece of an answer, in the order of the calls. Rejects like `work` does. */
  further<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#run(this.#further, work)
  }

  #run<T>(queue: Queue, work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      queue.add(async () => {
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

  /** The two kinds take turns, so that neither waits for the end of the other. */
  #take(): Piece | undefined {
    const preferred = this.#wasFirst ? this.#further.take() : undefined
    if (preferred !== undefined) {
      this.#wasFirst = false
      return preferred
    }
    const first = this.#first.take()
    this.#wasFirst = first !== undefined
    return first ?? this.#further.take()
  }
}

/** First in, first out; taking costs the same however many wait. */
class Queue {
  #pieces: Piece[] = []
  #taken = 0

  add(piece: Piece): void {
    this.#pieces.push(piece)
  }

  take(): Piece | undefined {
    const piece = this.#pieces[this.#taken]
    if (piece === undefined) return undefined
    this.#pieces[this.#taken++] = DONE
    if (this.#taken === this.#pieces.length || this.#taken === TAKEN_MAX) {
      this.#pieces = this.#pieces.slice(this.#taken)
      this.#taken = 0
    }
    return piece
  }
}
