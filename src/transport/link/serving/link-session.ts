/**
 * The engine's end of one link. It passes a gateway's requests and queries to the engine and the history and
 * returns their answers. Each batch of events is sent before the answers that belong to it, and the confirmed
 * position before both. It has no access to the socket. An authenticated gateway may send its clients'
 * commands and no others: a gateway that sends another kind is cut off.
 */
import type { CommandKind } from '../../../core/commands/command.ts'
import type { EventBatch } from '../../../core/events/event.ts'
import type { Reply } from '../../../core/questions/reply.ts'
import { EngineFault, type EngineFaultKind } from '../../../engine/port/fault.ts'
import type { HistoryPort } from '../../../engine/port/history-questions.ts'
import type { JournalPosition } from '../../../engine/port/journal.ts'
import type { EnginePort, ReplyReceiver } from '../../../engine/port/ports.ts'
import type { EngineQuery, QueryName } from '../../../engine/port/queries.ts'
import type { RequestNumber } from '../../../engine/port/request-client.ts'
import type { CommandRequest, EngineAnswer, QueryRequest } from '../../../engine/port/requests.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import { ByteWriter } from '../../../units/bytes.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { readRequests, writeOutput } from '../../thread/messages.ts'
import type { CountEnd } from '../protocol/count-end.ts'
import type { EncodedEvents } from '../protocol/encoded-events.ts'
import {
  BARRIER_FRAME,
  readFrame,
  writeBlockFrame,
  writeConfirmedFrame,
  writeQuestionFrame,
} from '../protocol/frames.ts'
import { LinkFault } from '../protocol/link-fault.ts'
import { HistoryRelay } from './history-relay.ts'
import { LinkSessions } from './link-sessions.ts'

export type LinkSessionOptions = {
  readonly engine: EnginePort
  readonly history: HistoryPort
  /** Shared by all links. */
  readonly events: EncodedEvents
  /**
   * Maximum number of unanswered requests, and of unanswered queries, of one gateway; above it the answer is
   * OVERLOADED.
   */
  readonly inFlightMax: number
  /** The kinds of commands that it may send. */
  readonly commands: ReadonlySet<CommandKind>
  /** The confirmed end of the journal; undefined if peers need not remember it. */
  readonly confirmed: (() => JournalPosition) | undefined
  readonly scheduler: Scheduler
  /** Never throws. */
  readonly send: (frame: Uint8Array) => void
  /** Undefined if this end counts no charges of commands. */
  readonly counts?: CountEnd | undefined
}

export class LinkSession {
  readonly #options: LinkSessionOptions
  readonly #history: HistoryRelay
  readonly #sessions: LinkSessions
  readonly #writer = new ByteWriter(4_096)
  #isFlushing = false
  #isClosed = false
  #inFlight = 0
  /** The last confirmed position that was sent. */
  #markedAt = -1
  /** Stops the delivery of events; undefined if they are not being delivered. */
  #leave: (() => void) | undefined

