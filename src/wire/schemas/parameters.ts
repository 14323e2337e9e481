/** The parameters of requests, without `timestamp` and `recvWindow`, which all signed ones have. */
import { z } from 'zod'
import { CANDLE_INTERVALS } from '../../units/candle-intervals.ts'
import {
  CANCEL_REPLACE_MODES,
  CANCEL_RESTRICTIONS,
  ORDER_TYPES,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
} from '../../units/order-words.ts'
import {
  clientOrderId,
  decimalParameter,
  limitParameter,
  symbolName,
  timeParameter,
  uuidParameter,
} from './forms.ts'

const side = z.enum(SIDES)
const selfTradePreventionMode = z.enum(SELF_TRADE_MODES).optional().meta({
  description: 'What happens where the order meets one of its own account; left out: as the symbol has it.',
})

export const NO_PARAMETERS = z.object({})

export const oneSymbol = z.object({ symbol: symbolName })

export const symbolOrAll = z.object({
  symbol: symbolName.optional().meta({ description: 'Left out: all symbols.' }),
})

export const depthParameters = oneSymbol.extend({ limit: limitParameter(5_000, 500, 'Levels a side.') })

export const tradesParameters = oneSymbol.extend({ limit: limitParameter(1_000, 500, 'How many.') })

export const klinesParameters = oneSymbol.extend({
  interval: z.enum(CANDLE_INTERVALS),
  startTime: timeParameter.optional().meta({ description: 'Only candles that begin then or later.' }),
  endTime: timeParameter.optional().meta({ description: 'Only candles that begin then or earlier.' }),
  limit: limitParameter(1_000, 500, 'How many.'),
})

/** docs/reference/http.md#new-order */
export const newOrderParameters = oneSymbol.extend({
  side,
  type: z.enum(ORDER_TYPES),
  quantity: decimalParameter
    .optional()
    .meta({ description: 'In the base asset. Required but for a MARKET BUY.' }),
  price: decimalParameter
    .optional()
    .meta({ description: 'Required of an order with a limit, refused of others.' }),
  total: decimalParameter
    .optional()
    .meta({ description: 'In the quote asset. Of a MARKET BUY the most to spend, and required.' }),
  stopPrice: decimalParameter.optional().meta({ description: 'What an order that waits waits for.' }),
  icebergQty: decimalParameter.optional().meta({ description: 'How much the book shows at a time.' }),
  timeInForce: z.enum(TIMES_IN_FORCE).optional().meta({ description: 'LIMIT: GTC unless said otherwise.' }),
  expireTime: timeParameter.optional().meta({ description: 'With GTD, and with it alone.' }),
  selfTradePreventionMode,
  newOrderRespType: z
    .enum(['RESULT', 'FULL'])
    .optional()
    .meta({ description: 'Another form of the answer; FULL weighs 4 more.' }),
  newClientOrderId: clientOrderId
    .optional()
    .meta({ description: 'A name of your own, so that an order sent twice is placed once.' }),
})

export const testOrderParameters = newOrderParameters.extend({
  test: z.literal('true').meta({ description: 'A new order refuses it.' }),
})

export const cancelOrderParameters = z.object({
  id: uuidParameter.optional().meta({ description: 'The order; one of the two is required.' }),
  cancelOrigClientOrderId: clientOrderId
    .optional()
    .meta({ description: 'The same, by the id that you gave it.' }),
})

export const replaceOrderParameters = newOrderParameters.extend({
  cancelReplaceMode: z
    .enum(CANCEL_REPLACE_MODES)
    .meta({ description: 'Whether the new order is placed where the old one cannot be canceled.' }),
  cancelId: uuidParameter
    .optional()
    .meta({ description: 'The order to cancel; one of the two is required.' }),
  cancelOrigClientOrderId: clientOrderId
    .optional()
    .meta({ description: 'The same, by the id that you gave it.' }),
  cancelRestrictions: z.enum(CANCEL_RESTRICTIONS).optional(),
})

const orderName = {
  orderId: uuidParameter.optional().meta({ description: 'One of the two is required.' }),
  origClientOrderId: clientOrderId.optional().meta({ description: 'The id that you gave it.' }),
}

const attempts = {
  deadline: timeParameter.optional().meta({
    description: 'With a client order id: the last moment at which the order may have taken effect.',
  }),
  firstAttempt: timeParameter
    .optional()
    .meta({ description: 'With deadline: when you first sent the order.' }),
}

export const amendOrderParameters = z.object({
  ...orderName,
  newQty: decimalParameter.meta({
    description: 'The whole quantity from now on, what was executed included.',
  }),
})

export const orderParameters = symbolOrAll.extend({ ...orderName, ...attempts })

export const batchParameters = z.object({
  operations: z.string().meta({
    description:
      'A JSON array of 1 to 20 objects: method is POST or DELETE, all else as of a new order or a cancel.',
    contentMediaType: 'application/json',
    examples: ['[{"method":"DELETE","id":"01a0c450-6c7b-7100-8000-000000000001"}]'],
  }),
})

export const massCancelParameters = z.object({
  scope: z.enum(['SYMBOL', 'ACCOUNT']).meta({ description: 'Those of one symbol, or of all.' }),
  symbol: symbolName.optional().meta({ description: 'With SYMBOL, and with it alone.' }),
})

