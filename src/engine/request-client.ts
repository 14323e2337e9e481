/**
 * The asking side of every connection to an engine or a history: numbers requests, keeps a promise for each, bounds how
 * many wait and for how long, and settles all of them when the other side is gone. It knows neither what is asked nor how
 * it travels: a channel between threads today, a connection to another machine tomorrow. The other side may answer in
 * any order. One client serves one connection: after a loss, a new connection has a new client.
 */
import { invariant } from '../units/invariant.ts'
import type { EngineFault, EngineFaultKind } from './fault.ts'

/** Chosen by the sender, unique among the requests of one connection; an answer names it. */
export type RequestNumber = number

/** What one kind of request gets instead of an answer. */
export type RequestTerms = {
  /** When the other side is lost: OUTCOME_UNKNOWN for what may have been done, ENGINE_DOWN for what only reads. */
  readonly lost: 'OUTCOME_UNKNOWN' | 'ENGINE_DOWN'
  /** When no answer has come in time; undefined: it may wait as long as it takes. */
  readonly late: 'OUTCOME_UNKNOWN' | 'OVERLOADED' | undefined
}

/** How long a request waits: `timeoutMs`, and at most a quarter longer. */
export type Patience = {
  readonly timeoutMs: number
  /** Calls back after some time; the answer cancels that. */
  readonly later: (task: () => void, delayMs: number) => () => void
}

export type RequestClientOptions<Request, Answers> = {
  /** Carries a request to the other side. When it throws, the request was certainly not sent. */
  readonly send: (number: RequestNumber, request: Request) => void
  readonly terms: { readonly [Kind in keyof Answers]: RequestTerms }
  /** Most requests without an answer; above it the answer is OVERLOADED at once. */
  readonly inFlightMax: number
  /** The fault of a kind, in words for whoever asked. */
  readonly faultOf: (kind: EngineFaultKind) => EngineFault
  /** Undefined: every request waits as long as it takes. */
  readonly patience?: Patience | undefined
  /** Why nothing is taken before `open`; undefined: requests are taken from the beginning. */
  readonly closed?: EngineFaultKind | undefined
}

/** Requests are looked at so many times within their timeout. */
const LOOKS = 4

/** Who waits for an answer of a kind; told once. */
export interface Asker<Answer> {
  resolve(answer: Answer): void
  reject(fault: unknown): void
  /** Its answer has come after all, behind being told that it is late; undefined: nobody waits for that. */
  readonly late?: ((answer: Answer) => void) | undefined
}

type Pending<Answers> = { readonly kind: keyof Answers; readonly asker: Asker<Answers[keyof Answers]> }

/** In place of somebody who has been told that the answer is late, and does not wait for it. */
const NOBODY = { resolve: () => {}, reject: () => {} }

function afterLate<Answer>({ late }: Asker<Answer>): Asker<Answer> {
  return late === undefined ? NOBODY : { resolve: late, reject: () => {} }
}

/** `Answers`: what each kind of request is answered with. */
export class RequestClient<Request, Answers extends object> {
  readonly #options: RequestClientOptions<Request, Answers>
  /** In the order in which they were sent. Those that were given up stay until their answer comes. */
  readonly #pendingByNumber = new Map<RequestNumber, Pending<Answers>>()
  #lastNumber: RequestNumber = 0
  /** Why nothing is taken now; undefined: it is. */
  #closed: EngineFaultKind | undefined
  #isLost = false
  /** The last request sent before each of the latest looks, oldest first. */
  readonly #sentByLook: RequestNumber[] = []
  /** All up to this one have been given up, where their kind is. */
  #givenUpTo: RequestNumber = 0
  #cancelLook: (() => void) | undefined

  constructor(options: RequestClientOptions<Request, Answers>) {
    this.#options = options
    this.#closed = options.closed
  }

  /** Requests without an answer. */
  get inFlight(): number {
    return this.#pendingByNumber.size
  }

