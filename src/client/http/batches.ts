/**
 * Several placements and cancels in one request. Each placement has a client id, so the batch is sent until
 * there is an answer: earlier placements get their original answers. A cancel that then finds nothing to
 * cancel is looked up, like a single one.
 */

import { ENDPOINTS } from '../endpoints.ts'
import type { BourseError } from '../errors.ts'
import { usageError } from '../errors.ts'
import type { ErrorBody } from '../interface/orders.ts'
import type { Fields } from './attempt.ts'
import type { RestCaller, RetriedCall } from './caller.ts'
import { CANCEL_ORDER, isCanceled } from './cancels.ts'
import { fieldsOf } from './fields.ts'
import type { Placements } from './placements.ts'

export const BATCH_MAX = 20

/** The result of one operation. */
export type BatchRow = {
  /** HTTP status of this operation. */
  readonly status: number
  readonly body: { readonly status: boolean; readonly data?: unknown } | ErrorBody
  /**
   * The placement was made before under its client order id, and this is the original answer; or the cancel
   * was carried out by an earlier attempt.
   */
  readonly repeated?: true | undefined
  /** For a placement: the id by which it can be queried. */
  readonly clientOrderId?: string | undefined
}

export async function batch(
  caller: RestCaller,
  placements: Placements,
  operations: readonly Readonly<Record<string, unknown>>[],
  call: RetriedCall,
): Promise<readonly BatchRow[]> {
  if (operations.length < 1 || operations.length > BATCH_MAX) {
    throw usageError(`operations: expected 1 to ${BATCH_MAX}, found ${operations.length}`)
  }
  const rows = operations.map((operation) => named(fieldsOf(operation), placements))
  let isLost = false
  const onFailure = (error: BourseError) => {
    isLost ||= error.outcome === 'UNKNOWN'
  }
  const fields = { operations: JSON.stringify(rows) }
  const { data } = await caller.repeatedly(ENDPOINTS.orderBatch, fields, call, onFailure)
  const answers = (data as readonly BatchRow[]).map((answer, at) => ({
    ...answer,
    clientOrderId: rows[at]?.newClientOrderId,
  }))
  if (!isLost) return answers
  return Promise.all(answers.map((answer, at) => lookedUp(caller, answer, rows[at] ?? {}, call)))
}

function named(fields: Fields, placements: Placements): Fields {
  const isPlacement = fields.method === 'POST' && fields.newClientOrderId === undefined
  return isPlacement ? { ...fields, newClientOrderId: placements.newId() } : fields
}

/** Queries the result of a cancel that an earlier attempt may have carried out. */
async function lookedUp(
  caller: RestCaller,
  answer: BatchRow,
  fields: Fields,
  call: RetriedCall,
): Promise<BatchRow> {
  const isRefused = 'reason' in answer.body && answer.body.reason === CANCEL_ORDER.reason
  if (fields.method !== 'DELETE' || !isRefused) return answer
  try {
    const isDone = await isCanceled(caller, CANCEL_ORDER, fields, call)
    return isDone ? { status: 200, body: { status: true }, repeated: true } : answer
  } catch (error) {
    const msg = [`The order could not be queried: ${error instanceof Error ? error.message : String(error)}`]
    return { status: 503, body: { status: false, code: '0014', msg, reason: 'OUTCOME_UNKNOWN' } }
  }
}
