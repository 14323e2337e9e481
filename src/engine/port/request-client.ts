/**
 * The sending side of every connection to an engine or a history: it numbers requests, keeps a promise for
 * each, limits their number and their time, and settles all of them when the other side is lost. It is
 * independent of the queries and the transport. The other side may answer in any order. One client serves one
 * connection: after a loss, a new connection has a new client.
 */
import { invariant } from '../../units/invariant.ts'
import type { EngineFault, EngineFaultKind } from './fault.ts'
import { PendingRequests } from './pending-requests.ts'

/** Chosen by the sender, unique among the requests of one connection; an answer repeats it. */
export type RequestNumber = number

/** The faults of one kind of request instead of an answer. */
export type RequestTerms = {
  /**
   * The fault if the other side is lost: OUTCOME_UNKNOWN for requests that may have been carried out,
   * ENGINE_DOWN for reads.
   */
  readonly lost: 'OUTCOME_UNKNOWN' | 'ENGINE_DOWN'
  /** The fault if no answer has arrived in time; undefined if it may wait without a limit. */
  readonly late: 'OUTCOME_UNKNOWN' | 'OVERLOADED' | undefined
}

/** Time limit of a request: it is given up after `timeoutMs`, or at most a quarter later. */
export type RequestTimeouts = {
  readonly timeoutMs: number
  /** Calls `task` after `delayMs`; the returned function cancels the call. */
  readonly later: (task: () => void, delayMs: number) => () => void
}

export type RequestClientOptions<Request, Answers> = {
  /** Sends a request to the other side. When it throws, the request was certainly not sent. */
  readonly send: (number: RequestNumber, request: Request) => void
  readonly terms: { readonly [Kind in keyof Answers]: RequestTerms }
  /** Maximum number of requests without an answer; above it the answer is OVERLOADED at once. */
  readonly inFlightMax: number
  /** The fault of a kind, with a message for the caller. */
  readonly faultOf: (kind: EngineFaultKind) => EngineFault
  /** Undefined if every request waits without a limit. */
  readonly patience?: RequestTimeouts | undefined
  /** The fault for requests before `open`; undefined if requests are accepted from the beginning. */
  readonly closed?: EngineFaultKind | undefined
}

/** How many times requests are checked within the timeout. */
const LOOKS = 4

/** The receiver of an answer of a kind; called once. */
export interface Asker<Answer> {
  replied(answer: Answer): void
  failed(fault: unknown): void
  /** Called when the answer arrives after it was reported as late; undefined if it is not needed. */
  readonly late?: ((answer: Answer) => void) | undefined
}

type Pending<Answers> = {
  readonly number: RequestNumber
  readonly kind: keyof Answers
  /** Replaced once the receiver was notified that the answer is late. */
  asker: Asker<Answers[keyof Answers]>
}

/** Replaces a receiver that was notified that the answer is late and no longer waits for it. */
const NOBODY = { replied: () => {}, failed: () => {} }

function afterLate<Answer>({ late }: Asker<Answer>): Asker<Answer> {
  return late === undefined ? NOBODY : { replied: late, failed: () => {} }
}

/** `Answers`: the answer to each kind of request. */
export class RequestClient<Request, Answers extends object> {
  readonly #options: RequestClientOptions<Request, Answers>
  /** Requests that were given up stay until their answer arrives. */
  readonly #pending = new PendingRequests<Pending<Answers>>()
  #lastNumber: RequestNumber = 0
  /** The fault for new requests; undefined if they are accepted. */
  #closed: EngineFaultKind | undefined
  #isLost = false
  /** The last request sent before each of the latest checks, oldest first. */
  readonly #sentByLook: RequestNumber[] = []
  /** Requests up to this number have been given up, if their kind has a time limit. */
  #givenUpTo: RequestNumber = 0
  #cancelCheck: (() => void) | undefined

  constructor(options: RequestClientOptions<Request, Answers>) {
    this.#options = options
    this.#closed = options.closed
  }

  /** Number of requests without an answer. */
  get inFlight(): number {
    return this.#pending.size
  }

