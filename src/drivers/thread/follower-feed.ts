/**
 * The journal's batches on their way from the engine's thread to the follower's. The follower asks, the engine
 * answers; a question at the end of the journal stays with the engine until the next commit, so a batch reaches a
 * follower that keeps up with the very commit, and one that does not costs the engine nothing.
 */
import type { BatchFeed } from '../../engine/feed.ts'
import type { Batch } from '../../engine/journal.ts'
import { EngineFault } from '../../engine/ports.ts'
import type { Seq } from '../../units/quantities.ts'
import { type Channel, type FaultMessage, faultMessage, faultOf, listen } from './follower-channel.ts'

type Question =
  | { readonly kind: 'next'; readonly number: number; readonly afterSeq: Seq; readonly maxBytes: number }
  | { readonly kind: 'stateHash'; readonly number: number; readonly seq: Seq }
  | { readonly kind: 'quarantined'; readonly number: number }

type Answer =
  | { readonly kind: 'batches'; readonly number: number; readonly batches: readonly Batch[] }
  | { readonly kind: 'stateHash'; readonly number: number; readonly hash: Uint8Array | undefined }
  | { readonly kind: 'quarantined'; readonly number: number; readonly seqs: ReadonlySet<Seq> }
  | { readonly kind: 'fault'; readonly number: number; readonly fault: FaultMessage }

/** The engine's end: answers the follower at the other end of `channel` from `feed`. */
export function serveBatches(channel: Channel, feed: BatchFeed): void {
  listen<Question>(channel, (question) => {
    answer(feed, question).then(
      (reply) => channel.postMessage(reply),
      (error: unknown) =>
        channel.postMessage({
          kind: 'fault',
          number: question.number,
          fault: faultMessage(error),
        } satisfies Answer),
    )
  })
}

async function answer(feed: BatchFeed, question: Question): Promise<Answer> {
  const { number } = question
  if (question.kind === 'quarantined') {
    return { kind: 'quarantined', number, seqs: await feed.quarantined() }
  }
  if (question.kind === 'stateHash') {
    return { kind: 'stateHash', number, hash: await feed.stateHash(question.seq) }
  }
  const batches = await feed.next(question.afterSeq, question.maxBytes)
  return { kind: 'batches', number, batches: batches.map(withoutSpare) }
}

/** A view is sent with all the memory behind it, so what is a part of something larger is copied first. */
function withoutSpare(batch: Batch): Batch {
  const { data, hash, previousHash } = batch
  if ([data, hash, previousHash].every((bytes) => bytes.byteLength === bytes.buffer.byteLength)) return batch
  return { ...batch, data: data.slice(), hash: hash.slice(), previousHash: previousHash.slice() }
}

type Pending = { readonly resolve: (answer: Answer) => void; readonly reject: (fault: EngineFault) => void }

/** The follower's end. */
export class FeedClient implements BatchFeed {
  readonly #channel: Channel
  readonly #pendingByNumber = new Map<number, Pending>()
  #lastNumber = 0
  #lost: EngineFault | undefined

  constructor(channel: Channel) {
    this.#channel = channel
    listen<Answer>(channel, (received) => {
      const pending = this.#pendingByNumber.get(received.number)
      this.#pendingByNumber.delete(received.number)
      if (received.kind === 'fault') pending?.reject(faultOf(received.fault))
      else pending?.resolve(received)
    })
  }

  async next(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    const received = await this.#ask((number) => ({ kind: 'next', number, afterSeq, maxBytes }))
    return received.kind === 'batches' ? received.batches : []
  }

  async stateHash(seq: Seq): Promise<Uint8Array | undefined> {
    const received = await this.#ask((number) => ({ kind: 'stateHash', number, seq }))
    return received.kind === 'stateHash' ? received.hash : undefined
  }

  async quarantined(): Promise<ReadonlySet<Seq>> {
    const received = await this.#ask((number) => ({ kind: 'quarantined', number }))
    return received.kind === 'quarantined' ? received.seqs : new Set()
  }

  /** The engine's thread is gone: rejects what waits and all that comes with ENGINE_DOWN. */
  lose(): void {
    this.#lost = new EngineFault('ENGINE_DOWN', 'the engine has stopped')
    for (const { reject } of this.#pendingByNumber.values()) reject(this.#lost)
    this.#pendingByNumber.clear()
  }

  #ask(make: (number: number) => Question): Promise<Answer> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost)
    return new Promise((resolve, reject) => {
      const question = make(++this.#lastNumber)
      this.#pendingByNumber.set(question.number, { resolve, reject })
      this.#channel.postMessage(question)
    })
  }
}
