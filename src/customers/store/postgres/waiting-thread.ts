/**
 * Sends requests to the thread that has the connection, and waits for its answers, while nothing else on this
 * thread runs.
 */
import { receiveMessageOnPort } from 'node:worker_threads'
import type { Outcome, StatementRequest, ThreadAnswer, ThreadPlace, ThreadRequest } from './messages.ts'

/** A started thread. */
export type ConnectionThread = {
  /** Ends it at once, with its connection. */
  terminate(): void
}

export type StartThread = (place: ThreadPlace) => ConnectionThread

type Asked = Omit<StatementRequest, 'id'> | { readonly kind: 'OPEN' }

type Running = {
  readonly thread: ConnectionThread
  readonly port: MessagePort
  readonly answered: Int32Array
}

export class WaitingThread {
  readonly #start: StartThread
  readonly #waitMs: number
  #running: Running | undefined
  #lastId = 0
  #isClosed = false

  /** `waitMs`: the time after which a thread that does not answer is replaced. */
  constructor(start: StartThread, waitMs: number) {
    this.#start = start
    this.#waitMs = waitMs
  }

  ask(asked: Asked): Outcome {
    return this.#isClosed ? { kind: 'AWAY', message: 'it was closed' } : this.#ask(asked)
  }

  /** Lets the thread end its session. No request starts another thread from now on. */
  close(): void {
    if (this.#running !== undefined) this.#ask({ kind: 'CLOSE' })
    this.#isClosed = true
    this.end()
  }

  end(): void {
    this.#running?.thread.terminate()
    this.#running?.port.close()
    this.#running = undefined
  }

  #ask(asked: Asked | { readonly kind: 'CLOSE' }): Outcome {
    this.#running ??= this.#run()
    const running = this.#running
    const id = ++this.#lastId
    const before = Atomics.load(running.answered, 0)
    running.port.postMessage({ ...asked, id } satisfies ThreadRequest)
    const waited = Atomics.wait(running.answered, 0, before, this.#waitMs)
    const answer = waited === 'timed-out' ? undefined : this.#answerTo(id, running)
    if (answer !== undefined) return answer
    this.end()
    return {
      kind: 'AWAY',
      message: `the connection thread did not answer within ${this.#waitMs} ms`,
    }
  }

  #answerTo(id: number, { port }: Running): Outcome | undefined {
    for (;;) {
      const received = receiveMessageOnPort(port) as { readonly message: ThreadAnswer } | undefined
      if (received === undefined) return undefined
      if (received.message.id === id) return received.message.outcome
    }
  }

  #run(): Running {
    const { port1, port2 } = new MessageChannel()
    const answered = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
    const thread = this.#start({ port: port2, answered })
    return { thread, port: port1, answered: new Int32Array(answered) }
  }
}
