/**
 * The gateway's side of an engine: sends commands and queries, and gives the follower its events before anybody is
 * answered. How requests travel is the driver's matter.
 */
import type { Command } from '../core/exchange/command.ts'
import type { EventBatch } from '../core/exchange/event.ts'
import type { Reply } from '../core/exchange/reply.ts'
import type { Bootstrap } from '../core/exchange/view.ts'
import { invariant } from '../units/invariant.ts'
import type { Seq, TimeMs } from '../units/quantities.ts'
import { EngineFault, type EngineFaultKind } from './fault.ts'
import type { EnginePort, PortQuery, ReplyReceiver } from './ports.ts'
import { ENGINE_QUERIES, type QueryFields, type QueryName, type QueryValue, queryOf } from './queries.ts'
import {
  type Asker,
  type Patience,
  RequestClient,
  type RequestNumber,
  type RequestTerms,
} from './request-client.ts'
import type { EngineAnswer, EngineOutput, OutgoingRequest } from './requests.ts'

export type ClientOptions = {
  /** Carries a request to the engine. When it throws, the request was certainly not sent. */
  readonly send: (request: RequestNumber, outgoing: OutgoingRequest) => void
  /** Most requests without an answer; above it the answer is OVERLOADED. */
  readonly inFlightMax: number
  /** How long an engine that hangs is waited for; undefined: as long as it takes. */
  readonly patience?: Patience
}

/** Most requests of one client without an answer, by default. */
export const IN_FLIGHT_MAX = 32_768

/** By kind of request, with those of the table. */
type Answers = { readonly command: Reply } & { readonly [Name in QueryName]: QueryValue<Name> }

const COMMAND: RequestTerms = { lost: 'OUTCOME_UNKNOWN', late: 'OUTCOME_UNKNOWN' }

export class EngineClient implements EnginePort {
  readonly #requests: RequestClient<OutgoingRequest, Answers>
  #listener: ((batch: EventBatch) => void) | undefined
  #onPassed: ((time: TimeMs) => void) | undefined
  /** The listener gets batches after this one; undefined until its bootstrap has come. */
  #followedSeq: Seq | undefined

  constructor(options: ClientOptions) {
    this.#requests = new RequestClient<OutgoingRequest, Answers>({
      ...options,
      terms: { ...ENGINE_QUERIES, command: COMMAND },
      faultOf,
      closed: 'STARTING',
    })
  }

  /** Requests without an answer. */
  get inFlight(): number {
    return this.#requests.inFlight
  }

  submit(command: Command, deadline?: TimeMs): Promise<Reply> {
    return this.#requests.ask('command', { kind: 'command', command, deadline })
  }

  hand(command: Command, receiver: ReplyReceiver, deadline?: TimeMs): void {
    this.#requests.tell('command', { kind: 'command', command, deadline }, new CommandAsker(receiver))
  }

  ask<Name extends PortQuery>(name: Name, fields: QueryFields<Name>): Promise<QueryValue<Name>> {
    return this.#ask(name, fields)
  }

  async follow(listener: (batch: EventBatch) => void, onPassed?: (time: TimeMs) => void): Promise<Bootstrap> {
    invariant(this.#listener === undefined, 'a port has one follower')
    this.#listener = listener
    this.#onPassed = onPassed
    try {
      return await this.#ask('bootstrap', undefined)
    } catch (cause) {
      this.#listener = undefined
      throw cause
    }
  }

  /** The engine is ready. */
  open(): void {
    this.#requests.open()
  }

  /** From now on every new request is refused; those in flight will be answered. */
  refuseNew(fault: 'STOPPING'): void {
    this.#requests.refuseNew(fault)
  }

  /** The engine is gone. Commands in flight may have been done. */
  lose(): void {
    this.#requests.close('ENGINE_DOWN')
  }

  /** What came back: events first, then answers. */
  receive(output: EngineOutput): void {
    const { events, passed } = output
    if (events !== undefined && this.#followedSeq !== undefined) {
      const after: number = this.#followedSeq
      invariant(events.seq > after, () => `expected a batch after command ${after}, found ${events.seq}`)
      this.#followedSeq = events.seq
      this.#listener?.(events)
    }
    if (passed !== undefined && this.#followedSeq !== undefined) this.#onPassed?.(passed)
    for (const answer of output.answers) this.#settle(answer)
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
        if (answer.name === 'bootstrap') this.#followedSeq = answer.value.seq
        this.#requests.answer(request, answer.name, answer.value)
        break
      }
      case 'fault':
        this.#requests.refuse(request, answered.fault)
        break
    }
  }
}

/** A receiver as the client of requests sees it. */
class CommandAsker implements Asker<Reply> {
  readonly #receiver: ReplyReceiver

  constructor(receiver: ReplyReceiver) {
    this.#receiver = receiver
  }

  resolve(reply: Reply): void {
    this.#receiver.replied(reply)
  }

  reject(fault: unknown): void {
    this.#receiver.failed(fault)
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
  DEADLINE_PASSED: 'the command has come after the last moment at which it was wanted',
} as const satisfies Record<EngineFaultKind, string>

function faultOf(kind: EngineFaultKind): EngineFault {
  return new EngineFault(kind, MESSAGES[kind])
}
