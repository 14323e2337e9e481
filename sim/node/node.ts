/**
 * One process of the exchange, composed as a node is: the engine's host, the follower's host, both their clients and
 * the read models, all of them the production code, over simulated channels, time and disk.
 */

import { type NodeViews, startViews } from '../../src/app/node/views.ts'
import type { EventBatch } from '../../src/core/exchange/event.ts'
import { sha256 } from '../../src/drivers/crypto/sha256.ts'
import type { AnswerMessage } from '../../src/drivers/thread/channel.ts'
import { ThreadEngine } from '../../src/drivers/thread/engine-client.ts'
import { runEngineHost } from '../../src/drivers/thread/engine-host.ts'
import { FollowerHandle } from '../../src/drivers/thread/follower-handle.ts'
import { runFollower } from '../../src/drivers/thread/follower-host.ts'
import { HistoryClient } from '../../src/drivers/thread/history-client.ts'
import type { BlockChannel } from '../../src/drivers/thread/messages.ts'
import type { FollowerLimits } from '../../src/engine/follower/limits.ts'
import type { FollowerNote } from '../../src/engine/follower/note.ts'
import type { HistoryStore } from '../../src/engine/history.ts'
import type { Batch } from '../../src/engine/journal.ts'
import type { ClockLimits, ClockReading, ClockSources } from '../../src/engine/journal-clock.ts'
import type { EngineLimits } from '../../src/engine/limits.ts'
import type { Scheduler } from '../../src/engine/loop.ts'
import type { RecoveryReport } from '../../src/engine/recovery.ts'
import type { SnapshotStore } from '../../src/engine/snapshots.ts'
import type { StateMachineFactory } from '../../src/engine/state-machine.ts'
import type { EngineStorage } from '../../src/engine/storage.ts'
import type { Lifetime, Schedule } from '../world/schedule.ts'
import { channelPair } from './channel.ts'

export type NodeParts = {
  readonly schedule: Schedule
  /** Over once the process has ended. */
  readonly life: Lifetime
  readonly openStorage: () => EngineStorage
  /** The follower's own way to the snapshots. */
  readonly snapshots: SnapshotStore
  readonly history: HistoryStore
  readonly engineMachines: StateMachineFactory
  readonly followerMachines: StateMachineFactory
  readonly clock: ClockSources
  readonly clockLimits: ClockLimits
  readonly onClock: (reading: ClockReading) => void
  /** What the engine answers to a follower's pull, as it arrives. */
  readonly changeFeed: (batches: readonly Batch[]) => readonly Batch[]
  readonly engineLimits: Partial<EngineLimits>
  readonly followerLimits: FollowerLimits
  readonly idleDelayMs: number
  readonly acceptJournalTail: boolean
  /** How long a message takes from thread to thread; the follower's may be slow. */
  readonly threadDelayMs: () => number
  readonly followerDelayMs: () => number
  readonly onBatch: (batch: EventBatch) => void
  readonly onNote: (note: FollowerNote) => void
}

/** A node that serves. */
export type RunningNode = {
  readonly engine: ThreadEngine
  readonly history: HistoryClient
  readonly views: NodeViews
  readonly report: RecoveryReport
  /** Rejects when a part has died. */
  readonly failed: Promise<never>
  /** Stops in good order. */
  stop(): Promise<void>
}

/** Recovers and starts; rejects as the part does that could not start. */
export async function startNode(parts: NodeParts): Promise<RunningNode> {
  const { schedule, life } = parts
  const scheduler = schedulerOf(schedule, life)
  const pair = () => channelPair(schedule, life, parts.threadDelayMs)
  const followerPair = () => channelPair(schedule, life, parts.followerDelayMs)

  const [requests, engineEnd] = pair()
  const [followerFeed, engineFeed] = followerPair()
  const engine = new ThreadEngine(requests, { scheduler, onClock: parts.onClock })
  runEngineHost(engineEnd, {
    openStorage: parts.openStorage,
    acceptJournalTail: parts.acceptJournalTail,
    followerChannel: changed(engineFeed, parts.changeFeed),
    limits: parts.engineLimits,
    idleDelayMs: parts.idleDelayMs,
    machines: parts.engineMachines,
    clock: parts.clock,
    clockLimits: parts.clockLimits,
    scheduler,
  }).catch(() => {})
  const report = await engine.ready

  const [control, followerControl] = followerPair()
  const [questions, followerQuestions] = followerPair()
  const follower = new FollowerHandle(control, parts.onNote)
  const timing = { scheduler, now: () => schedule.now }
  const history = new HistoryClient(questions, { inFlightMax: 10_000, answerTimeoutMs: 5_000, scheduler })
  void runFollower({
    history: parts.history,
    snapshots: parts.snapshots,
    factory: parts.followerMachines,
    digest: sha256,
    limits: parts.followerLimits,
    journalEnd: report.seq,
    acceptJournalTail: parts.acceptJournalTail,
    control: followerControl,
    feed: followerFeed,
    questions: [followerQuestions],
    ...timing,
  })
  await follower.started
  const views = await Promise.race([startViews(engine, history, parts.onBatch), failureOf(follower)])

  const failed = Promise.withResolvers<never>()
  engine.ended.catch(failed.reject)
  follower.ended.catch(failed.reject)
  failed.promise.catch(() => {})
  const stop = async (): Promise<void> => {
    await Promise.race([follower.finish(views.market.seq), failed.promise])
    history.close('STOPPING')
    await engine.stop()
  }
  return { engine, history, views, report, failed: failed.promise, stop }
}

/** The engine's end of the feed, with other batches in its answers. */
function changed(end: BlockChannel, change: NodeParts['changeFeed']): BlockChannel {
  const postMessage = end.postMessage.bind(end)
  end.postMessage = (message: unknown) => {
    const answer = message as AnswerMessage
    const isFeed = 'value' in answer && answer.kind === 'next'
    postMessage(isFeed ? { ...answer, value: change(answer.value as readonly Batch[]) } : answer)
  }
  return end
}

/** Rejects as the follower ends: why it did says more than that its history has stopped. */
async function failureOf(follower: FollowerHandle): Promise<never> {
  await follower.ended
  throw new Error('the follower has ended')
}

function schedulerOf(schedule: Schedule, life: Lifetime): Scheduler {
  return {
    soon: (task) => {
      schedule.after(0, life, task)
    },
    later: (task, delayMs) => schedule.after(delayMs, life, task),
  }
}
