/**
 * Sends the journal's batches from the engine thread to the follower thread. The follower sends requests and
 * the engine answers; at the end of the journal, the engine keeps a request until the next commit. So an
 * up-to-date follower receives a batch with its commit, and a follower that is behind costs the engine
 * nothing.
 */
import type { ArchivePort, RecordedArchive, TrimProgress } from '../../engine/archive/archived.ts'
import { EngineFault, type EngineFaultKind } from '../../engine/port/fault.ts'
import type { BatchFeed } from '../../engine/port/feed.ts'
import { type Batch, JournalFault } from '../../engine/port/journal.ts'
import type { RequestTerms } from '../../engine/port/request-client.ts'
import type { Seq } from '../../units/quantities.ts'
import { answerQuestions, type Channel, QuestionClient } from './channel.ts'

type FeedQuestions = {
  readonly next: {
    readonly fields: { readonly afterSeq: Seq; readonly maxBytes: number }
    readonly value: readonly Batch[]
  }
  readonly stateHash: {
    readonly fields: { readonly seq: Seq }
    readonly value: Uint8Array | undefined
  }
  readonly quarantined: { readonly fields: undefined; readonly value: ReadonlySet<Seq> }
  readonly archives: { readonly fields: undefined; readonly value: readonly RecordedArchive[] }
  readonly record: { readonly fields: RecordedArchive; readonly value: undefined }
  readonly trim: { readonly fields: { readonly batchesMax: number }; readonly value: TrimProgress }
}

/**
 * Maximum number of unanswered requests of one client: a follower has one of each kind, auditors and backups
 * have a few more.
 */
const IN_FLIGHT_MAX = 64

/** The next batch may be hours away. */
const PATIENT: RequestTerms = { lost: 'ENGINE_DOWN', late: undefined }

/** The engine's end: answers the follower at the other end of `channel` from `feed`. */
export function serveBatches(channel: Channel, feed: BatchFeed): void {
  answerQuestions<FeedQuestions>(channel, {
    next: async ({ afterSeq, maxBytes }) => (await feed.next(afterSeq, maxBytes)).map(withoutSpare),
    stateHash: ({ seq }) => feed.stateHash(seq),
    quarantined: () => feed.quarantined(),
    archives: async () => archivingOf(feed).archives(),
    record: async (archive) => void (await archivingOf(feed).record(archive)),
    trim: async ({ batchesMax }) => archivingOf(feed).trim(batchesMax),
  })
}

function archivingOf({ archiving }: BatchFeed): ArchivePort {
  if (archiving !== undefined) return archiving
  throw new JournalFault('UNSUPPORTED', 'the journal of a cluster is in PostgreSQL and has no archive')
}

/** A view is sent with its whole buffer, so a part of a larger buffer is copied first. */
function withoutSpare(batch: Batch): Batch {
  const { data, hash, previousHash } = batch
  if ([data, hash, previousHash].every((bytes) => bytes.byteLength === bytes.buffer.byteLength)) return batch
  return { ...batch, data: data.slice(), hash: hash.slice(), previousHash: previousHash.slice() }
}

/** The follower's end. */
export class FeedClient implements BatchFeed {
  readonly #questions: QuestionClient<FeedQuestions>

  constructor(channel: Channel) {
    this.#questions = new QuestionClient<FeedQuestions>(channel, {
      terms: {
        ...{ next: PATIENT, stateHash: PATIENT, quarantined: PATIENT },
        ...{ archives: PATIENT, record: PATIENT, trim: PATIENT },
      },
      inFlightMax: IN_FLIGHT_MAX,
      faultOf,
    })
  }

  next(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    return this.#questions.ask('next', { afterSeq, maxBytes })
  }

  stateHash(seq: Seq): Promise<Uint8Array | undefined> {
    return this.#questions.ask('stateHash', { seq })
  }

  quarantined(): Promise<ReadonlySet<Seq>> {
    return this.#questions.ask('quarantined', undefined)
  }

  /** Rejects with `UNSUPPORTED` if the journal has no archive. */
  get archiving(): ArchivePort {
    return {
      archives: () => this.#questions.ask('archives', undefined),
      record: async (archive) => this.#questions.ask('record', archive),
      trim: (batchesMax) => this.#questions.ask('trim', { batchesMax }),
    }
  }

  /** Called when the engine thread ended: pending and new requests are rejected with ENGINE_DOWN. */
  lose(): void {
    this.#questions.close('ENGINE_DOWN')
  }
}

function faultOf(kind: EngineFaultKind): EngineFault {
  const isFull = kind === 'OVERLOADED'
  return new EngineFault(
    kind,
    isFull ? 'too many requests are waiting for batches' : 'the engine has stopped',
  )
}
