/**
 * The gateway's side of an engine: sends commands and queries, and passes events to the follower before any
 * request is answered. The driver decides how requests travel.
 */
import type { Command } from '../../core/commands/command.ts'
import type { EventBatch } from '../../core/events/event.ts'
import type { Reply } from '../../core/questions/reply.ts'
import type { Bootstrap } from '../../core/questions/view.ts'
import { invariant } from '../../units/invariant.ts'
import type { OrderCharge } from '../../units/order-charge.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { EngineFault, type EngineFaultKind } from './fault.ts'
import type { EnginePort, EngineSubscriber, PortQuery, ReplyReceiver } from './ports.ts'
import { ENGINE_QUERIES, type QueryFields, type QueryName, type QueryValue, queryOf } from './queries.ts'
import {
  type Asker,
  RequestClient,
  type RequestNumber,
  type RequestTerms,
  type RequestTimeouts,
} from './request-client.ts'
import type { EngineAnswer, EngineOutput, OutgoingRequest } from './requests.ts'

export type ClientOptions = {
  /** Sends a request to the engine. When it throws, the request was certainly not sent. */
  readonly send: (request: RequestNumber, outgoing: OutgoingRequest) => void
  /** Maximum number of requests without an answer; above it the answer is OVERLOADED. */
  readonly inFlightMax: number
  /**
   * The fault for requests when an engine is lost or stops: with several engines, another may replace it. By
   * default none does.
   */
  readonly goneAs?: 'NO_LEADER'
  /** The timeout for a blocked engine; undefined for none. */
  readonly patience?: RequestTimeouts
}

/** Default maximum number of unanswered requests of one client. */
export const IN_FLIGHT_MAX = 32_768

/** By kind of request, including those of the query table. */
type Answers = { readonly command: Reply } & { readonly [Name in QueryName]: QueryValue<Name> }

const COMMAND: RequestTerms = { lost: 'OUTCOME_UNKNOWN', late: 'OUTCOME_UNKNOWN' }

export class EngineClient implements EnginePort {
  readonly #requests: RequestClient<OutgoingRequest, Answers>
  readonly #subscriptions = new Set<Subscription>()
  readonly #goneAs: 'NO_LEADER' | undefined

  constructor(options: ClientOptions) {
    this.#goneAs = options.goneAs
    this.#requests = new RequestClient<OutgoingRequest, Answers>({
      ...options,
      terms: { ...ENGINE_QUERIES, command: COMMAND },
      faultOf,
      closed: 'STARTING',
    })
  }

  /** Number of requests without an answer. */
  get inFlight(): number {
    return this.#requests.inFlight
  }

  submit(command: Command, deadline?: TimeMs, charge?: OrderCharge): Promise<Reply> {
    return this.#requests.ask('command', { kind: 'command', command, deadline, charge })
  }

  hand(command: Command, receiver: ReplyReceiver, deadline?: TimeMs, charge?: OrderCharge): void {
    this.#requests.tell('command', { kind: 'command', command, deadline, charge }, receiver)
  }

  ask<Name extends PortQuery>(name: Name, fields: QueryFields<Name>): Promise<QueryValue<Name>> {
    return this.#ask(name, fields)
  }

  follow(
    listener: (batch: EventBatch) => void,
    onPassed: (time: TimeMs) => void = () => {},
  ): Promise<Bootstrap> {
    return new Promise((started, failed) => {
      this.subscribe({ started, batch: listener, passed: onPassed, failed })
    })
  }

  subscribe(subscriber: EngineSubscriber): () => void {
    const subscription = new Subscription(subscriber, () => this.#subscriptions.delete(subscription))
    this.#subscriptions.add(subscription)
    this.#requests.tell('bootstrap', { kind: 'query', query: queryOf('bootstrap', undefined) }, subscription)
    return () => subscription.end()
  }

  /** Called when the engine is ready. */
  open(): void {
    this.#requests.open()
  }

  /** Refuses every new request from now on; those in flight will be answered. */
  refuseNew(fault: 'STOPPING'): void {
    this.#requests.refuseNew(fault)
  }

  /** Called when the engine is lost. Commands in flight may have been carried out. */
  lose(): void {
    this.#requests.close(this.#goneAs ?? 'ENGINE_DOWN')
  }

  /** Received output: events first, then answers. */
  receive(output: EngineOutput): void {
    const { events, passed } = output
    if (events !== undefined) for (const subscription of this.#subscriptions) subscription.batch(events)
    if (passed !== undefined) for (const subscription of this.#subscriptions) subscription.passed(passed)
    for (const answer of output.answers) this.#settle(answer)
  }

  #faultFor(fault: EngineFaultKind): EngineFaultKind {
    return fault === 'ENGINE_DOWN' || fault === 'STOPPING' ? (this.#goneAs ?? fault) : fault
  }

  #ask<Name extends QueryName>(name: Name, fields: QueryFields<Name>): Promise<QueryValue<Name>> {
    return this.#requests.ask(name, { kind: 'query', query: queryOf(name, fields) })
  }

  #settle(answered: EngineAnswer): void {
    const { request } = answered
    switch (answered.kind) {
      case 'reply':
        this.#requests.answer(request, 'command', answered.reply)
        break
      case 'answer': {
        const { answer } = answered
        this.#requests.answer(request, answer.name, answer.value)
        break
      }
      case 'fault':
        this.#requests.refuse(request, this.#faultFor(answered.fault))
        break
    }
  }
}

/** A subscriber, from the request for its bootstrap on. */
class Subscription implements Asker<Bootstrap> {
  readonly #subscriber: EngineSubscriber
  readonly #leave: () => void
  /** The subscriber gets batches after this one; undefined until its bootstrap has arrived. */
  #seq: Seq | undefined
  #isEnded = false

  constructor(subscriber: EngineSubscriber, leave: () => void) {
    this.#subscriber = subscriber
    this.#leave = leave
  }

  /** Ends the delivery, even of its bootstrap. */
  end(): void {
    this.#isEnded = true
    this.#leave()
  }

  replied(bootstrap: Bootstrap): void {
    if (this.#isEnded) return
    this.#seq = bootstrap.seq
    this.#subscriber.started(bootstrap)
  }

  failed(fault: unknown): void {
    if (this.#isEnded) return
    this.end()
    this.#subscriber.failed(fault)
  }

  batch(batch: EventBatch): void {
    if (this.#seq === undefined) return
    const after: number = this.#seq
    invariant(batch.seq > after, () => `expected a batch after command ${after}, found ${batch.seq}`)
    this.#seq = batch.seq
    this.#subscriber.batch(batch)
  }

  passed(time: TimeMs): void {
    if (this.#seq !== undefined) this.#subscriber.passed(time)
  }
}

const MESSAGES = {
  STARTING: 'the engine is starting',
  STOPPING: 'the engine is stopping',
  OVERLOADED: 'too many requests are waiting for the engine',
  STORAGE_FULL: 'there is no space to store the command',
  ENGINE_DOWN: 'the engine has stopped',
  OUTCOME_UNKNOWN: 'the engine did not report the outcome of the command',
  CLOCK_NOT_TRUSTED: "the node's clock jumped ahead and is not trusted",
  DEADLINE_PASSED: 'the command arrived after its deadline',
  NO_LEADER: 'no engine leads now, or none can be reached',
  ORDER_RATE_LIMITED: 'the account has placed as many orders as it may for now',
} as const satisfies Record<EngineFaultKind, string>

function faultOf(kind: EngineFaultKind): EngineFault {
  return new EngineFault(kind, MESSAGES[kind])
}
