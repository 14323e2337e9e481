/** Log messages of a node about recoveries, replays and snapshots. */
import type { FollowerNote } from '../../engine/follower/note.ts'
import type { RecoveryReport } from '../../engine/writer/recovery/recovery.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { FollowerWorkerNote } from './threads.ts'
import type { StorageWatch } from './upkeep/storage-watch.ts'

export function logRecovery(log: Logger, report: RecoveryReport): void {
  const { seq, snapshotSeq, replayedCommands, newlyQuarantined, damagedSnapshots, witness } = report
  log.info({ seq, snapshotSeq, replayedCommands }, 'recovered')
  if (newlyQuarantined.length > 0) {
    log.error(
      { seqs: newlyQuarantined },
      'commands that would stop the exchange are quarantined: report them',
    )
  }
  for (const { name, problem } of damagedSnapshots)
    log.warn({ name, problem }, 'a damaged snapshot is skipped')
  if (witness.damage !== undefined) log.warn({ damage: witness.damage }, 'the witness was damaged')
  for (const accepted of witness.accepted)
    log.warn({ accepted }, 'accepted by the operator: the journal is shorter')
}

/** Logs that the history of a running node was found damaged. */
export function historyDamageLogger(log: Logger): (note: FollowerNote | FollowerWorkerNote) => void {
  return (note) => {
    if (note.kind !== 'HistoryFileDamaged') return
    log.error({ problem: note.message }, 'trade history is incomplete until the next start')
  }
}

/** Writes the follower's notes to the log. */
export function noteLogger(
  log: Logger,
  storage: Pick<StorageWatch, 'followerFull'>,
): (note: FollowerNote | FollowerWorkerNote) => void {
  return (note) => {
    switch (note.kind) {
      case 'SnapshotSaved':
        return log.info({ seq: note.seq, bytes: note.bytes }, 'snapshot saved')
      case 'StateHashConfirmed':
        return log.info({ seq: note.seq }, 'two independent replays reached the same state')
      case 'EngineConfirmed':
        return log.info({ seq: note.seq }, 'the state of the engine equals the replayed state')
      case 'JournalConfirmed':
        return log.info({ seq: note.seq }, 'the part of the journal before the snapshot is intact')
      case 'JournalDamaged':
        return log.error({ problem: note.message }, 'the journal is damaged: repair it from a backup')
      case 'SnapshotDamaged':
        return log.warn({ name: note.name, problem: note.problem }, 'a damaged snapshot is skipped')
      case 'HistoryDropped':
        return log.warn({ seq: note.seq }, 'the history does not match the journal and is rebuilt')
      case 'HistoryFileDropped':
        return log.warn({ reason: note.reason }, 'the history file cannot be used and is rebuilt')
      case 'HistoryFileDamaged':
        // During the start, damage ends the start, and its cause is the final message. For damage found
        // later, see `historyDamageLogger`.
        return undefined
      case 'Reconciled':
        return log.info({ seq: note.seq }, 'the balances of every asset add up')
      case 'AuditFailed':
        // The trading guard logs the failure, once, with its reaction to it.
        return undefined
      case 'SnapshotPutOff':
        return log.warn({ problem: note.message }, 'a snapshot is postponed and retried later')
      case 'StorageFull':
        return storage.followerFull(note.what, note.message)
    }
  }
}
