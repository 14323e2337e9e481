/**
 * The follower of a node, composed from feed, history, snapshots, scheduler and clock: the second replay with
 * its background tasks, and the list of queries that wait for it. This is the only wiring: the thread of a
 * running node and the simulator differ in what they pass.
 */
import type { Seq } from '../../units/quantities.ts'
import { EngineFault } from '../port/fault.ts'
import type { Scheduler } from '../writer/loop.ts'
import { startBackgroundTasks } from './background-tasks.ts'
import { Follower, type FollowerOptions } from './follower.ts'
import { PullPace } from './pull-pace.ts'
import { WaitingList } from './waiting.ts'

export type FollowerNodeOptions = Omit<FollowerOptions, 'untilRetry' | 'untilDue' | 'untilWanted'> & {
  readonly scheduler: Scheduler
  /** Milliseconds since an arbitrary time. */
  readonly now: () => number
  /** Called when history has reached command `seq`, and queries are answered. */
  readonly onStarted: (seq: Seq) => void
  /** A follower with a complete history waits for `begin`. */
  readonly beginsOnRequest: boolean
}

/** A follower that runs. */
export type FollowerNode = {
  /** The queries that wait until history reaches a command. */
  readonly waiting: WaitingList
  /** Reads the state and begins to follow. */
  begin(): void
  /** Ends once command `seq` has been applied. */
  finish(seq: Seq): void
  /**
   * Resolves with the last applied command, when the history is closed; rejects with the fault that ended
   * it.
   */
  readonly ended: Promise<Seq>
}

/** Nothing is answered before the follower has determined the position of history. */
const NOWHERE = -1 as Seq

/** Pause before full storage is tried again. */
const RETRY_DELAY_MS = 500

/** Starts a follower; its result is in `ended`. */
export function composeFollower(options: FollowerNodeOptions): FollowerNode {
  const { scheduler, limits } = options
  const { waitingMax, pullPauseMs: pauseMs } = limits
  const pace = new PullPace({ scheduler, pauseMs, isAwaited: () => waiting.size > 0 })
  const waiting = new WaitingList(NOWHERE, waitingMax, () => pace.end())
  const begun = Promise.withResolvers<void>()
  if (!options.beginsOnRequest) begun.resolve()
  const end = new End(begun.resolve)
  const ended = follow(options, { waiting, pace, untilBegun: begun.promise, end }).catch((cause: unknown) => {
    waiting.fail(new EngineFault('ENGINE_DOWN', 'the history has stopped', { cause }))
    throw cause
  })
  // The composition of the node awaits it; a fault not yet awaited must not end the process by itself.
  ended.catch(() => {})
  return { waiting, begin: begun.resolve, finish: (seq) => end.order(seq), ended }
}

type Parts = {
  readonly waiting: WaitingList
  readonly pace: PullPace
  readonly untilBegun: Promise<void>
  readonly end: End
}

async function follow(options: FollowerNodeOptions, { waiting, pace, untilBegun, end }: Parts): Promise<Seq> {
  const { history, scheduler, now, limits, onNote, onAdvance, onStarted } = options
  let isStarted = false
  const follower = await Follower.open({
    ...options,
    onAdvance: (seq) => {
      waiting.advance(seq)
      onAdvance(seq)
      if (isStarted) return
      isStarted = true
      onStarted(seq)
    },
    untilRetry: () => new Promise((resolve) => scheduler.later(resolve, RETRY_DELAY_MS)),
    untilDue: () => pace.pause(),
    untilWanted: () => untilBegun,
  })
  end.pass((seq) => follower.finish(seq))
  const { compareEveryMs } = limits
  const stopTasks = startBackgroundTasks(follower, { scheduler, now, onNote, compareEveryMs })
  const seq = await follower.run().finally(stopTasks)
  // The last audit does not wait for a pause.
  follower.audit()
  waiting.fail(new EngineFault('STOPPING', 'the history is stopping'))
  await history.close()
  return seq
}

/** The request to end, which may come before the follower exists. */
class End {
  readonly #begin: () => void
  #seq: Seq | undefined
  #finish: ((seq: Seq) => void) | undefined

  constructor(begin: () => void) {
    this.#begin = begin
  }

  order(seq: Seq): void {
    // A follower that is to end must first read its state, for its final snapshot.
    this.#begin()
    this.#seq = seq
    this.#finish?.(seq)
  }

  pass(finish: (seq: Seq) => void): void {
    this.#finish = finish
    if (this.#seq !== undefined) finish(this.#seq)
  }
}
