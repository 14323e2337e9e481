/**
 * The sending end for an engine whose requests and outputs are sent as blocks of bytes over any medium. All
 * answers of one flush are sent together, and so are the requests of one turn of the event loop. Under load,
 * requests that arrive while a block is in transit form the next block: they would only wait at the other
 * end, and fewer messages cost less (`npm run bench -- order-to-ack`).
 */
import { EngineClient, IN_FLIGHT_MAX } from '../../engine/port/client.ts'
import type { RequestNumber } from '../../engine/port/request-client.ts'
import type { EngineOutput, OutgoingRequest } from '../../engine/port/requests.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import { ByteWriter } from '../../units/bytes.ts'
import { readOutputInSlices, writeRequest } from './messages.ts'

export type BlockClientOptions = {
  /** Sends a block of requests to the engine; the block is transferred. */
  readonly post: (block: ArrayBuffer) => void
  readonly scheduler: Scheduler
  readonly inFlightMax?: number | undefined
  /** See `ClientOptions`. */
  readonly goneAs?: 'NO_LEADER' | undefined
  /** A request times out after this time, or at most a quarter later. */
  readonly answerTimeoutMs?: number | undefined
}

/** Well below the time after which the HTTP server would close a silent connection without an answer. */
const ANSWER_TIMEOUT_MS = 5_000

/** From this number of unanswered requests on, a block waits until the engine has sent an output. */
const CROWD = 32

/**
 * Events decoded in one turn, which takes some milliseconds. One order can cause tens of thousands of events,
 * and clients that wait for something else must not wait for all of them.
 */
const SLICE_EVENTS = 4_000

export class BlockClient {
  readonly #options: BlockClientOptions
  /** Its queries and answers are sent in the blocks. */
  readonly port: EngineClient
  readonly #writer = new ByteWriter(1 << 16)
  #isPosting = false
  /**
   * Whether a block was posted and no output has arrived since: an output will arrive, so the next block can
   * wait for it.
   */
  #isUnderWay = false
  /** The block being decoded. */
  #decoding: Iterator<EngineOutput | undefined> | undefined
  /** Blocks after the one being decoded, in order. */
  readonly #arrived: (ArrayBuffer | (() => void))[] = []

  constructor(options: BlockClientOptions) {
    this.#options = options
    const { scheduler, inFlightMax = IN_FLIGHT_MAX, answerTimeoutMs = ANSWER_TIMEOUT_MS } = options
    this.port = new EngineClient({
      inFlightMax,
      ...(options.goneAs === undefined ? {} : { goneAs: options.goneAs }),
      patience: {
        timeoutMs: answerTimeoutMs,
        later: (task, delayMs) => scheduler.later(task, delayMs),
      },
      send: (request, outgoing) => this.#send(request, outgoing),
    })
  }

  /** Refuses new requests and sends the waiting ones. */
  refuseNew(fault: 'STOPPING'): void {
    this.port.refuseNew(fault)
    this.#post()
  }

  /** Called when a block of outputs arrives. */
  arrive(block: ArrayBuffer): void {
    // Posting comes first, so that the engine continues while clients are answered.
    this.#post()
    this.after(block)
  }

  /** Decodes a block, or runs a task, once everything that arrived before has been processed. */
  after(next: ArrayBuffer | (() => void)): void {
    this.#arrived.push(next)
    if (this.#decoding === undefined) this.#takeIn('in slices')
  }

  /** Processes everything that has arrived at once. */
  takeInAll(): void {
    this.#takeIn('all')
  }

  #send(request: RequestNumber, outgoing: OutgoingRequest): void {
    const { length } = this.#writer
    try {
      writeRequest(this.#writer, request, outgoing)
    } catch (cause) {
      // A command that cannot be encoded leaves no bytes in the block.
      this.#writer.truncate(length)
      throw cause
    }
    this.#postSoon()
  }

  /**
   * Processes what has arrived in order; `in slices` stops when a long block needs another turn of the event
   * loop.
   */
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
        this.port.receive(output)
      }
      const next = this.#arrived.shift()
      if (next === undefined) return
      if (next instanceof ArrayBuffer) this.#decoding = readOutputInSlices(next, SLICE_EVENTS)
      else next()
    }
  }

  #postSoon(): void {
    const isCrowded = this.#isUnderWay && this.port.inFlight >= CROWD
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
