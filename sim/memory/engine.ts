/**
 * An engine in the caller's own thread, on any storage, in memory by default: for tests of the parts in front
 * of an engine. Commands pass through the codec, so that the applied commands are those that a journal would
 * contain.
 */
import { EngineClient, IN_FLIGHT_MAX } from '../../src/engine/port/client.ts'
import type { BatchFeed } from '../../src/engine/port/feed.ts'
import { writeFrame } from '../../src/engine/port/frames.ts'
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from '../../src/engine/port/limits.ts'
import { ANY_EXCHANGES } from '../../src/engine/port/machines.fixture.ts'
import type { EnginePort } from '../../src/engine/port/ports.ts'
import type { RequestNumber } from '../../src/engine/port/request-client.ts'
import type { EngineRequest, OutgoingRequest } from '../../src/engine/port/requests.ts'
import type { StateMachineFactory } from '../../src/engine/port/state-machine.ts'
import type { EngineStorage } from '../../src/engine/port/storage.ts'
import { composeEngine, type EngineClock } from '../../src/engine/writer/compose.ts'
import type { ClockLimits, ClockReading } from '../../src/engine/writer/journal-clock.ts'
import { IDLE_DELAY_MS } from '../../src/engine/writer/loop.ts'
import type { RecoveryReport } from '../../src/engine/writer/recovery/recovery.ts'
import { decodeFrame } from '../../src/engine/writer/recovery/replay.ts'
import { runtimeScheduler } from '../../src/storage/scheduler.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { ByteWriter } from '../../src/units/bytes.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { MemoryJournal } from './journal.ts'
import { MemorySnapshots } from './snapshots.ts'
import { MemoryWitness } from './witness.ts'

export type MemoryEngineOptions = Partial<EngineStorage> & {
  readonly machines?: StateMachineFactory
  readonly limits?: Partial<EngineLimits>
  readonly inFlightMax?: number
  readonly clock?: () => TimeMs
  /** Without it, monotonic time follows every change of the wall clock. */
  readonly monotonicMs?: () => number
  /** Without limits, every clock is trusted. */
  readonly clockLimits?: ClockLimits
  readonly onClock?: (reading: ClockReading) => void
  /** Called once, when the engine fails. */
  readonly onDeath?: (cause: unknown) => void
}

const TRUSTING: ClockLimits = {
  jumpMaxMs: Number.MAX_SAFE_INTEGER,
  startJumpMaxMs: Number.MAX_SAFE_INTEGER,
}

export type MemoryEngine = {
  readonly port: EnginePort
  readonly feed: BatchFeed
  readonly report: RecoveryReport
  /**
   * Answers the accepted commands, saves a snapshot and closes the journal. Does nothing if the engine
   * failed.
   */
  stop(): Promise<void>
}

/** Recovers from the given storage and runs. Rejects like `recover` does. */
export async function startMemoryEngine(options: MemoryEngineOptions = {}): Promise<MemoryEngine> {
  const client = new EngineClient({
    inFlightMax: options.inFlightMax ?? IN_FLIGHT_MAX,
    send: (request, outgoing) => {
      const fault = engine.offer(framed(request, outgoing))
      if (fault === undefined) return
      const answer = { kind: 'fault', request, fault } as const
      queueMicrotask(() => client.receive({ events: undefined, answers: [answer] }))
    },
  })
  const engine = await composeEngine({
    storage: {
      journal: options.journal ?? new MemoryJournal(),
      witness: options.witness ?? new MemoryWitness(),
      snapshots: options.snapshots ?? new MemorySnapshots(),
    },
    machines: options.machines ?? ANY_EXCHANGES,
    digest: sha256,
    clock: clockOf(options),
    scheduler: runtimeScheduler,
    output: (output) => client.receive(output),
    limits: { ...DEFAULT_ENGINE_LIMITS, ...options.limits },
    idleDelayMs: IDLE_DELAY_MS,
    acceptJournalTail: false,
  })
  engine.ended.catch((cause: unknown) => {
    client.lose()
    options.onDeath?.(cause)
  })
  client.open()
  return {
    port: client,
    feed: engine.feed,
    report: engine.report,
    stop: async () => {
      client.refuseNew('STOPPING')
      engine.stop()
      await engine.ended.catch(() => {})
    },
  }
}

/** A test's clock is read only for its commands, so that the test can count the readings. */
function clockOf({ clock, monotonicMs, clockLimits, onClock }: MemoryEngineOptions): EngineClock {
  const wall = clock ?? (() => Date.now() as TimeMs)
  return {
    sources: { wall, monotonicMs: monotonicMs ?? wall },
    limits: clockLimits ?? TRUSTING,
    readEveryMs: undefined,
    ...(onClock === undefined ? {} : { onReading: onClock }),
  }
}

function framed(request: RequestNumber, outgoing: OutgoingRequest): EngineRequest {
  if (outgoing.kind === 'query') return { ...outgoing, request }
  const writer = new ByteWriter(256)
  writeFrame(writer, outgoing.command)
  const frame = writer.take()
  return { ...outgoing, request, command: decodeFrame(frame), frame }
}
