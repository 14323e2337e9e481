/**
 * The follower's background tasks, each repeated with pauses that keep its share of the time small: they add
 * up the books, check the old part of the journal, and compare the follower's state with the engine's.
 */

import type { Seq } from '../../units/quantities.ts'
import type { Scheduler } from '../writer/loop.ts'
import type { Follower } from './follower.ts'
import type { FollowerNote } from './note.ts'

/** Pauses between two pieces of work of one kind are at least this long ... */
const PAUSE_MS = 250
/** ... and this many times as long as the piece took. */
const PAUSE_FACTOR = 20
/** Interval between notes that the books balance. */
const RECONCILED_EVERY_MS = 60_000

export type TaskTiming = {
  readonly scheduler: Scheduler
  /** Milliseconds since an arbitrary time. */
  readonly now: () => number
  readonly onNote: (note: FollowerNote) => void
  /** Interval between comparisons of states; long, because a comparison keeps the engine busy. */
  readonly compareEveryMs: number
}

/** Starts all background tasks; the returned function ends them. */
export function startBackgroundTasks(follower: Follower, timing: TaskTiming): () => void {
  const stops = [
    auditNowAndThen(follower, timing),
    repeat(timing, PAUSE_MS, () => follower.checkChain()),
    repeat(timing, timing.compareEveryMs, async () => {
      await follower.compareWithEngine()
      return true
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Adds up the follower's books, a piece at a time, while it follows. */
function auditNowAndThen(follower: Follower, timing: TaskTiming): () => void {
  const { now, onNote } = timing
  let notedMs = Number.NEGATIVE_INFINITY
  let notedSeq: Seq | undefined
  return repeat(timing, PAUSE_MS, () => {
    follower.audit()
    const { reconciledSeq } = follower
    if (reconciledSeq !== undefined && reconciledSeq !== notedSeq && now() - notedMs >= RECONCILED_EVERY_MS) {
      notedMs = now()
      notedSeq = reconciledSeq
      onNote({ kind: 'Reconciled', seq: reconciledSeq })
    }
    return true
  })
}

/**
 * Runs a piece of work after each pause until it reports that there is no more; the returned function ends
 * the repetition.
 */
function repeat(
  { scheduler, now }: TaskTiming,
  pauseMs: number,
  work: () => boolean | Promise<boolean>,
): () => void {
  let isStopped = false
  const next = (isMore: boolean, tookMs: number): void => {
    if (isMore && !isStopped) cancel = scheduler.later(run, Math.max(pauseMs, tookMs * PAUSE_FACTOR))
  }
  const run = (): void => {
    const startMs = now()
    const isMore = work()
    if (isMore instanceof Promise) void isMore.then((answer) => next(answer, now() - startMs))
    else next(isMore, now() - startMs)
  }
  let cancel = scheduler.later(run, pauseMs)
  return () => {
    isStopped = true
    cancel()
  }
}
