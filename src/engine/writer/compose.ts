/**
 * The engine of a node, composed from storage, machines, clock, scheduler and output. This is the only
 * wiring: the thread of a running node, the engine in memory and the simulator differ in what they pass.
 */
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { EngineFaultKind } from '../port/fault.ts'
import type { BatchFeed } from '../port/feed.ts'
import { type Digest, JournalFault, type Tail } from '../port/journal.ts'
import type { EngineLimits } from '../port/limits.ts'
import type { EngineOutput, EngineRequest } from '../port/requests.ts'
import type { Snapshot, SnapshotStore } from '../port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../port/state-machine.ts'
import type { EngineStorage } from '../port/storage.ts'
import { Engine } from './engine.ts'
import { type ClockLimits, type ClockReading, type ClockSources, JournalClock } from './journal-clock.ts'
import { EngineLoop, feedOf, type Scheduler } from './loop.ts'
import { MeteredJournal } from './metered-journal.ts'
import type { EngineMeter } from './meters.ts'
import { type RecoveryProgress, type RecoveryReport, recover } from './recovery/recovery.ts'

export type EngineClock = {
  readonly sources: ClockSources
  readonly limits: ClockLimits
  /** A clock before this time is certainly wrong, and starts no journal. */
  readonly earliest?: TimeMs
  /** Called with every reading. */
  readonly onReading?: (reading: ClockReading) => void
  /**
   * Interval of clock readings without commands, so that the basis for detecting a jump is never old; the
   * first reading precedes all requests. Later readings are published when no batch is in progress. If
   * undefined, the clock is read with the commands only, for tests whose clock counts its readings.
   */
  readonly readEveryMs: number | undefined
}

export type RunningOptions = {
  readonly storage: EngineStorage
  readonly digest: Digest
  readonly clock: EngineClock
  readonly scheduler: Scheduler
  /** See `EngineParts`; not called before `composeEngine` has resolved. */
  readonly output: (output: EngineOutput) => void
  readonly limits: EngineLimits
  /** See `LoopOptions`. */
  readonly idleDelayMs: number
  /** Counts durable commands; undefined if not needed. */
  readonly meter?: EngineMeter
  /** Whether a stop saves no snapshot: the engine's owner saves it, once others can continue. */
  readonly savesNoSnapshot?: boolean
}

export type EngineNodeOptions = RunningOptions & {
  readonly machines: StateMachineFactory
  /** See `RecoveryOptions`. */
  readonly acceptJournalTail: boolean
  readonly onProgress?: (progress: RecoveryProgress) => void
}

/** Effects of a clean stop beyond the journal, which is complete in any case. */
export type StopReport = {
  /**
   * The reason why no snapshot of the end was saved, so that the next start replays more; undefined if it was
   * saved.
   */
  readonly snapshotProblem: string | undefined
}

/** An engine that runs. */
export type RunningEngine = {
  /** The end of the durable and applied part. */
  readonly tail: Tail
  /** The journal's batches, for followers, auditors and backups. */
  readonly feed: BatchFeed
  /** See `Engine.begin`. */
  begin(): void
  /** See `Engine.offer`. */
  offer(request: EngineRequest): EngineFaultKind | undefined
  /** See `EngineLoop.probe`. */
  probe(): void
  /**
   * Refuses new requests, answers accepted ones and issues no commands itself; resolves once the journal no
   * longer changes. Never rejects before that.
   */
  settle(): Promise<void>
  /**
   * Refuses new requests, answers accepted ones, saves a snapshot and closes the journal; then `ended`
   * resolves.
   */
  stop(): void
  /** Resolves after a clean stop; rejects with the cause if the engine failed. */
  readonly ended: Promise<StopReport>
}

/** An engine that has recovered and runs. */
export type EngineNode = RunningEngine & { readonly report: RecoveryReport }

/**
 * The initial state of an engine: the state at the journal's end, read from the storage or reached by
 * following another engine's journal.
 */
