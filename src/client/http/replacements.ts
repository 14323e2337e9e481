/**
 * Replacements. A replacement whose answer was lost may have canceled the old order without placing the new
 * one. The new order's id cannot show that, so the old order is queried.
 */

import { ENDPOINTS } from '../endpoints.ts'
import { BourseError } from '../errors.ts'
import type { Order } from '../interface/orders.ts'
import type { Answer, Fields } from './attempt.ts'
import type { RestCaller, RetriedCall } from './caller.ts'
import { AN_ORDER, type PlacementOptions, type Placements } from './placements.ts'

export async function replace(
  caller: RestCaller,
  placements: Placements,
  fields: Fields,
  call: RetriedCall,
  options: PlacementOptions,
): Promise<Answer> {
  let isLost = false
  const onFailure = (error: BourseError) => {
    isLost ||= error.outcome === 'UNKNOWN'
  }
  try {
    return await placements.place(ENDPOINTS.replaceOrder, fields, AN_ORDER, call, { ...options, onFailure })
  } catch (error) {
    if (!isLost || !(error instanceof BourseError) || error.outcome !== 'NOT_DONE') throw error
    throw await withOldOrder(caller, fields, call, error)
  }
}

/** The error with the state of the old order. */
async function withOldOrder(
  caller: RestCaller,
  fields: Fields,
  call: RetriedCall,
  error: BourseError,
): Promise<BourseError> {
  const { cancelId, cancelOrigClientOrderId } = fields
  const name: Fields =
    cancelId === undefined ? { origClientOrderId: cancelOrigClientOrderId ?? '' } : { orderId: cancelId }
  try {
    const { data } = await caller.repeatedly(ENDPOINTS.order, name, call)
    const { status, endReason, updatedAt } = data as Order
    const isCanceled = status === 'CANCELED' && endReason === 'USER' && updatedAt >= (error.firstAttempt ?? 0)
    if (!isCanceled) return error
    return error.with(
      { outcome: 'PARTLY_DONE' },
      'The old order was canceled, but the new one was not placed.',
    )
  } catch (cause) {
    return error.with(
      { outcome: 'UNKNOWN', cause },
      'The new order was not placed; the old one could not be queried.',
    )
  }
}
