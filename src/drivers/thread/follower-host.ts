/**
 * The follower in its thread: opens it, answers questions to the history, and tells the thread that started it what
 * becomes of it. The other end of `control` is a `FollowerHandle`.
 */
import { Follower, type FollowerOptions } from '../../engine/follower/follower.ts'
import type { FollowerNote } from '../../engine/follower/note.ts'
import { PullPace } from '../../engine/follower/pull-pace.ts'
import { WaitingList } from '../../engine/follower/waiting.ts'
import type { Scheduler } from '../../engine/loop.ts'
import { EngineFault } from '../../engine/ports.ts'
import type { Seq } from '../../units/quantities.ts'
import { type Channel, listen } from './follower-channel.ts'
import { startChores } from './follower-chores.ts'
import { FeedClient } from './follower-feed.ts'
import { serveHistory } from './follower-queries.ts'
import { runtimeScheduler } from './scheduler.ts'

/** From the thread that started the follower. */
export type FollowerOrder =
  /** The rest of the node stands: read the state, and follow. */
  | { readonly kind: 'begin' }
  /** End once command `seq` has been taken in. */
  | { readonly kind: 'finish'; readonly seq: Seq }
  /** The engine's thread is gone. */
  | { readonly kind: 'engineLost' }

/** To the thread that started the follower. */
export type FollowerReport =
  /** History stands at command `seq`, and questions are answered. */
  | { readonly kind: 'started'; readonly seq: Seq }
  | { readonly kind: 'note'; readonly note: FollowerNote }
  | { readonly kind: 'finished'; readonly seq: Seq }
  /** It ended by a fault; the history answers ENGINE_DOWN from now on. */
  | {
      readonly kind: 'failed'
      readonly fault: string
      readonly message: string
      readonly stack: string | undefined
    }

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
 * Follows until told to finish, then closes the history, or until a fault, after which the thread is of no more use.
 * Never rejects: `control` is told.
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
    const stopChores = startChores(follower, { scheduler, now, onNote, compareEveryMs })
    const seq = await follower.run().finally(stopChores)
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
