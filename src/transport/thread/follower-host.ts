/**
 * The follower in its thread: opens it, answers queries to the history, and reports its state to the thread
 * that started it. The other end of `control` is a `FollowerHandle`.
 */

import { composeFollower, type FollowerNodeOptions } from '../../engine/follower/compose.ts'
import { HistoryFault } from '../../engine/history/history.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import type { Seq } from '../../units/quantities.ts'
import { type Channel, listen } from './channel.ts'
import { FeedClient } from './follower-feed.ts'
import type { FollowerOrder, FollowerReport } from './follower-messages.ts'
import { serveHistory } from './history-queries.ts'

export type FollowerHostOptions = Omit<
  FollowerNodeOptions,
  'feed' | 'onStarted' | 'onAdvance' | 'onNote' | 'scheduler' | 'now' | 'beginsOnRequest'
> & {
  readonly control: Channel
  /** Connected to `serveBatches` in the engine thread. */
  readonly feed: Channel
  /** One for each gateway, connected to its `HistoryClient`. */
  readonly questions: readonly Channel[]
  /** A follower with a complete history waits for the `begin` order. */
  readonly beginsOnRequest?: boolean
  /** Called when history contains everything up to command `seq`. */
  readonly onAdvance?: (seq: Seq) => void
  /** The runtime's by default. */
  readonly scheduler?: Scheduler
  /** Milliseconds since a fixed time; the runtime's by default. */
  readonly now?: () => number
}

/**
 * Follows until ordered to finish, then closes the history; or until a fault, after which the thread is
 * unusable. Never rejects: the fault is sent to `control`.
 */
export async function runFollower(options: FollowerHostOptions): Promise<void> {
  const { control, history } = options
  const report = (message: FollowerReport): void => control.postMessage(message)
  const feed = new FeedClient(options.feed)
  const follower = composeFollower({
    ...options,
    feed,
    scheduler: options.scheduler ?? runtimeScheduler,
    now: options.now ?? (() => performance.now()),
    beginsOnRequest: options.beginsOnRequest ?? false,
    onStarted: (seq) => report({ kind: 'started', seq }),
    onAdvance: options.onAdvance ?? (() => {}),
    onNote: (note) => report({ kind: 'note', note }),
  })
  for (const channel of options.questions) serveHistory(channel, history, follower.waiting)
  listen<FollowerOrder>(control, (order) => {
    if (order.kind === 'finish') return follower.finish(order.seq)
    follower.begin()
    if (order.kind === 'engineLost') feed.lose()
  })
  try {
    report({ kind: 'finished', seq: await follower.ended })
  } catch (error) {
    report(followerFailure(error))
  }
}

/** The report of a failure to the other end. */
export function followerFailure(cause: unknown): FollowerReport {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const { name: fault, message, stack } = error
  const isFull =
    (error instanceof HistoryFault || error instanceof JournalFault) && error.kind === 'STORAGE_FULL'
  return { kind: 'failed', fault, message, stack, isFull }
}
