/** The engine's thread. Its first message specifies the storage and the channels to use. */

import type { JournalPosition } from '../../engine/port/journal.ts'
import { ClockBoard } from '../../engine/writer/clock-board.ts'
import { EngineMeter } from '../../engine/writer/meters.ts'
import { runEngineHost } from '../../transport/thread/engine-host.ts'
import { watchLoop } from '../../transport/thread/loop-watch.ts'
import { askForShortSlices } from '../../transport/thread/short-slices.ts'
import { timeMs } from '../../units/quantities.ts'
import { prepareStorage, storageOf } from './storage/storage.ts'
import type { EngineWorkerStart } from './threads.ts'

/** 2026-01-01, older than this program: a machine with an earlier time has a clock that is not set. */
const EARLIEST = timeMs(Date.UTC(2026, 0, 1))

prepareStorage()
// Every order waits for this thread, which has little to do for each.
askForShortSlices()

addEventListener(
  'message',
  async ({ data }: MessageEvent<EngineWorkerStart>) => {
    const onTail = await tailWriter(data)
    const { requests, batches, audits, storage, acceptJournalTail, limits, clockLimits } = data
    const meter = new EngineMeter(data.meter)
    watchLoop(meter.loop)
    // A failed start or a crash is sent over the channel, with the reason; the main thread ends the process.
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
      ...(onTail === undefined ? {} : { onTail }),
    }).catch(() => {})
  },
  { once: true },
)

/** Publishes the journal's end to the parts that send it to standbys; loaded only if there are any. */
async function tailWriter({
  positionBoard,
}: EngineWorkerStart): Promise<((tail: JournalPosition) => void) | undefined> {
  if (positionBoard === undefined) return undefined
  return (await import('../standby/replication/tail-writer.ts')).tailWriter(positionBoard)
}
