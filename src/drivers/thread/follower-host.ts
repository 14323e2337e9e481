/**
 * The follower in its thread: opens it, answers questions to the history, and notifies the thread that started it of what
 * becomes of it. The other end of `control` is a `FollowerHandle`.
 */

import { EngineFault } from '../../engine/fault.ts'
import { Follower, type FollowerOptions } from '../../engine/follower/follower.ts'
import type { FollowerNote } from '../../engine/follower/note.ts'
import { PullPace } from '../../engine/follower/pull-pace.ts'
import { WaitingList } from '../../engine/follower/waiting.ts'
import type { Scheduler } from '../../engine/loop.ts'
import type { Seq } from '../../units/quantities.ts'
import { type Channel, listen } from './channel.ts'
import { FeedClient } from './follower-feed.ts'
import type { FollowerOrder, FollowerReport } from './follower-messages.ts'
import { startBackgroundTasks } from './follower-tasks.ts'
import { serveHistory } from './history-queries.ts'
import { runtimeScheduler } from './scheduler.ts'

export type FollowerHostOptions = Omit<
  FollowerOptions,
  'feed' | 'onAdvance' | 'onNote' | 'untilRetry' | 'untilDue' | 'untilWanted'
> & {
  readonly control: Channel
  /** To `serveBatches` in the engine's thread. */
  readonly feed: Channel
  /** One for each gateway, to its `HistoryClient`. */
  readonly questions: readonly Channel[]
  /** A follower whose history is complete waits for the order to begin. */
  readonly beginsWhenTold?: boolean
  /** History shows everything up to command `seq`. */
  readonly onAdvance?: (seq: Seq) => void
  /** The runtime's, unless told otherwise. */
  readonly scheduler?: Scheduler
  /** Milliseconds since some moment; the runtime's, unless told otherwise. */
  readonly now?: () => number
}

/** Nothing is answered before the follower has found out where history stands. */
const NOWHERE = -1 as Seq

/** How long full storage is left alone before it is tried again. */
const RETRY_DELAY_MS = 500

/**
 * Follows until ordered to finish, then closes the history, or until a fault, after which the thread is of no more use.
 * Never rejects: the fault goes to `control`.
 */
export async function runFollower(options: FollowerHostOptions): Promise<void> {
  const { control, history, scheduler = runtimeScheduler, now = () => performance.now() } = options
  const report = (message: FollowerReport): void => control.postMessage(message)
  const onNote = (note: FollowerNote): void => report({ kind: 'note', note })
  const feed = new FeedClient(options.feed)
  const { waitingMax, pullPauseMs } = options.limits
  const pace = new PullPace({ scheduler, pauseMs: pullPauseMs, isAwaited: () => waiting.size > 0 })
  const waiting = new WaitingList(NOWHERE, waitingMax, () => pace.end())
  for (const channel of options.questions) serveHistory(channel, history, waiting)
  let follower: Follower | undefined
  let isStarted = false
  let finishAt: Seq | undefined
  const wanted = Promise.withResolvers<void>()
  if (options.beginsWhenTold !== true) wanted.resolve()
  listen<FollowerOrder>(control, (order) => {
    wanted.resolve()
    if (order.kind === 'begin') return
    if (order.kind === 'engineLost') return feed.lose()
    finishAt = order.seq
    follower?.finish(order.seq)
  })
  try {
    follower = await Follower.open({
      ...options,
      feed,
      onAdvance: (seq) => {
        waiting.advance(seq)
        options.onAdvance?.(seq)
        if (isStarted) return
        isStarted = true
        report({ kind: 'started', seq })
      },
      onNote,
      untilRetry: () => new Promise((resolve) => scheduler.later(resolve, RETRY_DELAY_MS)),
      untilDue: () => pace.pause(),
      untilWanted: () => wanted.promise,
    })
    if (finishAt !== undefined) follower.finish(finishAt)
    const { compareEveryMs } = options.limits
    const stopTasks = startBackgroundTasks(follower, { scheduler, now, onNote, compareEveryMs })
    const seq = await follower.run().finally(stopTasks)
    // What came last has not waited for its turn.
    follower.audit()
    waiting.fail(new EngineFault('STOPPING', 'the history is stopping'))
    await history.close()
    report({ kind: 'finished', seq })
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error))
    waiting.fail(new EngineFault('ENGINE_DOWN', 'the history has stopped', { cause }))
    report({ kind: 'failed', fault: cause.name, message: cause.message, stack: cause.stack })
  }
}
