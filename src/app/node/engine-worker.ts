/** The engine's thread. Its first message says which storage and which channels to use. */

import { runEngineHost } from '../../drivers/thread/engine-host.ts'
import { watchLoop } from '../../drivers/thread/loop-watch.ts'
import { ClockBoard } from '../../engine/clock-board.ts'
import { EngineMeter } from '../../engine/meters.ts'
import { timeMs } from '../../units/quantities.ts'
import { prepareStorage, storageOf } from '../storage/storage.ts'
import type { EngineWorkerStart } from './threads.ts'

/** Older than this program, 2026-01-01: a machine without a clock that is set. */
const EARLIEST = timeMs(Date.UTC(2026, 0, 1))

prepareStorage()

addEventListener(
  'message',
  ({ data }: MessageEvent<EngineWorkerStart>) => {
    const { requests, batches, audits, storage, acceptJournalTail, limits, clockLimits } = data
    const meter = new EngineMeter(data.meter)
    watchLoop(meter.loop)
    // A failed start and a death are sent over the channel, with the reason; the main thread ends the process.
    runEngineHost(requests, {
      openStorage: () => storageOf(storage).openEngine(),
      meter,
      acceptJournalTail,
      followerChannel: batches,
      auditChannel: audits,
      limits,
      clockLimits,
      clockBoard: new ClockBoard(data.clockBoard),
      earliest: EARLIEST,
    }).catch(() => {})
  },
  { once: true },
)
