/**
 * Long readings that anybody may ask for, one at a time: of each address one by turns, so that who asks for a hundred waits for himself, and
 * whoever asks for one waits for one of each other. After each there is a pause as long as it took: readings have half of the time at most, however
 * many ask (docs/reference/candles.md#weight).
 */
import { cannotFail, guarded } from '../../../units/guarded.ts'

/** Waiting for its turn holds a request, and nothing that was read. */
export type ReadingTurnsConfig = {
  /** Most readings of one address that wait. */
  readonly waitingPerAddressMax: number
  /** Most of all addresses together. */
  readonly waitingMax: number
  /** Milliseconds since some moment. */
  readonly now: () => number
  readonly later: (task: () => void, delayMs: number) => void
}

export const READING_TURNS: ReadingTurnsConfig = {
  waitingPerAddressMax: 32,
  waitingMax: 1_024,
  now: () => performance.now(),
  later: (task, delayMs) => void setTimeout(guarded(task, cannotFail), delayMs),
}

/** A pause is never longer, whatever a slow disk took. */
const PAUSE_MS_MAX = 50

type Reading = () => Promise<void>

export class ReadingTurns {
  readonly #config: ReadingTurnsConfig
  /** By address, in the order of their next turns. */
  readonly #waiting = new Map<string, Reading[]>()
  #count = 0
  #isBusy = false

  constructor(config: ReadingTurnsConfig = READING_TURNS) {
    this.#config = config
  }

  /** Readings that wait for their turn. */
  get waiting(): number {
    return this.#count
  }

  /** Reads when it is the address's turn; undefined: too many wait already. Rejects as `read` does. */
  take<T>(address: string, read: () => Promise<T>): Promise<T> | undefined {
    const own = this.#waiting.get(address) ?? []
    const { waitingPerAddressMax, waitingMax } = this.#config
    if (own.length >= waitingPerAddressMax || this.#count >= waitingMax) return undefined
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    own.push(() => read().then(resolve, reject))
    this.#waiting.set(address, own)
    this.#count++
    this.#next()
    return promise
  }

  #next(): void {
    if (this.#isBusy) return
    const [first] = this.#waiting
    if (first === undefined) return
    const [address, readings] = first
    this.#waiting.delete(address)
    const reading = readings.shift()
    if (readings.length > 0) this.#waiting.set(address, readings)
    if (reading === undefined) return
    this.#count--
    this.#isBusy = true
    const { now, later } = this.#config
    const startMs = now()
    void reading().then(() => {
      later(
        () => {
          this.#isBusy = false
          this.#next()
        },
        Math.min(now() - startMs, PAUSE_MS_MAX),
      )
    })
  }
}
