/** Fields common to answers about orders. */
import { TRAILING_DELTA_MAX, TRAILING_DELTA_MIN } from '../../units/limits.ts'
import { ORDER_TYPES, type OrderStatus, SIDES, TIMES_IN_FORCE } from '../../units/order-enums.ts'
import { between, openWord, optional, type Shape, text, word } from '../../units/shapes/shape.ts'

/** The reasons for the end of an order; test/schemas compares them with the causes of the core. */
export const END_REASONS = [
  'USER',
  'IOC',
  'MARKET_REMAINDER',
  'SELF_TRADE',
  'OPERATOR',
  'STEPS',
  'TRIGGER_REFUSED',
  'EXPIRED',
  'DEAD_MAN',
  'LIST',
  'PENDING_REFUSED',
  'DISCONNECT',
] as const

export const SIDE = word(SIDES)
export const TYPE = word(ORDER_TYPES)
export const TIME_IN_FORCE = optional(word(TIMES_IN_FORCE))
export const TRAILING_DELTA = optional(
  between(
    TRAILING_DELTA_MIN,
    TRAILING_DELTA_MAX,
    'For a trailing order: the distance at which the order follows the price, in hundredths of a percent.',
  ),
)
/** The states that occur in answers. */
export const statusOf = (doc?: string): Shape<OrderStatus> =>
  word(['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED'], doc)
export const END_REASON = optional(openWord(END_REASONS, 'With CANCELED: why the order ended.'))

/** The side in words for people. */
export const SIDE_NAME_TEXT = text('The side in the language of the request: Buy, Sell; Alış, Satış.')
