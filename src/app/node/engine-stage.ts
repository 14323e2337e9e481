/** The start stage of the engine: its thread, the server's clock, and the watch over its storage. */
import type { ClockReading, ClockSources } from '../../engine/writer/journal-clock.ts'
import { ServerClock } from '../../engine/writer/server-clock.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { faultsOf } from '../process/background.ts'
import type { Settings } from '../settings/defaults.ts'
import { clockLogger } from './clock-watch.ts'
import { type StorageSettings, storageOf } from './storage/storage.ts'
import type { Taken } from './taken.ts'
import { type EngineThread, startEngineThread } from './threads.ts'
import { StorageWatch, watchEngineStorage } from './upkeep/storage-watch.ts'

const CLOCK: ClockSources = { wall: () => Date.now() as TimeMs, monotonicMs: () => performance.now() }

export type EngineStage = EngineThread & {
  readonly clock: ServerClock
  /** The clock for parts that only need the time and whether it is trusted. */
  readonly times: { readonly now: () => TimeMs; readonly clock: () => ClockReading }
  /** The storage that each thread opens. */
  readonly storage: StorageSettings
  readonly storageWatch: StorageWatch
  /** Resolves when the engine holds the storage and replays; rejects if it cannot get it. */
  readonly untilHeld: Promise<unknown>
}

export type EngineStageOptions = {
  readonly settings: Settings
  readonly log: Logger
  /** Memory with the end of the engine's journal; undefined if it is not needed. */
  readonly positionBoard: SharedArrayBuffer | undefined
}

export function startEngine({ settings, log, positionBoard }: EngineStageOptions, taken: Taken): EngineStage {
  const { dataDirectory, acceptJournalTail, engine: limits, clock: clockLimits } = settings
  const replaying = Promise.withResolvers<void>()
  const onProgress = (progress: object): void => {
    log.info(progress, 'replaying the journal')
    replaying.resolve()
  }
  // No other settings: a thread that stores needs no keys.
  const storage: StorageSettings = { dataDirectory }
  const onClock = clockLogger(log, dataDirectory)
  const client = { onProgress, onClock }
  const more = { positionBoard, ...client }
  const thread = startEngineThread({ storage, acceptJournalTail, limits, clockLimits, ...more })
  taken.add('the engine thread', thread.end)
  const clock = new ServerClock(thread.clockBoard, CLOCK)
  const { freeBytes, hasRoom } = storageOf(storage)
  const now = (): number => performance.now()
  const storageWatch = new StorageWatch({ log, dataDirectory, freeBytes, hasRoom, now })
  const onFault = faultsOf(log, 'the storage monitor')
  taken.add('the storage monitor', watchEngineStorage(storageWatch, thread.meter, onFault))
  const times = { now: () => clock.steady(), clock: () => clock.status() }
  const untilHeld = Promise.race([thread.engine.ready, replaying.promise])
  return { ...thread, storage, clock, times, storageWatch, untilHeld }
}