  /** Sends a request; resolves with its answer, rejects with `EngineFault`, with the other side's fault or with what `send` throws. */
  ask<Kind extends keyof Answers>(kind: Kind, request: Request): Promise<Answers[Kind]> {
    return new Promise<Answers[Kind]>((resolve, reject) => this.#request(kind, request, { resolve, reject }))
  }

  /** The same without a promise: `asker` is told in the turn in which the answer comes, or before this returns. */
  tell<Kind extends keyof Answers>(kind: Kind, request: Request, asker: Asker<Answers[Kind]>): void {
    try {
      this.#request(kind, request, asker)
    } catch (cause) {
      asker.reject(cause)
    }
  }

  /** Throws what `send` throws. */
  #request<Kind extends keyof Answers>(kind: Kind, request: Request, asker: Asker<Answers[Kind]>): void {
    const { faultOf, inFlightMax, send } = this.#options
    const refused = this.#closed ?? (this.#pendingByNumber.size >= inFlightMax ? 'OVERLOADED' : undefined)
    if (refused !== undefined) {
      asker.reject(faultOf(refused))
      return
    }
    const number = ++this.#lastNumber
    send(number, request)
    // `answer` makes sure that what comes back is of this kind.
    this.#pendingByNumber.set(number, { kind, asker: asker as Pending<Answers>['asker'] })
    if (this.#cancelLook === undefined) this.#lookLater()
  }

  /** The answer to a request has come. One to a request that nobody waits for any more is passed over. */
  answer<Kind extends keyof Answers>(number: RequestNumber, kind: Kind, answer: Answers[Kind]): void {
    const pending = this.#take(number)
    if (pending === undefined) return
    invariant(
      pending.kind === kind,
      () => `expected ${String(pending.kind)} for request ${number}, found ${String(kind)}`,
    )
    pending.asker.resolve(answer)
  }

  /** The other side did not do it. `fault` has been given by the other side; passed over as `answer` does. */
  refuse(number: RequestNumber, fault: Error | EngineFaultKind): void {
    const pending = this.#take(number)
    pending?.asker.reject(typeof fault === 'string' ? this.#options.faultOf(fault) : fault)
  }

  /** The other side is ready. What has been closed stays closed. */
  open(): void {
    if (this.#closed === this.#options.closed) this.#closed = undefined
  }

  /** From now on every new request is refused with `fault`; those in flight will be answered. */
  refuseNew(fault: EngineFaultKind): void {
    if (!this.#isLost) this.#closed = fault
  }

  /**
   * The other side is gone, or will be: what waits is rejected as its kind says, with `fault` where it only reads, and all
   * that comes with `fault`.
   */
  close(fault: EngineFaultKind): void {
    this.#isLost = true
    this.#closed = fault
    this.#cancelLook?.()
    this.#cancelLook = undefined
    const { faultOf, terms } = this.#options
    const pending = [...this.#pendingByNumber.values()]
    this.#pendingByNumber.clear()
    for (const { kind, asker } of pending) {
      const { lost } = terms[kind]
      asker.reject(faultOf(lost === 'OUTCOME_UNKNOWN' ? lost : fault))
    }
  }

  /** Undefined: it was given up by a loss. */
  #take(number: RequestNumber): Pending<Answers> | undefined {
    invariant(
      number <= this.#lastNumber,
      () => `expected an answer to one of ${this.#lastNumber} requests, found one to request ${number}`,
    )
    const pending = this.#pendingByNumber.get(number)
    this.#pendingByNumber.delete(number)
    return pending
  }

  #lookLater(): void {
    const { patience } = this.#options
    if (patience === undefined) return
    this.#cancelLook = patience.later(() => this.#look(), patience.timeoutMs / LOOKS)
  }

  /** One timer for all: whoever was sent before the look so many looks ago has waited long enough. */
  #look(): void {
    this.#cancelLook = undefined
    this.#sentByLook.push(this.#lastNumber)
    if (this.#sentByLook.length > LOOKS) this.#giveUp(this.#sentByLook.shift() ?? 0)
    if (this.#pendingByNumber.size > 0) this.#lookLater()
    else this.#sentByLook.length = 0
  }

  #giveUp(last: RequestNumber): void {
    const { faultOf, terms } = this.#options
    for (const [number, { kind, asker }] of this.#pendingByNumber) {
      if (number > last) break
      const { late } = terms[kind]
      if (number <= this.#givenUpTo || late === undefined) continue
      // Whoever asked is told once; what still comes is for whoever asks for that.
      this.#pendingByNumber.set(number, { kind, asker: afterLate(asker) })
      asker.reject(faultOf(late))
    }
    this.#givenUpTo = last
  }
}
