/**
 * The thread that has the connection: runs one statement after another for the waiting thread, and connects
 * again by itself when the connection is lost. While there is no connection, it refuses at once: an outage
 * blocks the waiting thread for one statement, not for each.
 */
import type { Outcome, StatementRequest, ThreadAnswer, ThreadPlace, ThreadRequest } from './messages.ts'

/** A connection to PostgreSQL; one that was lost is never used again. */
export type StatementConnection = {
  /** Never rejects. A statement with a name is prepared once. */
  run(
    statement: { readonly text: string; readonly name?: string },
    values: readonly unknown[],
  ): Promise<Outcome>
  /** Cuts the connection at once. */
  destroy(): void
  /** Ends the session. Never rejects. */
  close(): Promise<void>
}

export type ConnectionThreadOptions = {
  /** Rejects if the server cannot be reached in time. `onLost` is called once when the connection is lost. */
  readonly connect: (onLost: (problem: string) => void) => Promise<StatementConnection>
  readonly sleep: (ms: number) => Promise<void>
}

/** The pause between attempts to connect. */
const AGAIN_MS = 250
/** The time that a statement waits for the first attempt after a loss. */
const SOON_MS = 1_000
/** A primary that has become a standby: another one leads now. */
const READ_ONLY = '25006'
/** The tables have other columns than when the statement was prepared. */
export const TABLES_CHANGED = '0A000'
const BEGIN = 'BEGIN ISOLATION LEVEL SERIALIZABLE'

/** Serves until a request closes it, and then resolves. */
export function serveStatements(place: ThreadPlace, options: ConnectionThreadOptions): Promise<void> {
  const server = new StatementServer(options)
  const answered = new Int32Array(place.answered)
  return new Promise((resolve) => {
    const serve = async (request: ThreadRequest): Promise<void> => {
      const outcome = await server.answer(request)
      place.port.postMessage({ id: request.id, outcome } satisfies ThreadAnswer)
      Atomics.add(answered, 0, 1)
      Atomics.notify(answered, 0)
      if (request.kind === 'CLOSE') resolve()
    }
    place.port.onmessage = ({ data }) => void serve(data as ThreadRequest)
  })
}

class StatementServer {
  readonly #options: ConnectionThreadOptions
  readonly #nameByText = new Map<string, string>()
  /** The number of times that the tables have changed while this process runs. */
  #changes = 0
  #connection: StatementConnection | undefined
  /** The attempt in progress; undefined while connected, between attempts, and once closed. */
  #attempt: Promise<void> | undefined
  /** The error of the last attempt or loss. */
  #problem = 'not connected yet'
  /**
   * Whether the first attempt after the end of a connection is in progress: a server that only closed the
   * connection answers at once.
   */
  #isSoon = false
  #hasTransaction = false
  #isClosed = false
  #isRunning = false

  constructor(options: ConnectionThreadOptions) {
    this.#options = options
    void this.#stayConnected()
  }

  async answer(request: ThreadRequest): Promise<Outcome> {
    switch (request.kind) {
      case 'OPEN':
        await this.#attempt
        return this.#connection === undefined ? this.#away() : { kind: 'ROWS', rows: [], count: 0 }
      case 'CLOSE':
        this.#isClosed = true
        await this.#connection?.close()
        return { kind: 'ROWS', rows: [], count: 0 }
      case 'RUN':
        return this.#run(request)
    }
  }

  async #run({ text, values, transaction }: StatementRequest): Promise<Outcome> {
    if (transaction !== 'WITHIN') {
      if (this.#connection === undefined && this.#isSoon)
        await Promise.race([this.#attempt, this.#options.sleep(SOON_MS)])
      // The waiting thread may have given up a transaction.
      if (this.#hasTransaction) this.#lose('a transaction was left open')
    } else if (!this.#hasTransaction) return this.#away()
    const connection = this.#connection
    if (connection === undefined) return this.#away()
    if (transaction === 'BEGIN') {
      const begun = await this.#on(connection, { text: BEGIN }, [])
      if (begun.kind !== 'ROWS') return begun
      this.#hasTransaction = true
    }
    const ends = transaction === 'WITHIN' && (text === 'COMMIT' || text === 'ROLLBACK')
    const statement = ends ? { text } : { text, name: this.#nameOf(text) }
    const outcome = await this.#on(connection, statement, values)
    if (ends) this.#hasTransaction = false
    return outcome
  }

  async #on(
    connection: StatementConnection,
    statement: { readonly text: string; readonly name?: string },
    values: readonly unknown[],
  ): Promise<Outcome> {
    this.#isRunning = true
    const outcome = await connection.run(statement, values)
    this.#isRunning = false
    if (outcome.kind === 'AWAY') this.#lose(outcome.message)
    if (outcome.kind === 'REFUSED' && outcome.code === READ_ONLY) this.#lose(outcome.message)
    if (outcome.kind === 'REFUSED' && outcome.code === TABLES_CHANGED) this.#prepareAgain()
    return outcome
  }

  /** All texts come from the program: their number is limited. */
  #nameOf(text: string): string {
    const known = this.#nameByText.get(text)
    if (known !== undefined) return known
    const name = `s${this.#changes}-${this.#nameByText.size}`
    this.#nameByText.set(text, name)
    return name
  }

  /** Gives every statement a new name: those that were prepared before cannot be used. */
  #prepareAgain(): void {
    this.#changes++
    this.#nameByText.clear()
  }

  /** Drops the connection, if there is one, and connects again; `problem`: the reason. */
  #lose(problem: string): void {
    const connection = this.#connection
    if (connection === undefined) return
    this.#connection = undefined
    this.#hasTransaction = false
    this.#isSoon = false
    this.#problem = problem
    connection.destroy()
    void this.#stayConnected()
  }

  /** Drops a connection that has ended, whether a statement waits for its answer or not. */
  #ended(connection: StatementConnection | undefined, problem: string): void {
    if (connection === undefined || connection !== this.#connection) return
    this.#lose(problem)
    this.#isSoon = !this.#isRunning
  }

  async #stayConnected(): Promise<void> {
    while (!this.#isClosed && this.#connection === undefined) {
      this.#attempt = this.#connect()
      await this.#attempt
      this.#isSoon = false
      this.#attempt = undefined
      if (this.#connection === undefined) await this.#options.sleep(AGAIN_MS)
    }
  }

  async #connect(): Promise<void> {
    let connection: StatementConnection | undefined
    try {
      connection = await this.#options.connect((problem) => this.#ended(connection, problem))
      if (this.#isClosed) await connection.close()
      else this.#connection = connection
    } catch (cause) {
      this.#problem = cause instanceof Error ? cause.message : String(cause)
    }
  }

  #away(): Outcome {
    return { kind: 'AWAY', message: this.#problem }
  }
}
