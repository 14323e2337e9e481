/** What a follower tells its operator. */
import type { Seq } from '../../units/quantities.ts'
import type { AuditAlarm } from './self-audit.ts'

/** What an operator should know of; nothing of it stops the follower. */
export type FollowerNote =
  | { readonly kind: 'SnapshotDamaged'; readonly name: string; readonly problem: string }
  | { readonly kind: 'SnapshotSaved'; readonly seq: Seq; readonly bytes: number }
  | { readonly kind: 'StateHashConfirmed'; readonly seq: Seq }
  /** The engine's own state after this command is the one that was replayed. */
  | { readonly kind: 'EngineConfirmed'; readonly seq: Seq }
  /** What the journal holds up to this command, which a snapshot covers at a start, is what was written. */
  | { readonly kind: 'JournalConfirmed'; readonly seq: Seq }
  /** It is not: the node goes on, but nothing can be replayed from the first command. */
  | { readonly kind: 'JournalDamaged'; readonly message: string }
  | { readonly kind: 'HistoryDropped'; readonly seq: Seq }
  /** The books of every asset have been added up at this command or later, and add up. */
  | { readonly kind: 'Reconciled'; readonly seq: Seq }
  /** The books of an asset do not add up: nothing may be traded in it until somebody has looked. */
  | ({ readonly kind: 'AuditFailed' } & AuditAlarm)
  /** The follower stands still, or goes on without this snapshot, until there is room. */
  | { readonly kind: 'StorageFull'; readonly what: 'history' | 'snapshot'; readonly message: string }
  /** Another program is in the way, or no descriptor is left: the follower goes on without this snapshot and makes the next when it is due. */
  | { readonly kind: 'SnapshotPutOff'; readonly message: string }
