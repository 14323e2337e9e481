/**
 * The follower thread for tests: with a history.sqlite and with snapshots in memory. Its first message
 * contains the paths.
 */

import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import { DEFAULT_FOLLOWER_LIMITS, type FollowerLimits } from '../../engine/follower/limits.ts'
import { ANY_EXCHANGES } from '../../engine/port/machines.fixture.ts'
import { sha256 } from '../../storage/sha256.ts'
import { SqliteHistory } from '../../storage/sqlite/history/store.ts'
import type { Seq } from '../../units/quantities.ts'
import { runFollower } from './follower-host.ts'

export type FollowerWorkerStart = {
  readonly control: MessagePort
  readonly feed: MessagePort
  readonly questions: MessagePort
  readonly path: string
  readonly journalEnd: Seq
  readonly beginsOnRequest: boolean
  readonly limits: Partial<FollowerLimits>
}

addEventListener(
  'message',
  ({ data }: MessageEvent<FollowerWorkerStart>) => {
    void runFollower({
      ...data,
      questions: [data.questions],
      history: SqliteHistory.open(data.path, () => {}),
      snapshots: new MemorySnapshots(),
      factory: ANY_EXCHANGES,
      digest: sha256,
      limits: { ...DEFAULT_FOLLOWER_LIMITS, ...data.limits },
      acceptJournalTail: false,
    })
  },
  { once: true },
)
