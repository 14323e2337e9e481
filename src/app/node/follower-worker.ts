/** The follower's thread: trade history and snapshots, from a second replay of the journal. */

import { EXCHANGE_FACTORY } from '../../engine/port/state-machine.ts'
import { FollowerMeter } from '../../engine/writer/meters.ts'
import { sha256 } from '../../storage/sha256.ts'
import { followerFailure, runFollower } from '../../transport/thread/follower-host.ts'
import { watchLoop } from '../../transport/thread/loop-watch.ts'
import { prepareStorage, storageOf } from './storage/storage.ts'
import type { FollowerWorkerNote, FollowerWorkerStart } from './threads.ts'

declare function postMessage(note: FollowerWorkerNote): void

prepareStorage()

addEventListener('message', ({ data }: MessageEvent<FollowerWorkerStart>) => start(data), { once: true })

function start({
  control,
  batches,
  questions,
  storage,
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
      ...storageOf(storage).openFollower({
        onDropped: (reason) => postMessage({ kind: 'HistoryFileDropped', reason }),
        onDamaged: (message) => postMessage({ kind: 'HistoryFileDamaged', message }),
      }),
      factory: EXCHANGE_FACTORY,
      digest: sha256,
    })
  } catch (error) {
    control.postMessage(followerFailure(error))
  }
}
