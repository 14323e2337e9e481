/**
 * An engine in the caller's own thread, on any storage, in memory unless told otherwise: for tests of everything
 * that stands before an engine. Commands pass the codec, so what is applied is what a journal would hold.
 */
import { EngineClient, IN_FLIGHT_MAX } from '../../engine/client.ts'
import { Engine } from '../../engine/engine.ts'
import type { BatchFeed } from '../../engine/feed.ts'
import { writeFrame } from '../../engine/frames.ts'
import type { Journal } from '../../engine/journal.ts'
import { type ClockLimits, type ClockReading, JournalClock } from '../../engine/journal-clock.ts'
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from '../../engine/limits.ts'
import { EngineLoop, feedOf, IDLE_DELAY_MS } from '../../engine/loop.ts'
import type { EnginePort } from '../../engine/ports.ts'
import { type RecoveryReport, recover } from '../../engine/recovery.ts'
import { decodeFrame } from '../../engine/replay.ts'
import type { RequestNumber } from '../../engine/request-client.ts'
import type { EngineRequest, OutgoingRequest } from '../../engine/requests.ts'
import type { SnapshotStore } from '../../engine/snapshots.ts'
import { EXCHANGE_FACTORY, type StateMachineFactory } from '../../engine/state-machine.ts'
import type { Witness } from '../../engine/witness.ts'
import { ByteWriter } from '../../units/bytes.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { sha256 } from '../crypto/sha256.ts'
import { runtimeScheduler } from '../thread/scheduler.ts'
import { MemoryJournal } from './journal.ts'
import { MemorySnapshots } from './snapshots.ts'
import { MemoryWitness } from './witness.ts'

export type MemoryEngineOptions = {
  readonly journal?: Journal
  readonly witness?: Witness
  readonly snapshots?: SnapshotStore
  readonly machines?: StateMachineFactory
  readonly limits?: Partial<EngineLimits>
  readonly inFlightMax?: number
  readonly clock?: () => TimeMs
  /** Without it monotonic time agrees with the clock, whatever that does. */
  readonly monotonicMs?: () => number
  /** Without them every clock is trusted. */
  readonly clockLimits?: ClockLimits
  readonly onClock?: (reading: ClockReading) => void
  /** The engine died; called once. */
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
  /** Answers what was taken, saves a snapshot, closes the journal. */
  stop(): Promise<void>
}

/** Recovers from the storage given and runs. Rejects as `recover` does. */
export async function startMemoryEngine(options: MemoryEngineOptions = {}): Promise<MemoryEngine> {
  const journal = options.journal ?? new MemoryJournal()
  const witness = options.witness ?? new MemoryWitness()
  const snapshots = options.snapshots ?? new MemorySnapshots()
  const machines = options.machines ?? EXCHANGE_FACTORY
  const limits = { ...DEFAULT_ENGINE_LIMITS, ...options.limits }
  const stored = { journal, witness, snapshots, digest: sha256, machines }
  const { machine, report } = await recover({ ...stored, acceptJournalTail: false })
  const client = new EngineClient({
    inFlightMax: options.inFlightMax ?? IN_FLIGHT_MAX,
    send: (request, outgoing) => {
      const fault = loop.offer(framed(request, outgoing))
      if (fault === undefined) return
      const answer = { kind: 'fault', request, fault } as const
      queueMicrotask(() => client.receive({ events: undefined, answers: [answer] }))
    },
  })
  const wall = options.clock ?? (() => Date.now() as TimeMs)
  const engine = new Engine({
    machine,
    journal,
    witness,
    digest: sha256,
    clock: new JournalClock({
      sources: { wall, monotonicMs: options.monotonicMs ?? wall },
      limits: options.clockLimits ?? TRUSTING,
      journalTime: journal.tail.time,
      onReading: options.onClock,
    }),
    output: (output) => client.receive(output),
    limits,
  })
  const loop = new EngineLoop(engine, {
    scheduler: runtimeScheduler,
    idleDelayMs: IDLE_DELAY_MS,
    onDeath: (cause) => {
      client.lose()
      options.onDeath?.(cause)
    },
  })
  client.open()
  return {
    port: client,
    feed: feedOf(loop, report.quarantined),
    report,
    stop: async () => {
      client.refuseNew('STOPPING')
      await loop.stop(() => snapshots.save(engine.snapshot()))
    },
  }
}

function framed(request: RequestNumber, outgoing: OutgoingRequest): EngineRequest {
  if (outgoing.kind === 'query') return { ...outgoing, request }
  const writer = new ByteWriter(256)
  writeFrame(writer, outgoing.command)
  const frame = writer.take()
  return { ...outgoing, request, command: decodeFrame(frame), frame }
}
