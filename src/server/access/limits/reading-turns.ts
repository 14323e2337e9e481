/**
 * Runs long reads that any client may request one at a time, alternating between addresses: a client with a
 * hundred requests waits for itself, and one with a single request waits for one of each other address. Each
 * read is followed by a pause of the same length, so reads use at most half of the time, however many clients
 * request them (docs/reference/candles.md#weight).
 */
import { cannotFail, guarded } from '../../../units/guarded.ts'
import { keysOf, timesOf } from '../auth/address.ts'

/** A read waiting for its turn holds its request in memory, but no data. */
export type ReadingTurnsConfig = {
  /**
   * Maximum number of waiting reads of one address; a /56 of IPv6 has four times as many, a /48 sixteen
   * times.
   */
  readonly waitingPerAddressMax: number
  /** Maximum number of waiting reads of all addresses together. */
  readonly waitingMax: number
  /** Milliseconds since an arbitrary time. */
  readonly now: () => number
  readonly later: (task: () => void, delayMs: number) => void
}

export const READING_TURNS: ReadingTurnsConfig = {
  waitingPerAddressMax: 32,
  waitingMax: 1_024,
  now: () => performance.now(),
  later: (task, delayMs) => void setTimeout(guarded(task, cannotFail), delayMs),
}

/** Maximum pause, however slow the disk was. */
const PAUSE_MS_MAX = 50

type Reading = {
  /** The address's key and those of its wider networks. */
  readonly keys: readonly string[]
  /** Never rejects. */
  readonly run: () => Promise<void>
}

export class ReadingTurns {
  readonly #config: ReadingTurnsConfig
  /**
   * By the widest network of the address, in the order of the next turns: a /48 of IPv6 has 65,536 address
   * keys, but one turn.
   */
  readonly #waiting = new Map<string, Reading[]>()
  readonly #waitingByKey = new Map<string, number>()
  #count = 0
  #isBusy = false

  constructor(config: ReadingTurnsConfig = READING_TURNS) {
    this.#config = config
  }

  /** Number of reads that wait for their turn. */
  get waiting(): number {
    return this.#count
  }

  /**
   * Reads when it is the address's turn; undefined if too many reads are waiting already. Rejects with the
   * error that `read` throws or rejects with.
   */
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
