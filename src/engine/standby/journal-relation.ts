/**
 * How the copy of a journal relates to the node that it should follow: whether the complete copy is the
 * beginning of the node's journal. Also whether two journals belong to the same exchange at all, and which of
 * their nodes took over from the other.
 */
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import type { BatchFeed } from '../port/feed.ts'
import { hexOf, type JournalPosition, lastSeqOf } from '../port/journal.ts'

/** A journal as its node reports it. */
export type ShownJournal = { readonly confirmed: JournalPosition; readonly feed: Pick<BatchFeed, 'next'> }

export type JournalRelation =
  /** All remembered positions are in the node's journal. */
  | { readonly kind: 'FITS' }
  /** The first batches differ: another exchange. */
  | { readonly kind: 'OTHER_EXCHANGE'; readonly problem: string }
  /** The remembered position has a later epoch than the node's: another node took over from it. */
  | { readonly kind: 'NEWER_EPOCH'; readonly problem: string }
  /** A remembered position is missing on the node. */
  | { readonly kind: 'AHEAD'; readonly problem: string }
  /** The two journals differ after some position. */
  | { readonly kind: 'FORKED'; readonly problem: string }

export type RememberedJournal = {
  /** The highest remembered position; `position` is 0 if there is none. */
  readonly remembered: JournalPosition
  /** Hash of the first batch; undefined if there is none. */
  readonly firstHash: Uint8Array | undefined
}

/** Rejects like the feed. */
export async function relationOf(ours: RememberedJournal, node: ShownJournal): Promise<JournalRelation> {
  const { remembered, firstHash } = ours
  const { confirmed, feed } = node
  const marks = `here ${markText(remembered)}; the node ${markText(confirmed)}`
  if (firstHash !== undefined) {
    const theirs = await firstHashOf(feed)
    if (theirs === undefined || !sameBytes(firstHash, theirs))
      return {
        kind: 'OTHER_EXCHANGE',
        problem: `the directory and the node belong to different exchanges: ${marks}`,
      }
  }
  if (remembered.position === 0) return { kind: 'FITS' }
  if (remembered.epoch > confirmed.epoch) {
    const problem = `the directory has a later epoch than the node, which another node has replaced: ${marks}`
    return { kind: 'NEWER_EPOCH', problem }
  }
  if (remembered.seq > confirmed.seq)
    return { kind: 'AHEAD', problem: `the directory is ahead of the node: ${marks}` }
  const [batch] = await feed.next((remembered.seq - 1) as Seq, 1)
  const isThere =
    batch !== undefined && lastSeqOf(batch) === remembered.seq && sameBytes(batch.hash, remembered.hash)
  if (isThere) return { kind: 'FITS' }
  const found = batch === undefined ? 'no batch' : `hash ${hexOf(batch.hash)}`
  const problem = `the node has ${found} after command ${remembered.seq}: the two journals diverged before that. ${marks}`
  return { kind: 'FORKED', problem }
}

/**
 * Whether a node has the batch that ends at `place`, as it claims: a number alone does not identify a batch.
 * Rejects like the feed.
 */
export async function showsPlace(feed: Pick<BatchFeed, 'next'>, place: JournalPosition): Promise<boolean> {
  const { position, epoch, seq, hash } = place
  const [batch] = await feed.next((seq - 1) as Seq, 1)
  if (batch === undefined || batch.position !== position || batch.epoch !== epoch) return false
  return lastSeqOf(batch) === seq && sameBytes(batch.hash, hash)
}

/** The hash of the first batch, which identifies an exchange in every copy of its journal. */
export async function firstHashOf(feed: Pick<BatchFeed, 'next'>): Promise<Uint8Array | undefined> {
  const [first] = await feed.next(0 as Seq, 1)
  return first?.hash
}

/** A position in a journal as text for people. */
export function markText({ position, epoch, seq, hash }: JournalPosition): string {
  if (position === 0) return 'has an empty journal'
  return `ends with command ${seq} at position ${position} in epoch ${epoch}, hash ${hexOf(hash)}`
}
