/** Notes of a follower for the operator. */
import type { Seq } from '../../units/quantities.ts'
import type { AuditAlarm } from './self-audit.ts'

/** Notes for the operator; none of them stops the follower. */
export type FollowerNote =
  | { readonly kind: 'SnapshotDamaged'; readonly name: string; readonly problem: string }
  | { readonly kind: 'SnapshotSaved'; readonly seq: Seq; readonly bytes: number }
  | { readonly kind: 'StateHashConfirmed'; readonly seq: Seq }
  /** The engine's own state after this command equals the replayed one. */
  | { readonly kind: 'EngineConfirmed'; readonly seq: Seq }
  /** The journal up to this command, which a snapshot covers at a start, is intact. */
  | { readonly kind: 'JournalConfirmed'; readonly seq: Seq }
  /** The journal is damaged there: the node continues, but nothing can be replayed from the first command. */
  | { readonly kind: 'JournalDamaged'; readonly message: string }
  | { readonly kind: 'HistoryDropped'; readonly seq: Seq }
  /** The books of every asset were added up at this command or later, and add up. */
  | { readonly kind: 'Reconciled'; readonly seq: Seq }
  /** The balances of an asset do not add up: trading in it must stop until an operator has checked. */
  | ({ readonly kind: 'AuditFailed' } & AuditAlarm)
  /** The follower waits, or continues without this snapshot, until there is room. */
  | { readonly kind: 'StorageFull'; readonly what: 'history' | 'snapshot'; readonly message: string }
  /**
   * Another program blocks the file, or no descriptor is left: the follower continues without this snapshot
   * and saves the next one when it is due.
   */
  | { readonly kind: 'SnapshotPutOff'; readonly message: string }