export type InitialState = {
  /** At exactly the journal's tail. */
  readonly machine: StateMachine
  /** Every quarantined command of the journal. */
  readonly quarantined: ReadonlySet<Seq>
}

/** Recovers from the storage and runs. Rejects like `recover`. */
export async function composeEngine(options: EngineNodeOptions): Promise<EngineNode> {
  const storage = metered(options)
  const { machine, report } = await recover({ ...options, ...storage })
  const running = run(options, storage, { machine, quarantined: report.quarantined })
  return Object.assign(running, { report })
}

/** Runs on an existing state. Throws what `composeEngine` rejects with, except for the faults of recovery. */
export function runEngine(options: RunningOptions, state: InitialState): RunningEngine {
  return run(options, metered(options), state)
}

function run(
  options: RunningOptions,
  storage: EngineStorage,
  { machine, quarantined }: InitialState,
): RunningEngine {
  const { digest, limits, scheduler, idleDelayMs, output } = options
  const clock = openClock(options)
  const engine = new Engine({ ...storage, machine, digest, clock, output, limits })
  const stopReading = readRepeatedly(clock, engine, options)
  const ended = Promise.withResolvers<StopReport>()
  // The composition of the node awaits it; a failure not yet awaited must not end the process by itself.
  ended.promise.catch(() => {})
  const loop = new EngineLoop(engine, {
    scheduler,
    idleDelayMs,
    onDeath: (cause) => {
      stopReading()
      ended.reject(cause)
    },
  })
  const stop = async (): Promise<void> => {
    let snapshotProblem: string | undefined
    const isClean = await loop.stop(async () => {
      if (options.savesNoSnapshot) return
      snapshotProblem = await trySave(storage.snapshots, engine.snapshot())
    })
    stopReading()
    if (isClean) ended.resolve({ snapshotProblem })
  }
  return {
    get tail() {
      return engine.tail
    },
    feed: feedOf(loop, quarantined, storage.journal.archiving),
    begin: () => loop.begin(),
    offer: (request) => loop.offer(request),
    probe: () => loop.probe(),
    settle: () => loop.settle(),
    stop: () => void stop(),
    ended: ended.promise,
  }
}

function metered({ storage, meter, clock }: RunningOptions): EngineStorage {
  if (meter === undefined) return storage
  return { ...storage, journal: new MeteredJournal(storage.journal, meter, clock.sources.monotonicMs) }
}

/**
 * The clock that dates the journal. Throws `JournalFault` if a new journal would begin with a clock that was
 * never set.
 */
function openClock({ storage, clock }: RunningOptions): JournalClock {
  const { sources, limits, earliest, onReading } = clock
  const { time } = storage.journal.tail
  if (earliest !== undefined && time === 0 && sources.wall() < earliest) {
    const found = new Date(sources.wall()).toISOString()
    throw new JournalFault('UNSUPPORTED', `the clock shows ${found}: set it, then start a new journal`)
  }
  return new JournalClock({ sources, limits, journalTime: time, onReading })
}

/** Reads the clock now and repeatedly, until the returned function is called. */
function readRepeatedly(
  clock: JournalClock,
  engine: Engine,
  { clock: { readEveryMs }, scheduler }: RunningOptions,
): () => void {
  if (readEveryMs === undefined) return () => {}
  let cancel: () => void
  const readLater = (): void => {
    cancel = scheduler.later(() => {
      engine.passTime(clock.read().time)
      readLater()
    }, readEveryMs)
  }
  clock.read()
  readLater()
  return () => cancel()
}

/** Saves a snapshot; returns the reason if that fails: the journal is complete without one. */
export async function trySave(snapshots: SnapshotStore, snapshot: Snapshot): Promise<string | undefined> {
  try {
    await snapshots.save(snapshot)
    return undefined
  } catch (cause) {
    if (cause instanceof JournalFault) return cause.message
    throw cause
  }
}
