/**
 * One process of the exchange, in the production wiring: it runs the same hosts of engine and follower, and
 * the same exchange over both, as a node's threads. Only channels, time and storage are simulated.
 */

import { NodeExchange } from '../../src/app/node/exchange.ts'
import type { EventBatch } from '../../src/core/events/event.ts'
import type { FollowerLimits } from '../../src/engine/follower/limits.ts'
import type { FollowerNote } from '../../src/engine/follower/note.ts'
import type { Batch } from '../../src/engine/port/journal.ts'
import type { EngineLimits } from '../../src/engine/port/limits.ts'
import type { StateMachineFactory } from '../../src/engine/port/state-machine.ts'
import type { EngineStorage, FollowerStorage } from '../../src/engine/port/storage.ts'
import type { ClockLimits, ClockReading, ClockSources } from '../../src/engine/writer/journal-clock.ts'
import type { Scheduler } from '../../src/engine/writer/loop.ts'
import { EngineMeter, METER_BYTES } from '../../src/engine/writer/meters.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import type { AnswerMessage, Channel } from '../../src/transport/thread/channel.ts'
import { ThreadEngine } from '../../src/transport/thread/engine-client.ts'
import { runEngineHost } from '../../src/transport/thread/engine-host.ts'
import { FollowerHandle } from '../../src/transport/thread/follower-handle.ts'
import { runFollower } from '../../src/transport/thread/follower-host.ts'
import { type HistoryClient, historyClient } from '../../src/transport/thread/history-client.ts'
import type { BlockChannel } from '../../src/transport/thread/messages.ts'
import type { Seq, TimeMs } from '../../src/units/quantities.ts'
import type { Lifetime, Schedule } from '../world/schedule.ts'
import { channelPair } from './channel.ts'
import { causeOfDeath } from './death.ts'

export type NodeParts = {
  readonly schedule: Schedule
  /** Over once the process has ended. */
  readonly life: Lifetime
  readonly openStorage: () => EngineStorage
  readonly followerStorage: FollowerStorage
  readonly engineMachines: StateMachineFactory
  readonly followerMachines: StateMachineFactory
  readonly clock: ClockSources
  readonly clockLimits: ClockLimits
  readonly onClock: (reading: ClockReading) => void
  /** Changes the engine's answers to a follower's pull on arrival. */
  readonly changeFeed: (batches: readonly Batch[]) => readonly Batch[]
  readonly engineLimits: Partial<EngineLimits>
  readonly followerLimits: FollowerLimits
  readonly idleDelayMs: number
  readonly acceptJournalTail: boolean
  /** Delay of a message from thread to thread; the follower's may be longer. */
  readonly threadDelayMs: () => number
  readonly followerDelayMs: () => number
  readonly onBatch: (batch: EventBatch) => void
  /** Called when the views were notified that no later command has an earlier time. */
  readonly onPassed: (time: TimeMs) => void
  readonly onNote: (note: FollowerNote) => void
}

/**
 * Recovers and starts, in the order of a node's stages; rejects with the error of the part that could not
 * start.
 */
export async function startNode(parts: NodeParts): Promise<NodeExchange> {
  const scheduler = schedulerOf(parts.schedule, parts.life)
  const { engine, feed } = startEngine(parts, scheduler)
  const { seq } = await engine.ready
  const starting = NodeExchange.start({ engine, ...startFollower(parts, scheduler, feed, seq) })
  const exchange = await starting.catch(async () => {
    throw await causeOfDeath({ failed: starting, engineEnded: engine.ended })
  })
  exchange.views.batches.subscribe(parts.onBatch)
  exchange.views.passed.subscribe(parts.onPassed)
  exchange.begin()
  return exchange
}

/**
 * Starts the engine's host at one end of a simulated channel, and its client at the other; `feed` is the
 * follower's end.
 */
function startEngine(
  parts: NodeParts,
  scheduler: Scheduler,
): { readonly engine: ThreadEngine; readonly feed: Channel } {
  const { schedule, life } = parts
  const [requests, engineEnd] = channelPair(schedule, life, parts.threadDelayMs)
  const [feed, engineFeed] = channelPair(schedule, life, parts.followerDelayMs)
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
    meter: new EngineMeter(new SharedArrayBuffer(METER_BYTES)),
  }).catch(() => {})
  return { engine, feed }
}

/** Starts the follower's host at one end of a simulated channel, and its handle at the other. */
function startFollower(
  parts: NodeParts,
  scheduler: Scheduler,
  feed: Channel,
  journalEnd: Seq,
): { readonly follower: FollowerHandle; readonly history: HistoryClient } {
  const { schedule, life } = parts
  const [control, followerControl] = channelPair(schedule, life, parts.followerDelayMs)
  const [questions, followerQuestions] = channelPair(schedule, life, parts.followerDelayMs)
  const timing = { scheduler, now: () => schedule.now }
  void runFollower({
    ...parts.followerStorage,
    factory: parts.followerMachines,
    digest: sha256,
    limits: parts.followerLimits,
    journalEnd,
    acceptJournalTail: parts.acceptJournalTail,
    beginsOnRequest: true,
    control: followerControl,
    feed,
    questions: [followerQuestions],
    ...timing,
  })
  return {
    follower: new FollowerHandle(control, parts.onNote),
    history: historyClient(questions, { inFlightMax: 10_000, answerTimeoutMs: 5_000, scheduler }),
  }
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

function schedulerOf(schedule: Schedule, life: Lifetime): Scheduler {
  return {
    soon: (task) => {
      schedule.after(0, life, task)
    },
    later: (task, delayMs) => schedule.after(delayMs, life, task),
  }
}
