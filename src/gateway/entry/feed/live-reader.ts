import type { AccountUpdate } from '../../../engine/ports.ts'
import type { Refusal } from '../../common/refusal.ts'

/** Somebody who is given what happens to an account. */
export interface LiveReader {
  /** To be awaited before an update is given: a long one is made ready in pieces. */
  prepare(update: AccountUpdate): Promise<void> | undefined
  take(update: AccountUpdate): void
  end(refusal: Refusal): void
}
