/**
 * Queries that wait until history has reached some command. They come almost in the order of their commands,
 * so a list kept sorted from its end costs next to nothing.
 */
import type { Seq } from '../../units/quantities.ts'
import { EngineFault } from '../port/fault.ts'

type Waiting = {
  readonly atLeast: Seq
  readonly resolve: () => void
  readonly reject: (fault: EngineFault) => void
}

export class WaitingList {
  readonly #max: number
  readonly #onWait: () => void
  /** By `atLeast`, lowest first; queries with the same command are in the order in which they came. */
  #waiting: Waiting[] = []
  #reached: Seq
  #fault: EngineFault | undefined

  /**
   * Starts at command `reached`; accepts at most `max` queries; `onWait` is called for each that must wait.
   */
  constructor(reached: Seq, max: number, onWait: () => void = () => {}) {
    this.#reached = reached
    this.#max = max
    this.#onWait = onWait
  }

  /** Number of waiting queries. */
  get size(): number {
    return this.#waiting.length
  }

  /**
   * Resolves once the history has reached `atLeast`; at once if it has. Rejects with `EngineFault`:
   * OVERLOADED if too many wait, or with the argument of `fail`. It waits without a limit: the caller has a
   * timeout.
   */
  reach(atLeast: Seq): Promise<void> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault)
    if (atLeast <= this.#reached) return Promise.resolve()
    if (this.#waiting.length >= this.#max) {
      return Promise.reject(
        new EngineFault('OVERLOADED', `${this.#max} requests are already waiting for the history`),
      )
    }
    return new Promise((resolve, reject) => {
      let place = this.#waiting.length
      while (place > 0 && (this.#waiting[place - 1] as Waiting).atLeast > atLeast) place--
      this.#waiting.splice(place, 0, { atLeast, resolve, reject })
      this.#onWait()
    })
  }

  /** Called when history reaches command `seq`: answers all queries that waited for it. */
  advance(seq: Seq): void {
    this.#reached = seq
    let count = 0
    while (count < this.#waiting.length && (this.#waiting[count] as Waiting).atLeast <= seq) count++
    for (const { resolve } of this.#waiting.splice(0, count)) resolve()
  }

  /** Called when the history ends: rejects all waiting and later queries. */
  fail(fault: EngineFault): void {
    this.#fault = fault
    for (const { reject } of this.#waiting.splice(0)) reject(fault)
  }
}
