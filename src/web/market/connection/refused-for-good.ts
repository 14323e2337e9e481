/** Whether the exchange has refused what the page asks by itself in a way that the next try would meet as well: it is not asked again with this key. */
import { RefusedError } from '../../../client/errors.ts'
import { isPassing } from '../../../client/http/caller.ts'

export function isRefusedForGood(error: unknown): boolean {
  return error instanceof RefusedError && error.status < 500 && !isPassing(error)
}
