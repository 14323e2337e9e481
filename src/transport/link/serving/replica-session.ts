/**
 * The engine's end of a replica's link: confirmed batches as the replica pulls them, the confirmed position
 * before each answer, and the newest snapshot in pieces. It has no access to the socket.
 */
import { EngineFault } from '../../../engine/port/fault.ts'
import type { BatchFeed } from '../../../engine/port/feed.ts'
import type { Batch, JournalPosition } from '../../../engine/port/journal.ts'
import type { SnapshotPieces } from '../../../engine/port/snapshots.ts'
import type { Seq } from '../../../units/quantities.ts'
import { answerQuestions, type Channel } from '../../thread/channel.ts'
import { readFrame, writeConfirmedFrame, writeQuestionFrame } from '../protocol/frames.ts'
import { LinkFault } from '../protocol/link-fault.ts'
import {
  CUSTOMERS_ASKED_BYTES_MAX,
  type CustomersPage,
  type CustomersPages,
  PIECE_BYTES_MAX,
  PULL_BYTES_MAX,
  REPLICA_QUESTIONS_MAX,
  type ReplicaQuestions,
} from './replica-questions.ts'

export type ReplicaSessionOptions = {
  readonly feed: BatchFeed
  readonly snapshots: SnapshotPieces
  readonly customers?: CustomersPages | undefined
  readonly confirmed: (() => JournalPosition) | undefined
  /** Never throws. */
  readonly send: (frame: Uint8Array) => void
}

export class ReplicaSession {
  readonly #options: ReplicaSessionOptions
  #listener: (event: { readonly data: unknown }) => void = () => {}
  #inFlight = 0
  #isClosed = false
  /** The last confirmed position that was sent. */
  #markedAt = -1
  /** The highest command after which the replica has requested batches. */
  #pulledSeq = 0 as Seq
  #customersMs: number | undefined

  constructor(options: ReplicaSessionOptions) {
    this.#options = options
    const { feed, snapshots } = options
    const channel: Channel = {
      postMessage: (message) => this.#answer(message),
      addEventListener: (_type, listener) => {
        this.#listener = listener
      },
    }
    const bounded = <Fields, Value>(ask: (fields: Fields) => Promise<Value>) => this.#bounded(ask)
    answerQuestions<ReplicaQuestions>(channel, {
      next: bounded(({ afterSeq, maxBytes }) => this.#next(afterSeq, maxBytes)),
      stateHash: bounded(({ seq }) => feed.stateHash(seq)),
      quarantined: bounded(async () => [...(await feed.quarantined())]),
      newestSnapshot: bounded(() => snapshots.newest()),
      snapshotPiece: bounded(({ head, offset, bytes }) =>
        snapshots.piece(head, offset, Math.min(bytes, PIECE_BYTES_MAX)),
      ),
      customers: bounded(({ asked }) => this.#customers(asked)),
    })
  }

  /**
   * The highest command after which the replica has requested batches: it has everything before it. The
   * replica's history pulls over the same link as its engine, and may be behind.
   */
  get pulledSeq(): Seq {
    return this.#pulledSeq
  }

  /**
   * The time, by `performance.now()`, of the replica's customer store; undefined if it never had the complete
   * store.
   */
  get customersMs(): number | undefined {
    return this.#customersMs
  }

  /** Processes a frame of the replica. Throws `BytesFault` or `LinkFault`; the link is then unusable. */
  receive(bytes: Uint8Array): void {
    const frame = readFrame(bytes)
    if (frame.kind !== 'question') {
      throw new LinkFault('FORBIDDEN', `expected a request of a replica, found a frame of kind ${frame.kind}`)
    }
    this.#listener({ data: frame.message })
  }

  /** Sends the confirmed position if it has advanced. */
  mark(): void {
    const confirmed = this.#options.confirmed?.()
    if (this.#isClosed || confirmed === undefined || confirmed.position <= this.#markedAt) return
    this.#markedAt = confirmed.position
    this.#options.send(writeConfirmedFrame(confirmed))
  }

  close(): void {
    this.#isClosed = true
  }

  #next(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    if (afterSeq > this.#pulledSeq) this.#pulledSeq = afterSeq
    return this.#options.feed.next(afterSeq, Math.min(maxBytes, PULL_BYTES_MAX))
  }

  async #customers(asked: Uint8Array): Promise<CustomersPage | undefined> {
    const isQuestion = asked instanceof Uint8Array && asked.length <= CUSTOMERS_ASKED_BYTES_MAX
    if (!isQuestion) return undefined
    const atMs = performance.now()
    const page = await this.#options.customers?.(asked)
    if (page?.hasAll === true) this.#customersMs = atMs
    return page
  }

  #answer(message: unknown): void {
    if (this.#isClosed) return
    this.mark()
    this.#options.send(writeQuestionFrame(message))
  }

  #bounded<Fields, Value>(ask: (fields: Fields) => Promise<Value>): (fields: Fields) => Promise<Value> {
    return async (fields) => {
      const max = REPLICA_QUESTIONS_MAX
      if (this.#inFlight >= max) throw new EngineFault('OVERLOADED', `${max} requests are already waiting`)
      this.#inFlight++
      try {
        return await ask(fields)
      } finally {
        this.#inFlight--
      }
    }
  }
}
