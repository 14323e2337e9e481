/** Answers that contain other answers: to a placement in the requested form, to a replacement, to a batch. */
import {
  between,
  component,
  constant,
  either,
  listOf,
  named,
  object,
  optional,
  word,
} from '../../units/shapes/shape.ts'
import { DONE, successOf } from '../envelope.ts'
import { ERROR, refusalWith } from '../error-body.ts'
import { FILLED_ORDER, ORDER } from './order-object.ts'
import { CREATED_ORDER } from './orders.ts'

export const PLACED = named(
  'Placed',
  'The order has been placed; data has the form requested by newOrderRespType.',
  successOf(either(CREATED_ORDER, ORDER, FILLED_ORDER)),
)

/** The answer to a cancel; with `newOrderRespType` RESULT it has the order. */
export const CANCELED = successOf(optional(ORDER))

/** With `newOrderRespType` RESULT it has the account's own order, if that had already ended. */
export const NOT_CANCELED = either(ERROR, refusalWith('UNKNOWN_ORDER', ORDER))

const result = word(['SUCCESS', 'FAILURE'])

export const REPLACEMENT = component('Replacement', 'The outcome of the cancel and of the new order.', {
  cancelResult: result,
  newOrderResult: result,
  cancelResponse: either(DONE, ERROR),
  newOrderResponse: either(PLACED, ERROR),
})

/** Its HTTP status is that of the reason. */
export const PARTLY_REPLACED = named(
  'PartlyReplaced',
  'Only one of the cancel and the new order was carried out.',
  refusalWith('CANCEL_REPLACE_PARTLY_DONE', REPLACEMENT),
)

export const BATCH = successOf(
  listOf(
    object({
      status: between(200, 599, 'HTTP status of this operation.'),
      body: either(PLACED, DONE, ERROR),
      repeated: optional(constant(true)),
    }),
    undefined,
    { min: 1, max: 20 },
  ),
)