  constructor(options: LinkSessionOptions) {
    this.#options = options
    this.#sessions = new LinkSessions(options.engine, options.scheduler)
    const { history, inFlightMax } = options
    this.#history = new HistoryRelay(history, inFlightMax, (message) => {
      if (!this.#isClosed) options.send(writeQuestionFrame(message))
    })
  }

  /** Number of unanswered requests to the engine. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Processes a frame of the gateway. Throws `BytesFault` or `LinkFault`; the link is then unusable. */
  receive(bytes: Uint8Array): void {
    const frame = readFrame(bytes)
    switch (frame.kind) {
      case 'block':
        this.#takeIn(frame.block)
        break
      case 'question':
        this.#history.receive(frame.message)
        break
      case 'barrier':
        this.#flush()
        this.#options.send(BARRIER_FRAME)
        break
      case 'count':
        if (this.#options.counts === undefined) throw new LinkFault('BAD_FRAME', 'expected no count frame')
        this.#options.counts.receive(frame.message)
        break
      default:
        throw new LinkFault(
          'FORBIDDEN',
          `expected a request of a gateway, found a frame of kind ${frame.kind}`,
        )
    }
  }

  /** Called when the gateway is lost: its commands are carried out, but not answered. */
  close(): void {
    this.#isClosed = true
    this.#options.counts?.close()
    this.#leave?.()
    this.#sessions.lost()
  }

  /** Sends the confirmed position if it has advanced. */
  mark(): void {
    const confirmed = this.#options.confirmed?.()
    if (this.#isClosed || confirmed === undefined || confirmed.position <= this.#markedAt) return
    this.#markedAt = confirmed.position
    this.#options.send(writeConfirmedFrame(confirmed))
  }

  #takeIn(block: ArrayBuffer): void {
    const { requests, unreadable } = readRequests(block)
    for (const request of requests) if (request.kind === 'command') this.#requireAllowed(request.command.kind)
    for (const request of unreadable) {
      this.#give({ kind: 'reply', request, reply: { kind: 'Refused', reason: 'INTERNAL_ERROR' } })
    }
    for (const request of requests) {
      if (this.#inFlight >= this.#options.inFlightMax) this.#fault(request.request, 'OVERLOADED')
      else if (request.kind === 'command') this.#hand(request)
      else this.#ask(request)
    }
  }

  #requireAllowed(kind: CommandKind): void {
    if (!this.#options.commands.has(kind)) throw new LinkFault('FORBIDDEN', `a gateway may not send ${kind}`)
  }

  #hand({ request, command, deadline, charge }: CommandRequest): void {
    if (charge !== undefined && this.#options.counts?.admits(charge) === false) {
      this.#fault(request, 'ORDER_RATE_LIMITED')
      return
    }
    this.#inFlight++
    const settle = (answer: EngineAnswer): void => {
      if (answer.kind === 'reply') this.#sessions.replied(command, answer.reply)
      this.#settle(answer)
    }
    const late =
      command.kind === 'OpenSession' ? (reply: Reply) => this.#sessions.openedLate(reply) : undefined
    this.#options.engine.hand(command, new Outcome(request, settle, late), deadline)
  }

  #ask({ request, query }: QueryRequest): void {
    this.#inFlight++
    if (query.name === 'bootstrap') this.#bootstrap(request)
    else void this.#answer(request, query)
  }

  async #answer(
    request: RequestNumber,
    { name, fields }: EngineQuery<Exclude<QueryName, 'bootstrap'>>,
  ): Promise<void> {
    try {
      const value = await this.#options.engine.ask(name, fields)
      // The port's answer belongs to the query; for a union, the compiler cannot infer this.
      this.#settle({ kind: 'answer', request, answer: { name, value } } as EngineAnswer)
    } catch (cause) {
      this.#settle({ kind: 'fault', request, fault: faultKind(cause, 'ENGINE_DOWN') })
    }
  }

  /**
   * After the link's first bootstrap its events continue as the link's events; a further bootstrap only
   * determines where its caller begins in them.
   */
  #bootstrap(request: RequestNumber): void {
    const leave = this.#options.engine.subscribe({
      started: (value) => {
        this.#settle({ kind: 'answer', request, answer: { name: 'bootstrap', value } })
        if (this.#leave !== undefined || this.#isClosed) leave()
        else this.#leave = leave
      },
      batch: (batch) => this.#batch(batch),
      passed: (time) => this.#passed(time),
      failed: (cause) => this.#settle({ kind: 'fault', request, fault: faultKind(cause, 'ENGINE_DOWN') }),
    })
  }

  /** A block has one batch at most; the receiver processes the batch before all answers of the block. */
  #batch(batch: EventBatch): void {
    this.#flush()
    this.mark()
    this.#writer.raw(this.#options.events.of(batch))
    this.#flushSoon()
  }

  #passed(passed: TimeMs): void {
    this.#flush()
    writeOutput(this.#writer, { events: undefined, answers: [], passed }, true)
    this.#flushSoon()
  }

  #settle(answer: EngineAnswer): void {
    this.#inFlight--
    this.#give(answer)
  }

  #fault(request: RequestNumber, fault: EngineFaultKind): void {
    this.#give({ kind: 'fault', request, fault })
  }

  #give(answer: EngineAnswer): void {
    if (this.#isClosed) return
    writeOutput(this.#writer, { events: undefined, answers: [answer] }, false)
    this.#flushSoon()
  }

  /** All outputs of one turn are sent together. */
  #flushSoon(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    queueMicrotask(() => {
      this.#isFlushing = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#writer.length === 0) return
    const frame = writeBlockFrame(this.#writer.peek())
    this.#writer.reset()
    if (this.#isClosed) return
    this.#options.counts?.flush()
    this.#options.send(frame)
  }
}

/** Receives the outcome of a gateway's command. */
class Outcome implements ReplyReceiver {
  readonly #request: RequestNumber
  readonly #settle: (answer: EngineAnswer) => void
  readonly late: ((reply: Reply) => void) | undefined

  constructor(
    request: RequestNumber,
    settle: (answer: EngineAnswer) => void,
    late: ((reply: Reply) => void) | undefined,
  ) {
    this.#request = request
    this.#settle = settle
    this.late = late
  }

  replied(reply: Reply): void {
    this.#settle({ kind: 'reply', request: this.#request, reply })
  }

  failed(cause: unknown): void {
    this.#settle({ kind: 'fault', request: this.#request, fault: faultKind(cause, 'OUTCOME_UNKNOWN') })
  }
}

/** `unknown`: the kind for an error that is not an `EngineFault`. */
function faultKind(cause: unknown, unknown: EngineFaultKind): EngineFaultKind {
  return cause instanceof EngineFault ? cause.kind : unknown
}
