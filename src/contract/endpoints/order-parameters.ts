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
    'What happens where the order meets one of its own account; left out: as the symbol has it.',
  ),
)

const trailingDelta = optional(
  whole(
    TRAILING_DELTA_MIN,
    TRAILING_DELTA_MAX,
    'Of a type that waits: it follows the price at this distance, in hundredths of a percent.',
  ),
)

export const symbolOrAll = { symbol: optional(symbolName('Left out: all symbols.')) }

/** docs/reference/http.md#new-order */
export const newOrderParameters = {
  symbol,
  side,
  type: oneOf(ORDER_TYPES),
  quantity: optional(decimal('In the base asset. Required except for a MARKET BUY.')),
  price: optional(decimal('Required of an order with a limit, refused of others.')),
  total: optional(decimal('In the quote asset. Of a MARKET BUY the most to spend, and required.')),
  stopPrice: optional(
    decimal(
      'What an order that waits waits for; with trailingDelta optional, and where it begins to follow.',
    ),
  ),
  trailingDelta,
  icebergQty: optional(decimal('How much the book shows at a time.')),
  timeInForce: optional(oneOf(TIMES_IN_FORCE, 'LIMIT: GTC unless said otherwise.')),
  expireTime: optional(time('Only with GTD.')),
  selfTradePreventionMode,
  newOrderRespType: optional(oneOf(['RESULT', 'FULL'], 'Another form of the answer; FULL weighs 4 more.')),
  newClientOrderId: optional(
    clientOrderId('A name of your own, so that an order sent twice is placed once.'),
  ),
} satisfies ParametersByName

export const testOrderParameters = {
  ...newOrderParameters,
  test: oneOf(['true'], 'A new order refuses it.'),
}

const canceledName = optional(clientOrderId('The same, by the id that you gave it.'))

export const cancelOrderParameters = {
  id: optional(uuid('The order; one of the two is required.')),
  cancelOrigClientOrderId: canceledName,
  symbol: optional(symbolName('Must be the symbol of the order; otherwise nothing is canceled.')),
  newOrderRespType: optional(oneOf(['RESULT'], 'The answer has the order, even if it had already ended.')),
}

export const replaceOrderParameters = {
  ...newOrderParameters,
  cancelReplaceMode: oneOf(
    CANCEL_REPLACE_MODES,
    'Whether the new order is placed where the old one cannot be canceled.',
  ),
  cancelId: optional(uuid('The order to cancel; one of the two is required.')),
  cancelOrigClientOrderId: canceledName,
  cancelRestrictions: optional(oneOf(CANCEL_RESTRICTIONS)),
}

const orderName = {
  orderId: optional(uuid('One of the two is required.')),
  origClientOrderId: optional(clientOrderId('The id that you gave it.')),
}

const attempts = {
  deadline: optional(
    time('With a client order id: the last moment at which the order may have taken effect.'),
  ),
  firstAttempt: optional(time('With deadline: when you first sent the order.')),
}

export const amendOrderParameters = {
  ...orderName,
  newQty: decimal('The whole quantity from now on, including what was executed.'),
}

export const orderParameters = { ...symbolOrAll, ...orderName, ...attempts }

export const batchParameters = {
  operations: {
    form: {
      is: 'json',
      example: '[{"method":"DELETE","id":"01a0c450-6c7b-7100-8000-000000000001"}]',
    },
    description:
      'A JSON array of 1 to 20 objects: method is POST or DELETE, all else as of a new order or a cancel.',
  },
} satisfies ParametersByName

export const massCancelParameters = {
  scope: oneOf(['SYMBOL', 'ACCOUNT'], 'Those of one symbol, or of all.'),
  symbol: optional(symbolName('Only with SYMBOL.')),
}

export const countdownParameters = {
  ...symbolOrAll,
  countdownTime: whole(0, 86_400_000, 'Milliseconds; 0 switches it off.'),
  keepStops: otherwise('false', oneOf(['true', 'false'], 'Orders that wait for their trigger are kept.')),
}

const anyType = oneOf(ORDER_TYPES)
const pairType = oneOf(without(ORDER_TYPES, 'LIMIT', 'MARKET'))
const legTimeInForce = optional(oneOf(without(TIMES_IN_FORCE, 'GTD')))
const legId = optional(clientOrderId())
const ofLimit = optional(decimal('Of a type with a limit.'))
const ofStop = optional(decimal('Of a type that waits; with TrailingDelta optional.'))

const leg = {
  Price: ofLimit,
  StopPrice: ofStop,
  TrailingDelta: trailingDelta,
  TimeInForce: legTimeInForce,
  ClientOrderId: legId,
}
const pairLeg = { Type: pairType, ...leg }
const placedLeg = { ...pairLeg, Total: optional(decimal('Of a BUY at any price: the most to spend.')) }

const listMembers = {
  symbol,
  listClientOrderId: optional(clientOrderId('Names the list.')),
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
  listId: optional(uuid('One of the two is required.')),
  listClientOrderId: optional(clientOrderId('The id that you gave it.')),
  ...attempts,
}

export const cancelListParameters = {
  cancelListId: optional(uuid('One of the two is required.')),
  cancelListClientOrderId: optional(clientOrderId('The id that you gave it.')),
}
