/** Limits the number of requests in flight, and the number of those that wait for their turn. */
import { BourseError } from '../errors.ts'
import { aborted } from './attempt.ts'

type Waiting = { readonly start: () => void }

export class Slots {
  readonly #underWayMax: number
  readonly #waitingMax: number
  readonly #waiting = new Set<Waiting>()
  #underWay = 0

  constructor(underWayMax: number, waitingMax: number) {
    this.#underWayMax = underWayMax
    this.#waitingMax = waitingMax
  }

  /** Runs `work` when it is its turn; waiting callers are served in order. */
  async use<Result>(
    request: string,
    signal: AbortSignal | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await this.#turn(request, signal)
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  #turn(request: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#underWay < this.#underWayMax) {
      this.#underWay++
      return Promise.resolve()
    }
    if (this.#waiting.size >= this.#waitingMax) {
      const said = `${request}: ${this.#waitingMax} requests are waiting in this client`
      return Promise.reject(new BourseError('BUSY', said, { outcome: 'NOT_DONE', request }))
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(waiting)
        if (signal !== undefined) reject(aborted(request, signal, 'NOT_DONE'))
      }
      const waiting: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      this.#waiting.add(waiting)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** Passes the slot to the caller that has waited longest. */
  #pass(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#underWay--
      return
    }
    this.#waiting.delete(next)
    next.start()
  }
}
