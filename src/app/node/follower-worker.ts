/** The follower's thread: trade history and snapshots, from a second replay of the journal. */
import path from 'node:path'
import { sha256 } from '../../drivers/crypto/sha256.ts'
import { SqliteHistory } from '../../drivers/sqlite/history/store.ts'
import { chooseLibrary } from '../../drivers/sqlite/library.ts'
import { openSnapshots } from '../../drivers/sqlite/storage.ts'
import { runFollower } from '../../drivers/thread/follower-host.ts'
import type { FollowerReport } from '../../drivers/thread/follower-messages.ts'
import { watchLoop } from '../../drivers/thread/loop-watch.ts'
import { FollowerMeter } from '../../engine/meters.ts'
import { EXCHANGE_FACTORY } from '../../engine/state-machine.ts'
import type { FollowerWorkerNote, FollowerWorkerStart } from './threads.ts'

const HISTORY_FILE = 'history.sqlite'

declare function postMessage(note: FollowerWorkerNote): void

chooseLibrary()

addEventListener('message', ({ data }: MessageEvent<FollowerWorkerStart>) => start(data), { once: true })

function start({
  control,
  batches,
  questions,
  dataDirectory,
  meter: memory,
  ...options
}: FollowerWorkerStart): void {
  const meter = new FollowerMeter(memory)
  watchLoop(meter.loop)
  try {
    void runFollower({
      ...options,
      onAdvance: (seq) => meter.seq.set(seq),
      control,
      feed: batches,
      questions: [questions],
      history: openHistory(dataDirectory),
      snapshots: openSnapshots(dataDirectory),
      factory: EXCHANGE_FACTORY,
      digest: sha256,
    })
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    control.postMessage({ kind: 'failed', fault: name, message, stack } satisfies FollowerReport)
  }
}

/** A history that cannot be used is made again from the journal: worth a note, not a refusal to start. */
function openHistory(dataDirectory: string): SqliteHistory {
  return SqliteHistory.open(
    path.join(dataDirectory, HISTORY_FILE),
    (reason) => postMessage({ kind: 'HistoryFileDropped', reason }),
    {},
    (message) => postMessage({ kind: 'HistoryFileDamaged', message }),
  )
}