  /**
   * Sends a request; resolves with its answer, rejects with `EngineFault`, with the other side's fault or
   * with the error of `send`.
   */
  ask<Kind extends keyof Answers>(kind: Kind, request: Request): Promise<Answers[Kind]> {
    return new Promise<Answers[Kind]>((replied, failed) => this.#request(kind, request, { replied, failed }))
  }

  /**
   * Like `ask`, without a promise: `asker` is called in the turn in which the answer comes, or before this
   * function returns.
   */
  tell<Kind extends keyof Answers>(kind: Kind, request: Request, asker: Asker<Answers[Kind]>): void {
    try {
      this.#request(kind, request, asker)
    } catch (cause) {
      asker.failed(cause)
    }
  }

  /** Throws the error of `send`. */
  #request<Kind extends keyof Answers>(kind: Kind, request: Request, asker: Asker<Answers[Kind]>): void {
    const { faultOf, inFlightMax, send } = this.#options
    const refused = this.#closed ?? (this.#pending.size >= inFlightMax ? 'OVERLOADED' : undefined)
    if (refused !== undefined) {
      asker.failed(faultOf(refused))
      return
    }
    const number = ++this.#lastNumber
    send(number, request)
    // `answer` checks that the answer is of this kind.
    this.#pending.add({ number, kind, asker: asker as Pending<Answers>['asker'] })
    if (this.#cancelCheck === undefined) this.#lookLater()
  }

  /** Called when the answer to a request arrived. An answer that is no longer awaited is ignored. */
  answer<Kind extends keyof Answers>(number: RequestNumber, kind: Kind, answer: Answers[Kind]): void {
    const pending = this.#take(number)
    if (pending === undefined) return
    invariant(
      pending.kind === kind,
      () => `expected ${String(pending.kind)} for request ${number}, found ${String(kind)}`,
    )
    pending.asker.replied(answer)
  }

  /**
   * Called when the other side did not carry out the request, and returned `fault`; unknown requests are
   * ignored, as in `answer`.
   */
  refuse(number: RequestNumber, fault: Error | EngineFaultKind): void {
    const pending = this.#take(number)
    pending?.asker.failed(typeof fault === 'string' ? this.#options.faultOf(fault) : fault)
  }

  /** Called when the other side is ready. A closed client stays closed. */
  open(): void {
    if (this.#closed === this.#options.closed) this.#closed = undefined
  }

  /** Refuses every new request with `fault` from now on; those in flight will be answered. */
  refuseNew(fault: EngineFaultKind): void {
    if (!this.#isLost) this.#closed = fault
  }

  /**
   * Called when the other side is lost or about to be: rejects pending requests with the fault for their kind
   * (with `fault` if they only read), and all new ones with `fault`.
   */
  close(fault: EngineFaultKind): void {
    this.#isLost = true
    this.#closed = fault
    this.#cancelCheck?.()
    this.#cancelCheck = undefined
    const { faultOf, terms } = this.#options
    const pending = this.#pending.upTo(this.#lastNumber)
    this.#pending.clear()
    for (const { kind, asker } of pending) {
      const { lost } = terms[kind]
      asker.failed(faultOf(lost === 'OUTCOME_UNKNOWN' ? lost : fault))
    }
  }

  /** Undefined if the request was given up by a loss. */
  #take(number: RequestNumber): Pending<Answers> | undefined {
    invariant(
      number <= this.#lastNumber,
      () => `expected an answer to one of ${this.#lastNumber} requests, found one to request ${number}`,
    )
    return this.#pending.take(number)
  }

  #lookLater(): void {
    const { patience } = this.#options
    if (patience === undefined) return
    this.#cancelCheck = patience.later(() => this.#look(), patience.timeoutMs / LOOKS)
  }

  /**
   * One timer for all requests: a request sent before the check that was `LOOKS` checks ago has timed out.
   */
  #look(): void {
    this.#cancelCheck = undefined
    this.#sentByLook.push(this.#lastNumber)
    if (this.#sentByLook.length > LOOKS) this.#giveUp(this.#sentByLook.shift() ?? 0)
    if (this.#pending.size > 0) this.#lookLater()
    else this.#sentByLook.length = 0
  }

  #giveUp(last: RequestNumber): void {
    const { faultOf, terms } = this.#options
    for (const pending of this.#pending.upTo(last)) {
      const { number, kind, asker } = pending
      const { late } = terms[kind]
      // The receiver just called may itself have ended the other requests.
      const isOver = number <= this.#givenUpTo || !this.#pending.has(number)
      if (isOver || late === undefined) continue
      // The caller gets one result; a later answer goes to callers that asked for it.
      pending.asker = afterLate(asker)
      asker.failed(faultOf(late))
    }
    this.#givenUpTo = last
  }
}
