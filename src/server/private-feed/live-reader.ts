import type { PrivateChannel } from '../../contract/stream/private-feed.ts'
import type { AccountUpdate } from '../../engine/port/ports.ts'
import type { Seq } from '../../units/quantities.ts'
import type { Refusal } from '../common/refusal.ts'

/** A receiver of an account's events. */
export interface LiveReader {
  readonly channel: PrivateChannel
  /** Must be awaited before an update is delivered: a long update is prepared in pieces. */
  prepare(update: AccountUpdate): Promise<void> | undefined
  take(update: AccountUpdate): void
  /**
   * Called when the reader receives no further updates: it has everything up to `position` and must catch up.
   */
  fallBehind(position: Seq): void
  end(refusal: Refusal): void
}
