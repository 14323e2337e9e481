/**
 * The active faults of a sandbox, and the choice of the fault that affects a request, at random by each
 * fault's seed. They are only in memory, and end with the process.
 */
import type { FaultKind, FaultRequest } from '../../../contract/admin/operations/faults.ts'
import { FAULTS_MAX } from '../../../contract/admin/operations/faults.ts'
import { SeededRandom } from '../random.ts'

export type Fault = {
  readonly number: number
  readonly request: FaultRequest
  readonly random: SeededRandom
  /** By the monotonic clock; undefined if it has no time limit. */
  readonly endsAtMs: number | undefined
  struck: number
}

/** The requests and accounts that a fault may affect. */
export type FaultSubject = {
  /** Name of the account; undefined if not authenticated. */
  readonly account: string | undefined
  readonly apiKey: string | undefined
  /** `POST /api/v3/order`, `order.place`; undefined if the request has no name. */
  readonly endpoint: string | undefined
}

export type FaultTableOptions = {
  /** Milliseconds since an arbitrary time, by a monotonic clock. */
  readonly monotonicMs: () => number
  /** Accounts affected only by faults that name them. */
  readonly spared: ReadonlySet<string>
  /** Called when a fault has ended by itself. */
  readonly onEnded: (fault: Fault) => void
}

export class FaultTable {
  readonly #options: FaultTableOptions
  readonly #faultByNumber = new Map<number, Fault>()
  #lastNumber = 0

  constructor(options: FaultTableOptions) {
    this.#options = options
  }

  /** Whether there are no faults; checked first, for every request. */
  get isEmpty(): boolean {
    return this.#faultByNumber.size === 0
  }

  list(): readonly Fault[] {
    this.#endThoseOver()
    return [...this.#faultByNumber.values()]
  }

  /** Undefined if the maximum number of faults is active. A second CLOCK replaces the first. */
  add(request: FaultRequest): Fault | undefined {
    this.#endThoseOver()
    if (request.kind === 'CLOCK') {
      for (const { number, request: other } of this.#faultByNumber.values()) {
        if (other.kind === 'CLOCK') this.#faultByNumber.delete(number)
      }
    }
    if (this.#faultByNumber.size >= FAULTS_MAX) return undefined
    const { seconds, seed = 0 } = request
    const number = ++this.#lastNumber
    const endsAtMs = seconds === undefined ? undefined : this.#options.monotonicMs() + seconds * 1_000
    const fault = { number, request, random: new SeededRandom(seed, request.kind), endsAtMs, struck: 0 }
    this.#faultByNumber.set(number, fault)
    return fault
  }

  /** Returns the number of removed faults. */
  clear(number: number | undefined): number {
    if (number !== undefined) return this.#faultByNumber.delete(number) ? 1 : 0
    const count = this.#faultByNumber.size
    this.#faultByNumber.clear()
    return count
  }

  /**
   * The first fault of a kind that affects the request. A random number is drawn for each possible fault, so
   * that the outcome is the same for the same seed.
   */
  strike(
    kind: FaultKind,
    subject: FaultSubject,
    fits: (request: FaultRequest) => boolean = () => true,
  ): Fault | undefined {
    if (this.#faultByNumber.size === 0) return undefined
    let struck: Fault | undefined
    for (const fault of this.#faultByNumber.values()) {
      const { request, random } = fault
      if (request.kind !== kind || this.#isOver(fault) || !this.#meets(request, subject) || !fits(request))
        continue
      if (random.below(100) >= (request.percent ?? 100)) continue
      struck ??= fault
    }
    if (struck === undefined) return undefined
    struck.struck++
    if (struck.struck >= (struck.request.times ?? Number.POSITIVE_INFINITY)) this.#end(struck)
    return struck
  }

  /** The error of the server's time, in milliseconds; 0 if there is none. */
  clockOffsetMs(): number {
    for (const fault of this.#faultByNumber.values()) {
      const { kind, aheadMs = 0, behindMs = 0 } = fault.request
      if (kind === 'CLOCK' && !this.#isOver(fault)) return aheadMs - behindMs
    }
    return 0
  }

  #meets({ account, apiKey, endpoint }: FaultRequest, subject: FaultSubject): boolean {
    if (endpoint !== undefined && endpoint !== subject.endpoint) return false
    if (apiKey !== undefined) return apiKey === subject.apiKey
    if (account !== undefined) return account === subject.account
    return subject.account === undefined || !this.#options.spared.has(subject.account)
  }

  #isOver({ endsAtMs }: Fault): boolean {
    return endsAtMs !== undefined && this.#options.monotonicMs() >= endsAtMs
  }

  #endThoseOver(): void {
    for (const fault of this.#faultByNumber.values()) if (this.#isOver(fault)) this.#end(fault)
  }

  #end(fault: Fault): void {
    this.#faultByNumber.delete(fault.number)
    this.#options.onEnded(fault)
  }
}
