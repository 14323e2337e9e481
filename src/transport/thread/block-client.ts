/**
 * The asking end of an engine whose requests and outputs travel as blocks of bytes, whatever carries them. All answers of one
 * flush travel together, and so do the requests of one turn of the event loop. Where there are many, those that come while a
 * block is under way are the next block: they would only wait at the other end, and fewer messages cost less
 * (`npm run bench -- order-to-ack`).
 */
import type { Command } from '../../core/exchange/command.ts'
import type { EventBatch } from '../../core/exchange/event.ts'
import type { Reply } from '../../core/exchange/reply.ts'
import type { Bootstrap } from '../../core/exchange/view.ts'
import { EngineClient, IN_FLIGHT_MAX } from '../../engine/port/client.ts'
import type { EnginePort, EngineSubscriber, PortQuery, ReplyReceiver } from '../../engine/port/ports.ts'
import type { QueryFields, QueryValue } from '../../engine/port/queries.ts'
import type { RequestNumber } from '../../engine/port/request-client.ts'
import type { EngineOutput, OutgoingRequest } from '../../engine/port/requests.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import { ByteWriter } from '../../units/bytes.ts'
import type { OrderCharge } from '../../units/order-charge.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { readOutputInSlices, writeRequest } from './messages.ts'

export type BlockClientOptions = {
  /** Carries a block of requests to the engine; the block is given away. */
  readonly post: (block: ArrayBuffer) => void
  readonly scheduler: Scheduler
  readonly inFlightMax?: number | undefined
  /** See `ClientOptions`. */
  readonly goneAs?: 'NO_LEADER' | undefined
  /** A request is given up when it has waited this long, or at most a quarter longer. */
  readonly answerTimeoutMs?: number | undefined
}

/** Well below the time after which the HTTP server would close a silent connection without a word. */
const ANSWER_TIMEOUT_MS = 5_000

/** From so many requests without an answer on, a block waits until the engine has given something out. */
const CROWD = 32

/**
 * Events decoded in one turn: some milliseconds. One order can make tens of thousands, and people who wait for something
 * else must not wait for all of them.
 */
const SLICE_EVENTS = 4_000

export class BlockClient implements EnginePort {
  readonly #options: BlockClientOptions
  readonly #client: EngineClient
  readonly #writer = new ByteWriter(1 << 16)
  #isPosting = false
  /** A block has been posted and nothing has come since, so something will: the next block can wait for it. */
  #isUnderWay = false
  /** The block that is being decoded. */
  #decoding: Iterator<EngineOutput | undefined> | undefined
  /** What came after it, in order. */
  readonly #arrived: (ArrayBuffer | (() => void))[] = []

  constructor(options: BlockClientOptions) {
    this.#options = options
    const { scheduler, inFlightMax = IN_FLIGHT_MAX, answerTimeoutMs = ANSWER_TIMEOUT_MS } = options
    this.#client = new EngineClient({
      inFlightMax,
      ...(options.goneAs === undefined ? {} : { goneAs: options.goneAs }),
      patience: {
        timeoutMs: answerTimeoutMs,
        later: (task, delayMs) => scheduler.later(task, delayMs),
      },
      send: (request, outgoing) => this.#send(request, outgoing),
    })
  }

  /** Requests without an answer. */
  get inFlight(): number {
    return this.#client.inFlight
  }

  submit(command: Command, deadline?: TimeMs, charge?: OrderCharge): Promise<Reply> {
    return this.#client.submit(command, deadline, charge)
  }

  hand(command: Command, receiver: ReplyReceiver, deadline?: TimeMs, charge?: OrderCharge): void {
    this.#client.hand(command, receiver, deadline, charge)
  }

  ask<Name extends PortQuery>(name: Name, fields: QueryFields<Name>): Promise<QueryValue<Name>> {
    return this.#client.ask(name, fields)
  }

  follow(listener: (batch: EventBatch) => void, onPassed?: (time: TimeMs) => void): Promise<Bootstrap> {
    return this.#client.follow(listener, onPassed)
  }

  subscribe(subscriber: EngineSubscriber): () => void {
    return this.#client.subscribe(subscriber)
  }

  /** The engine is ready. */
  open(): void {
    this.#client.open()
  }

  /** Refuses what is new, and sends what waits to be sent. */
  refuseNew(fault: 'STOPPING'): void {
    this.#client.refuseNew(fault)
    this.#post()
  }

  /** The engine is gone: see `EngineClient.lose`. */
  lose(): void {
    this.#client.lose()
  }

  /** A block of outputs has come. */
  arrive(block: ArrayBuffer): void {
    // First of all, so that the engine works on while people are answered.
    this.#post()
    this.after(block)
  }

  /** Takes a block in, or does a task, once all that arrived before has been taken in. */
  after(next: ArrayBuffer | (() => void)): void {
    this.#arrived.push(next)
    if (this.#decoding === undefined) this.#takeIn('in slices')
  }

  /** Takes in all that has arrived, at once. */
  takeInAll(): void {
    this.#takeIn('all')
  }

  #send(request: RequestNumber, outgoing: OutgoingRequest): void {
    const { length } = this.#writer
    try {
      writeRequest(this.#writer, request, outgoing)
    } catch (cause) {
      // A command that cannot be encoded leaves nothing of itself in the block.
      this.#writer.truncate(length)
      throw cause
    }
    this.#postSoon()
  }

  /** In order; in slices: until a long block needs another turn of the event loop. */
  #takeIn(how: 'in slices' | 'all'): void {
    for (;;) {
      if (this.#decoding !== undefined) {
        const output: EngineOutput | undefined = this.#decoding.next().value
        if (output === undefined) {
          if (how === 'all') continue
          this.#options.scheduler.soon(() => this.#takeIn('in slices'))
          return
        }
        this.#decoding = undefined
        this.#client.receive(output)
      }
      const next = this.#arrived.shift()
      if (next === undefined) return
      if (next instanceof ArrayBuffer) this.#decoding = readOutputInSlices(next, SLICE_EVENTS)
      else next()
    }
  }

  #postSoon(): void {
    const isCrowded = this.#isUnderWay && this.#client.inFlight >= CROWD
    if (this.#isPosting || isCrowded) return
    this.#isPosting = true
    this.#options.scheduler.soon(() => this.#post())
  }

  #post(): void {
    this.#isPosting = false
    this.#isUnderWay = this.#writer.length > 0
    if (!this.#isUnderWay) return
    const block = this.#writer.take().buffer
    this.#writer.reset()
    this.#options.post(block)
  }
}
