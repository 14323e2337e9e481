/**
 * Withdrawals are asked for until there is an answer, and never twice: under an id of the caller's own, which it has also where this program ends before
 * the answer comes.
 */
import { type BourseError, RefusedError, usageError } from '../errors.ts'
import { ENDPOINTS } from '../interface/endpoints.ts'
import type { Answer, Fields } from './attempt.ts'
import type { PatientCall, RestCaller } from './caller.ts'

export function askWithdrawal(caller: RestCaller, fields: Fields, call: PatientCall): Promise<Answer> {
  if (fields.withdrawOrderId === undefined)
    throw usageError('askWithdrawal needs a withdrawOrderId: asked again under it, nothing leaves twice.')
  return caller.repeatedly(ENDPOINTS.askWithdrawal, fields, call)
}

/** When an answer was lost and the address is not there any more, it is removed. */
export async function removeAddress(caller: RestCaller, fields: Fields, call: PatientCall): Promise<Answer> {
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
