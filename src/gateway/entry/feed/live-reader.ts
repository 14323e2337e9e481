import type { AccountUpdate } from '../../../engine/ports.ts'
import type { Refusal } from '../../common/refusal.ts'

/** Somebody who is given what happens to an account. */
export interface LiveReader {
  take(update: AccountUpdate): void
  end(refusal: Refusal): void
}
