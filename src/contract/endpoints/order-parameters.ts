/**
 * The parameters of requests that place, change, cancel and read orders, without `timestamp` and
 * `recvWindow`.
 */
import { TRAILING_DELTA_MAX, TRAILING_DELTA_MIN } from '../../units/limits.ts'
import {
  CANCEL_REPLACE_MODES,
  CANCEL_RESTRICTIONS,
  ORDER_TYPES,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
} from '../../units/order-enums.ts'
import {
  clientOrderId,
  decimal,
  oneOf,
  optional,
  otherwise,
  type ParametersByName,
  symbolName,
  time,
  under,
  uuid,
  whole,
} from './parameter.ts'

const without = <Word extends string>(words: readonly Word[], ...left: readonly Word[]) =>
  words.filter((word) => !left.includes(word))

const symbol = symbolName()
const side = oneOf(SIDES)
const selfTradePreventionMode = optional(
  oneOf(
    SELF_TRADE_MODES,
    'What happens if the order would trade with another order of the same account; default: the mode of the symbol.',
  ),
)

const trailingDelta = optional(
  whole(
    TRAILING_DELTA_MIN,
    TRAILING_DELTA_MAX,
    'For a type that waits: the distance at which the order follows the price, in hundredths of a percent.',
  ),
)

export const symbolOrAll = { symbol: optional(symbolName('Default: all symbols.')) }

/** docs/reference/http.md#new-order */
export const newOrderParameters = {
  symbol,
  side,
  type: oneOf(ORDER_TYPES),
  quantity: optional(decimal('In the base asset. Required except for a MARKET BUY.')),
  price: optional(decimal('Required for an order with a limit price, refused for others.')),
  total: optional(decimal('In the quote asset. For a MARKET BUY required: the largest amount to spend.')),
  stopPrice: optional(
    decimal(
      'The trigger price of an order that waits. With trailingDelta it is optional: the price at which the order begins to follow the market.',
    ),
  ),
  trailingDelta,
  icebergQty: optional(decimal('The quantity that the book shows at a time.')),
  timeInForce: optional(oneOf(TIMES_IN_FORCE, 'Default for LIMIT: GTC.')),
  expireTime: optional(time('Only with GTD.')),
  selfTradePreventionMode,
  newOrderRespType: optional(
    oneOf(['RESULT', 'FULL'], 'Another form of the answer; FULL adds 4 to the weight.'),
  ),
  newClientOrderId: optional(clientOrderId('Your own id, so that an order sent twice is placed only once.')),
} satisfies ParametersByName

export const testOrderParameters = {
  ...newOrderParameters,
  test: oneOf(['true'], 'Refused in a request that places an order.'),
}

const canceledName = optional(clientOrderId("Your own id, in place of the exchange's."))

export const cancelOrderParameters = {
  id: optional(uuid('The order to cancel; one of the two ids is required.')),
  cancelOrigClientOrderId: canceledName,
  symbol: optional(symbolName('Must be the symbol of the order; otherwise nothing is canceled.')),
  newOrderRespType: optional(oneOf(['RESULT'], 'Returns the order, even if it had already ended.')),
}

export const replaceOrderParameters = {
  ...newOrderParameters,
  cancelReplaceMode: oneOf(
    CANCEL_REPLACE_MODES,
    'Whether the new order is placed if the old one cannot be canceled.',
  ),
  cancelId: optional(uuid('The order to cancel; one of the two ids is required.')),
  cancelOrigClientOrderId: canceledName,
  cancelRestrictions: optional(oneOf(CANCEL_RESTRICTIONS)),
}

const orderName = {
  orderId: optional(uuid('One of the two ids is required.')),
  origClientOrderId: optional(clientOrderId('Your own id.')),
}

const attempts = {
  deadline: optional(
    time('With a client order id: the latest time at which the order may have taken effect.'),
  ),
  firstAttempt: optional(time('With deadline: when you first sent the order.')),
}

export const amendOrderParameters = {
  ...orderName,
  newQty: decimal('The new total quantity, including what was executed.'),
}

export const orderParameters = { ...symbolOrAll, ...orderName, ...attempts }

export const batchParameters = {
  operations: {
    form: {
      is: 'json',
      example: '[{"method":"DELETE","id":"01a0c450-6c7b-7100-8000-000000000001"}]',
    },
    description:
      'A JSON array of 1 to 20 objects: method is POST or DELETE, the other members are those of a new order or a cancel.',
  },
} satisfies ParametersByName

export const massCancelParameters = {
  scope: oneOf(['SYMBOL', 'ACCOUNT'], 'The orders of one symbol, or of all symbols.'),
  symbol: optional(symbolName('Only with SYMBOL.')),
}

export const countdownParameters = {
  ...symbolOrAll,
  countdownTime: whole(0, 86_400_000, 'In milliseconds; 0 switches the countdown off.'),
  keepStops: otherwise(
    'false',
    oneOf(['true', 'false'], 'true keeps the orders that wait for their trigger.'),
  ),
}

const anyType = oneOf(ORDER_TYPES)
const pairType = oneOf(without(ORDER_TYPES, 'LIMIT', 'MARKET'))
const legTimeInForce = optional(oneOf(without(TIMES_IN_FORCE, 'GTD')))
const legId = optional(clientOrderId())
const ofLimit = optional(decimal('For a type with a limit price.'))
const ofStop = optional(decimal('For a type that waits; optional with TrailingDelta.'))

const leg = {
  Price: ofLimit,
  StopPrice: ofStop,
  TrailingDelta: trailingDelta,
  TimeInForce: legTimeInForce,
  ClientOrderId: legId,
}
const pairLeg = { Type: pairType, ...leg }
const placedLeg = {
  ...pairLeg,
  Total: optional(decimal('For a BUY without a limit price: the largest amount to spend.')),
}

const listMembers = {
  symbol,
  listClientOrderId: optional(clientOrderId('Your own id for the list.')),
  selfTradePreventionMode,
  newOrderRespType: optional(oneOf(['RESULT'])),
}

const working = under('working', {
  Side: side,
  Type: oneOf(['LIMIT', 'LIMIT_MAKER']),
  Price: decimal(),
  Quantity: decimal(),
  TimeInForce: legTimeInForce,
  ClientOrderId: legId,
})

const pending = under('pending', {
  Side: side,
  Quantity: optional(decimal('Default: the proceeds of the working order.')),
})

export const ocoParameters = {
  ...listMembers,
  side,
  quantity: decimal(),
  ...under('above', placedLeg),
  ...under('below', placedLeg),
}

export const otoParameters = {
  ...listMembers,
  ...working,
  ...pending,
  ...under('pending', { Type: anyType, ...leg }),
}

export const otocoParameters = {
  ...listMembers,
  ...working,
  ...pending,
  ...under('pendingAbove', pairLeg),
  ...under('pendingBelow', pairLeg),
}

export const orderListParameters = {
  listId: optional(uuid('One of the two ids is required.')),
  listClientOrderId: optional(clientOrderId('Your own id.')),
  ...attempts,
}

export const cancelListParameters = {
  cancelListId: optional(uuid('One of the two ids is required.')),
  cancelListClientOrderId: optional(clientOrderId('Your own id.')),
}
