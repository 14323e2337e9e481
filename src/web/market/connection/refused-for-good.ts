/**
 * Whether the exchange has refused a request in a way that another attempt would meet as well: the request is
 * not repeated with this key.
 */
import { RefusedError } from '../../../client/errors.ts'
import { isPassing } from '../../../client/http/caller.ts'

export function isRefusedForGood(error: unknown): boolean {
  return error instanceof RefusedError && error.status < 500 && !isPassing(error)
}
