/** Status of a cluster's engine for operators: in the log, in its health check and as metrics. */
import type { ClusterNote } from '../../../engine/leadership/cluster-ports.ts'
import type { Logger } from '../../../server/common/logger.ts'
import type { ClusterRole } from '../../../server/monitoring/cluster-metrics.ts'
import { unreachable } from '../../../units/invariant.ts'

export class RoleStatus {
  readonly #name: string
  readonly #log: Logger
  readonly #nowMs: () => number
  role: ClusterRole = 'SEEKING'
  leader: string | undefined
  epoch = 0
  /** In milliseconds since 1970. */
  leadingSinceMs: number | undefined

  constructor(name: string, log: Logger, nowMs: () => number) {
    this.#name = name
    this.#log = log
    this.#nowMs = nowMs
  }

  note(note: ClusterNote): void {
    switch (note.kind) {
      case 'Seeking':
        this.#become('SEEKING', undefined, this.epoch)
        this.#log.info({ why: note.why }, 'looking for the leader, or claiming leadership')
        break
      case 'Following':
        this.#become('FOLLOWING', note.leader, note.epoch)
        this.#log.info({ leader: note.leader, epoch: note.epoch }, 'another engine leads: following it')
        break
      case 'Leading': {
        const { epoch, tail, caughtUpCommands, newlyQuarantined } = note.report
        this.#become('LEADING', this.#name, epoch)
        this.#log.info({ epoch, seq: tail.seq, caughtUpCommands }, 'this engine leads')
        const message = 'commands that would stop the exchange are quarantined: report them'
        if (newlyQuarantined.length > 0) this.#log.error({ seqs: newlyQuarantined }, message)
        break
      }
      case 'LeadLost':
        this.#become('SEEKING', undefined, note.epoch)
        this.#log.error(
          { alarm: 'LEAD_LOST', epoch: note.epoch, problem: note.problem },
          'this engine no longer leads',
        )
        break
      case 'NotClaimed':
        this.#log.error({ problem: note.problem }, 'this engine cannot lead now')
        break
      case 'SnapshotDamaged':
        this.#log.warn({ ...note.damaged }, 'a damaged snapshot is skipped')
        break
      case 'SnapshotCopied':
        this.#log.info({ seq: note.seq }, 'the newest snapshot of the leader was copied')
        break
      default:
        unreachable(note)
    }
  }

  #become(role: ClusterRole, leader: string | undefined, epoch: number): void {
    this.role = role
    this.leader = leader
    this.epoch = epoch
    this.leadingSinceMs = role === 'LEADING' ? this.#nowMs() : undefined
  }
}
