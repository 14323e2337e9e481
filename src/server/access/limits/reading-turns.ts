/**
 * Long readings that anybody may ask for, one at a time: of each address one by turns, so that who asks for a hundred waits for himself, and
 * whoever asks for one waits for one of each other. After each there is a pause as long as it took: readings have half of the time at most, however
 * many ask (docs/reference/candles.md#weight).
 */
import { cannotFail, guarded } from '../../../units/guarded.ts'
import { keysOf, timesOf } from '../auth/address.ts'

/** Waiting for its turn holds a request, and nothing that was read. */
export type ReadingTurnsConfig = {
  /** Most readings of one address that wait; of a /56 of IPv6 four times as many, of a /48 sixteen times. */
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

type Reading = {
  /** The address's key and those of its wider networks. */
  readonly keys: readonly string[]
  /** Never rejects. */
  readonly run: () => Promise<void>
}

export class ReadingTurns {
  readonly #config: ReadingTurnsConfig
  /** By the widest network of the address, in the order of their next turns: a /48 of IPv6 has 65,536 addresses' keys, and one turn. */
  readonly #waiting = new Map<string, Reading[]>()
  readonly #waitingByKey = new Map<string, number>()
  #count = 0
  #isBusy = false

  constructor(config: ReadingTurnsConfig = READING_TURNS) {
    this.#config = config
  }

  /** Readings that wait for their turn. */
  get waiting(): number {
    return this.#count
  }

  /** Reads when it is the address's turn; undefined: too many wait already. Rejects with whatever `read` rejects with or throws. */
  take<T>(address: string, read: () => Promise<T>): Promise<T> | undefined {
    const keys = keysOf(address)
    if (!this.#fits(keys)) return undefined
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const run = () => Promise.try(read).then(resolve, reject)
    const turn = keys.at(-1) ?? address
    this.#waiting.set(turn, [...(this.#waiting.get(turn) ?? []), { keys, run }])
    this.#add(keys, 1)
    this.#next()
    return promise
  }

  #fits(keys: readonly string[]): boolean {
    const { waitingPerAddressMax, waitingMax } = this.#config
    return (
      this.#count < waitingMax &&
      keys.every((key, at) => (this.#waitingByKey.get(key) ?? 0) < timesOf(at) * waitingPerAddressMax)
    )
  }

  #add(keys: readonly string[], change: 1 | -1): void {
    this.#count += change
    for (const key of keys) {
      const waiting = (this.#waitingByKey.get(key) ?? 0) + change
      if (waiting > 0) this.#waitingByKey.set(key, waiting)
      else this.#waitingByKey.delete(key)
    }
  }

  #next(): void {
    if (this.#isBusy) return
    const [first] = this.#waiting
    if (first === undefined) return
    const [turn, [reading, ...others]] = first
    this.#waiting.delete(turn)
    if (others.length > 0) this.#waiting.set(turn, others)
    if (reading === undefined) return
    this.#add(reading.keys, -1)
    this.#isBusy = true
    const { now, later } = this.#config
    const startMs = now()
    void reading.run().then(() => {
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