export const countdownParameters = symbolOrAll.extend({
  countdownTime: z.int().min(0).max(86_400_000).meta({ description: 'Milliseconds; 0 switches it off.' }),
  keepStops: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Orders that wait for their trigger go on waiting.' }),
})

const range = {
  from: timeParameter.optional().meta({ description: 'Only what happened then or later.' }),
  to: timeParameter.optional().meta({ description: 'Only what happened then or earlier.' }),
  limit: limitParameter(1_000, 500, 'So many elements at most.'),
}

const goesOn = 'Goes on from there: next of the answer before.'

export const allOrdersParameters = symbolOrAll.extend({
  ...range,
  before: uuidParameter.optional().meta({ description: goesOn }),
})

export const myTradesParameters = allOrdersParameters.extend({
  orderId: uuidParameter.optional().meta({ description: 'Only those of this order.' }),
})

export const ledgerParameters = z.object({
  asset: z.string().optional().meta({ description: 'The code of an asset; left out: all.' }),
  ...range,
  before: z
    .string()
    .regex(/^\d{1,16}-\d{1,16}-\d{1,16}$/)
    .optional()
    .meta({ description: goesOn }),
  format: z.enum(['json', 'csv']).default('json').meta({ description: 'csv: a table to be kept.' }),
})

export const positionParameters = z.object({
  asset: z.string().optional().meta({ description: 'The code of an asset; left out: all.' }),
  symbol: z.string().optional().meta({ description: 'The assets of this symbol alone.' }),
})

export const historyParameters = symbolOrAll.extend({
  page: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(0)
    .meta({ description: '0 is the newest.' }),
  size: limitParameter(1_000, 100, 'Items of a page.'),
  before: uuidParameter.optional().meta({ description: 'Only trades older than this trade.' }),
})

export const balanceParameters = z.object({
  code: z.string().optional().meta({ description: 'The code of an asset; left out: all of them.' }),
})

/** What a parameter is called under the prefix of its order. */
type Prefixed<Prefix extends string, Shape> = {
  [Name in keyof Shape as `${Prefix}${Name & string}`]: Shape[Name]
}

function under<Prefix extends string, Shape extends z.ZodRawShape>(prefix: Prefix, shape: Shape) {
  const members = Object.entries(shape).map(([name, member]) => [prefix + name, member])
  return Object.fromEntries(members) as Prefixed<Prefix, Shape>
}

const anyType = z.enum(ORDER_TYPES)
const pairType = z.enum(ORDER_TYPES).exclude(['LIMIT', 'MARKET'])
const legTimeInForce = z.enum(TIMES_IN_FORCE).exclude(['GTD']).optional()
const legId = clientOrderId.optional()
const ofLimit = decimalParameter.optional().meta({ description: 'Of a type with a limit.' })
const ofStop = decimalParameter.optional().meta({ description: 'Of a type that waits.' })

const leg = { Price: ofLimit, StopPrice: ofStop, TimeInForce: legTimeInForce, ClientOrderId: legId }
const pairLeg = { Type: pairType, ...leg }
const placedLeg = {
  ...pairLeg,
  Total: decimalParameter.optional().meta({ description: 'Of a BUY at any price: the most to spend.' }),
}

const listMembers = {
  symbol: symbolName,
  listClientOrderId: clientOrderId.optional().meta({ description: 'Names the list.' }),
  selfTradePreventionMode,
  newOrderRespType: z.literal('RESULT').optional(),
}

const working = under('working', {
  Side: side,
  Type: z.enum(['LIMIT', 'LIMIT_MAKER']),
  Price: decimalParameter,
  Quantity: decimalParameter,
  TimeInForce: legTimeInForce,
  ClientOrderId: legId,
})

const pending = under('pending', {
  Side: side,
  Quantity: decimalParameter.optional().meta({ description: 'Left out: what the working order receives.' }),
})

export const ocoParameters = z.object({
  ...listMembers,
  side,
  quantity: decimalParameter,
  ...under('above', placedLeg),
  ...under('below', placedLeg),
})

export const otoParameters = z.object({
  ...listMembers,
  ...working,
  ...pending,
  ...under('pending', { Type: anyType, ...leg }),
})

export const otocoParameters = z.object({
  ...listMembers,
  ...working,
  ...pending,
  ...under('pendingAbove', pairLeg),
  ...under('pendingBelow', pairLeg),
})

export const orderListParameters = z.object({
  listId: uuidParameter.optional().meta({ description: 'One of the two is required.' }),
  listClientOrderId: clientOrderId.optional().meta({ description: 'The id that you gave it.' }),
  ...attempts,
})

export const cancelListParameters = z.object({
  cancelListId: uuidParameter.optional().meta({ description: 'One of the two is required.' }),
  cancelListClientOrderId: clientOrderId.optional().meta({ description: 'The id that you gave it.' }),
})

/** Every request with a key says when it was sent; those that are signed, for how long they are good. */
export const sentAt = {
  timestamp: timeParameter.meta({ description: 'When you send, by the clock of the server.' }),
}

export const signedWindow = {
  ...sentAt,
  recvWindow: z
    .int()
    .min(0)
    .max(60_000)
    .default(5_000)
    .meta({ description: 'For how many milliseconds the request is good.' }),
}
