/**
 * Whether the exchange has refused a request permanently: another attempt with this key would be refused too,
 * so none is made.
 */
import { RefusedError } from '../../../client/errors.ts'
import { isPassing } from '../../../client/http/caller.ts'

export function isRefusedForGood(error: unknown): boolean {
  return error instanceof RefusedError && error.status < 500 && !isPassing(error)
}
