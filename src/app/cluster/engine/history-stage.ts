/**
 * The history of a cluster process: the follower's thread, with its records. It continues through every
 * change of leaders.
 */

import type { AuditAlarm } from '../../../engine/follower/self-audit.ts'
import { ReplayFault } from '../../../engine/writer/recovery/replay.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { FollowerFault } from '../../../transport/thread/follower-handle.ts'
import type { Seq } from '../../../units/quantities.ts'
import { noteLogger } from '../../node/log-notes.ts'
import type { Monitoring } from '../../node/serving/monitoring.ts'
import { storageOf } from '../../node/storage/storage.ts'
import { type FollowerThread, startFollowerThread } from '../../node/threads.ts'
import { StorageWatch } from '../../node/upkeep/storage-watch.ts'
import { RestartFault } from '../../process/run-node.ts'
import type { Settings } from '../../settings/defaults.ts'

export type HistoryStageOptions = {
  readonly settings: Settings
  readonly log: Logger
  readonly monitoring: Monitoring
  /** The end of the journal when this stage began. */
  readonly journalEnd: Seq
  readonly batches: MessagePort
  /** Called if the balances of an asset do not add up. */
  readonly onAlarm: (alarm: AuditAlarm) => void
  /** Called when the thread ended with a fault: the process must end. */
  readonly onFailed: (cause: unknown) => void
}

export function startHistory(options: HistoryStageOptions): FollowerThread {
  const { settings, log, monitoring, journalEnd, batches, onAlarm, onFailed } = options
  const { dataDirectory, follower: limits } = settings
  const feeding = { journalEnd, batches }
  const thread = startFollowerThread({
    ...{ storage: { dataDirectory }, acceptJournalTail: false, limits },
    ...feeding,
  })
  const { use, hasRoom } = storageOf(settings)
  const freeBytes = (): number => use().freeBytes
  const watch = new StorageWatch({ log, dataDirectory, freeBytes, hasRoom, now: () => performance.now() })
  thread.notes.subscribe(noteLogger(log, watch))
  thread.notes.subscribe((note) => monitoring.note(note))
  thread.notes.subscribe((note) => {
    if (note.kind === 'AuditFailed') onAlarm(note)
  })
  thread.follower.ended.catch((cause: unknown) => onFailed(followerFault(cause)))
  return thread
}

/** A command that the follower cannot apply was quarantined in the meantime, or will be. */
function followerFault(cause: unknown): unknown {
  const isPoison = cause instanceof FollowerFault && cause.fault === ReplayFault.name
  return isPoison ? new RestartFault(cause.message, { cause }) : cause
}
