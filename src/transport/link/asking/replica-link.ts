/**
 * A replica's end of a link to the leading engine: its batches, the confirmed position, and its newest
 * snapshot.
 */
import { EngineFault, type EngineFaultKind } from '../../../engine/port/fault.ts'
import type { BatchFeed } from '../../../engine/port/feed.ts'
import type { Batch, JournalPosition } from '../../../engine/port/journal.ts'
import type { RequestTerms } from '../../../engine/port/request-client.ts'
import type { Snapshot } from '../../../engine/port/snapshots.ts'
import type { ClockReading } from '../../../engine/writer/journal-clock.ts'
import type { Seq } from '../../../units/quantities.ts'
import { QuestionClient } from '../../thread/channel.ts'
import type { LinkFrame } from '../protocol/frames.ts'
import {
  type CustomersPage,
  REPLICA_QUESTIONS_MAX,
  type ReplicaQuestions,
} from '../serving/replica-questions.ts'
import { type ConnectionOptions, LinkConnection, type OpenConnection, unexpected } from './link-connection.ts'
import { QuestionChannel } from './question-channel.ts'
import { copySnapshot } from './snapshot-copy.ts'

/** An open link of a replica, for its users. */
export type ReplicaLink = OpenConnection & {
  /** The leader's batches, once they are confirmed; the receiver verifies them. */
  readonly feed: BatchFeed
  /** The leader's last reading of its clock; undefined before the first reading. */
  readonly clock: () => ClockReading | undefined
  /**
   * The newest snapshot of the leader, verified; undefined if it has none. Rejects with `LinkFault` or
   * `EngineFault`.
   */
  readonly newestSnapshot: () => Promise<Snapshot | undefined>
  /** Changes of the customer store; undefined if they are not available now. Rejects with `EngineFault`. */
  readonly customers: (asked: Uint8Array) => Promise<CustomersPage | undefined>
}

/** The next batch may be hours away. */
const PATIENT: RequestTerms = { lost: 'ENGINE_DOWN', late: undefined }

/** Connects and greets. A `standby` follows a node outside any cluster. Rejects with `LinkFault`. */
export async function openReplicaLink(
  options: ConnectionOptions,
  role: 'replica' | 'standby' = 'replica',
): Promise<ReplicaLink> {
  const connection = new LinkConnection(role, options)
  const link = new OpenReplicaLink(connection)
  await connection.open(link)
  return link
}

class OpenReplicaLink implements ReplicaLink {
  readonly #connection: LinkConnection
  readonly #channel: QuestionChannel
  readonly #questions: QuestionClient<ReplicaQuestions>
  readonly feed: BatchFeed
  #reading: ClockReading | undefined

  constructor(connection: LinkConnection) {
    this.#connection = connection
    this.#channel = new QuestionChannel(connection)
    this.#questions = new QuestionClient<ReplicaQuestions>(this.#channel, {
      terms: {
        next: PATIENT,
        stateHash: PATIENT,
        quarantined: PATIENT,
        newestSnapshot: PATIENT,
        snapshotPiece: PATIENT,
        customers: PATIENT,
      },
      inFlightMax: REPLICA_QUESTIONS_MAX,
      faultOf,
    })
    this.feed = {
      next: (afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> =>
        this.#questions.ask('next', { afterSeq, maxBytes }),
      stateHash: (seq: Seq) => this.#questions.ask('stateHash', { seq }),
      quarantined: async () => new Set(await this.#questions.ask('quarantined', undefined)),
    }
  }

  get welcome() {
    return this.#connection.welcome
  }

  get lost() {
    return this.#connection.lost
  }

  confirmed(): JournalPosition | undefined {
    return this.#connection.confirmed()
  }

  clock(): ClockReading | undefined {
    return this.#reading
  }

  newestSnapshot(): Promise<Snapshot | undefined> {
    return copySnapshot({
      newest: () => this.#questions.ask('newestSnapshot', undefined),
      piece: (head, offset, bytes) => this.#questions.ask('snapshotPiece', { head, offset, bytes }),
    })
  }

  customers(asked: Uint8Array): Promise<CustomersPage | undefined> {
    return this.#questions.ask('customers', { asked })
  }

  close(): void {
    this.#connection.close()
  }

  take(frame: LinkFrame): void {
    if (frame.kind === 'question') this.#channel.arrive(frame.message)
    else if (frame.kind === 'clock') this.#reading = frame.reading
    else throw unexpected(frame)
  }

  ended(): void {
    this.#questions.close('ENGINE_DOWN')
  }
}

function faultOf(kind: EngineFaultKind): EngineFault {
  const isFull = kind === 'OVERLOADED'
  return new EngineFault(
    kind,
    isFull ? 'too many requests are waiting for the leader' : 'the link to the leader is lost',
  )
}
