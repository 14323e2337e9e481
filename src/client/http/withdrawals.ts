/**
 * Withdrawals are requested until there is an answer, and never made twice: under an id of the caller, which
 * is known even if this program ends before the answer arrives.
 */

import { ENDPOINTS } from '../endpoints.ts'
import { type BourseError, RefusedError, usageError } from '../errors.ts'
import type { Answer, Fields } from './attempt.ts'
import type { RestCaller, RetriedCall } from './caller.ts'

export function askWithdrawal(caller: RestCaller, fields: Fields, call: RetriedCall): Promise<Answer> {
  if (fields.withdrawOrderId === undefined)
    throw usageError(
      'askWithdrawal needs a withdrawOrderId, so that a repeated request cannot withdraw twice.',
    )
  return caller.repeatedly(ENDPOINTS.askWithdrawal, fields, call)
}

/** If an answer was lost and the address no longer exists, it was removed. */
export async function removeAddress(caller: RestCaller, fields: Fields, call: RetriedCall): Promise<Answer> {
  let isLost = false
  const onFailure = (error: BourseError) => {
    isLost ||= error.outcome === 'UNKNOWN'
  }
  try {
    return await caller.repeatedly(ENDPOINTS.removeWithdrawalAddress, fields, call, onFailure)
  } catch (error) {
    const isGone = error instanceof RefusedError && error.reason === 'UNKNOWN_WITHDRAWAL_ADDRESS'
    if (isLost && isGone) return { data: {}, isRepeated: true }
    throw error
  }
}
