/**
 * The gateway's side of an engine: numbers requests, keeps a promise for each, and gives the follower its events
 * before anybody is answered. How requests travel is the driver's matter.
 */
import type { Command } from '../core/exchange/command.ts'
import type { Reply } from '../core/exchange/reply.ts'
import type { Balance, Bootstrap, OpenOrdersPage, OpenOrdersQuery } from '../core/exchange/view.ts'
import type { AccountId } from '../units/ids.ts'
import { invariant } from '../units/invariant.ts'
import type { Seq } from '../units/quantities.ts'
import { EngineFault, type EngineFaultKind, type EnginePort, type EventBatch } from './ports.ts'
import type { CommandRequest, EngineAnswer, EngineOutput, EngineRequest, RequestNumber } from './requests.ts'

/** A request on its way: the command is not encoded yet. */
export type OutgoingRequest = Exclude<EngineRequest, CommandRequest> | Omit<CommandRequest, 'frame'>

export type ClientOptions = {
  /** Carries a request to the engine. When it throws, the request was certainly not sent. */
  readonly send: (request: OutgoingRequest) => void
  /** Most requests without an answer; above it the answer is OVERLOADED. */
  readonly inFlightMax: number
}

/** Most requests of one client without an answer, unless told otherwise. */
export const IN_FLIGHT_MAX = 32_768

type Success = Exclude<EngineAnswer, { kind: 'fault' }>

/** What those who ask wait for, by the kind of their request. */
type Results = {
  readonly reply: Reply
  readonly openOrders: OpenOrdersPage
  readonly balances: readonly Balance[]
  readonly bootstrap: Bootstrap
}

type Pending = {
  readonly kind: Success['kind']
  readonly resolve: (result: Results[Success['kind']]) => void
  readonly reject: (fault: EngineFault) => void
}

export class EngineClient implements EnginePort {
  readonly #options: ClientOptions
  /** In the order in which they were sent. */
  readonly #pendingByRequest = new Map<RequestNumber, Pending>()
  #lastRequest = 0
  /** The last request sent before the last `expire`. */
  #expiring: RequestNumber = 0
  /** Why nothing is taken now; undefined: it is. */
  #closed: EngineFaultKind | undefined = 'STARTING'
  #listener: ((batch: EventBatch) => void) | undefined
  /** The listener gets batches after this one; undefined until its bootstrap has come. */
  #followedSeq: Seq | undefined

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Requests without an answer. */
  get inFlight(): number {
    return this.#pendingByRequest.size
  }

  submit(command: Command): Promise<Reply> {
    const request = ++this.#lastRequest
    return this.#ask('reply', { kind: 'command', request, command })
  }

  openOrders(query: OpenOrdersQuery): Promise<OpenOrdersPage> {
    const request = ++this.#lastRequest
    return this.#ask('openOrders', { kind: 'openOrders', request, query })
  }

  balances(accountId: AccountId): Promise<readonly Balance[]> {
    const request = ++this.#lastRequest
    return this.#ask('balances', { kind: 'balances', request, accountId })
  }

  async follow(listener: (batch: EventBatch) => void): Promise<Bootstrap> {
    invariant(this.#listener === undefined, 'a port has one follower')
    this.#listener = listener
    try {
      return await this.#ask('bootstrap', { kind: 'bootstrap', request: ++this.#lastRequest })
    } catch (cause) {
      this.#listener = undefined
      throw cause
    }
  }

  /** The engine is ready. */
  open(): void {
    if (this.#closed === 'STARTING') this.#closed = undefined
  }

  /** From now on every new request is refused; those in flight will be answered. */
  refuseNew(fault: 'STOPPING'): void {
    if (this.#closed !== 'ENGINE_DOWN') this.#closed = fault
  }

  /** The engine is gone. Commands in flight may have been done. */
  lose(): void {
    this.#closed = 'ENGINE_DOWN'
    const pending = [...this.#pendingByRequest.values()]
    this.#pendingByRequest.clear()
    for (const { kind, reject } of pending)
      reject(faultOf(kind === 'reply' ? 'OUTCOME_UNKNOWN' : 'ENGINE_DOWN'))
  }

  /**
   * Gives up waiting for whatever was sent before the call before this one: an engine that hangs must not leave people
   * without an answer. Called every so often, so nobody waits longer than twice that. What comes late is passed over;
   * until then it stays in flight. A bootstrap may take its time.
   */
  expire(): void {
    for (const [request, { kind, reject }] of this.#pendingByRequest) {
      if (request > this.#expiring) break
      if (kind !== 'bootstrap') reject(faultOf(kind === 'reply' ? 'OUTCOME_UNKNOWN' : 'OVERLOADED'))
    }
    this.#expiring = this.#lastRequest
  }

  /** What came back: events first, then answers. */
  receive(output: EngineOutput): void {
    const { events } = output
    if (events !== undefined && this.#followedSeq !== undefined) {
      const after: number = this.#followedSeq
      invariant(events.seq > after, () => `expected a batch after command ${after}, found ${events.seq}`)
      this.#followedSeq = events.seq
      this.#listener?.(events)
    }
    for (const answer of output.answers) this.#settle(answer)
  }

  #ask<Kind extends Success['kind']>(kind: Kind, outgoing: OutgoingRequest): Promise<Results[Kind]> {
    return new Promise<Results[Kind]>((resolve, reject) => {
      if (this.#closed !== undefined) return reject(faultOf(this.#closed))
      if (this.#pendingByRequest.size >= this.#options.inFlightMax) return reject(faultOf('OVERLOADED'))
      this.#options.send(outgoing)
      // `#settle` makes sure that the answer is of this kind.
      this.#pendingByRequest.set(outgoing.request, { kind, resolve: resolve as Pending['resolve'], reject })
    })
  }

  #settle(answer: EngineAnswer): void {
    const { request } = answer
    const pending = this.#pendingByRequest.get(request)
    invariant(pending !== undefined, () => `nobody waits for an answer to request ${request}`)
    this.#pendingByRequest.delete(request)
    if (answer.kind === 'fault') {
      pending.reject(faultOf(answer.fault))
      return
    }
    const { kind } = pending
    invariant(answer.kind === kind, () => `expected ${kind} for request ${request}, found ${answer.kind}`)
    if (answer.kind === 'bootstrap') this.#followedSeq = answer.bootstrap.seq
    pending.resolve(resultOf(answer))
  }
}

function resultOf(answer: Success): Results[Success['kind']] {
  switch (answer.kind) {
    case 'reply':
      return answer.reply
    case 'openOrders':
      return answer.page
    case 'balances':
      return answer.balances
    case 'bootstrap':
      return answer.bootstrap
  }
}

const MESSAGES = {
  STARTING: 'the engine is starting',
  STOPPING: 'the engine is stopping',
  OVERLOADED: 'too many requests wait for the engine',
  STORAGE_FULL: 'there is no room to store the command',
  ENGINE_DOWN: 'the engine has stopped',
  OUTCOME_UNKNOWN: 'the engine has not said what became of the command',
  CLOCK_NOT_TRUSTED: 'the clock of the node has jumped ahead and is not trusted',
} as const satisfies Record<EngineFaultKind, string>

function faultOf(kind: EngineFaultKind): EngineFault {
  return new EngineFault(kind, MESSAGES[kind])
}
