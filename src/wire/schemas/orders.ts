/** Orders, fills and lists of orders as answers and messages show them (docs/reference/orders.md, docs/reference/order-lists.md). */
import { z } from 'zod'
import { ORDER_TYPES, SELF_TRADE_MODES, SIDES, TIMES_IN_FORCE } from '../../units/order-words.ts'
import { done, error, refusalWith, successOf } from './envelope.ts'
import {
  assetCode,
  clientOrderId,
  decimal,
  exactNumber,
  isoTime,
  openWord,
  symbolName,
  timeMs,
  uuid,
  whole,
} from './forms.ts'

/** Why an order has ended; test/schemas holds them to the causes of the core. */
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

const side = z.enum(SIDES)
const type = z.enum(ORDER_TYPES)
const timeInForce = z.enum(TIMES_IN_FORCE)
const selfTradeMode = z.enum(SELF_TRADE_MODES)
const status = z.enum(['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED'])
const endReason = openWord(END_REASONS, 'With CANCELED: why.')

const sideName = z
  .string()
  .meta({ description: 'The side in the language of the request: Buy, Sell; Alış, Satış.' })

const orderMembers = {
  id: uuid,
  clientOrderId: clientOrderId.optional(),
  listId: uuid.optional().meta({ description: 'The list that it belongs to.' }),
  symbol: symbolName,
  side,
  type,
  timeInForce: timeInForce.optional(),
  price: decimal.optional().meta({ description: 'Of an order with a limit, as asked.' }),
  stopPrice: decimal.optional().meta({ description: 'Of an order that waits or has waited for it.' }),
  quantity: decimal.optional().meta({ description: 'As asked, or as amended since.' }),
  visibleQuantity: decimal
    .optional()
    .meta({ description: 'Of an iceberg order: how much is shown at a time.' }),
  total: decimal.optional().meta({ description: 'Of an order without a limit, as asked.' }),
  executedQuantity: decimal,
  executedTotal: decimal.meta({ description: 'Paid or received so far, before commission.' }),
  averagePrice: decimal.optional(),
  commission: decimal,
  commissionAsset: assetCode,
  preventedQuantity: decimal.optional().meta({ description: 'What self-trade prevention took off.' }),
  status,
  endReason: endReason.optional(),
  isWorking: z.boolean().optional().meta({ description: 'While it is open: it rests in the book.' }),
  selfTradePreventionMode: selfTradeMode.optional(),
  expireTime: timeMs.optional().meta({ description: 'Of a GTD order: when it ends by itself.' }),
  triggeredAt: timeMs.optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
}

export const order = z.object(orderMembers).meta({ id: 'Order', description: 'An order as it is now.' })

export const filledOrder = z
  .object({
    ...orderMembers,
    fills: z
      .array(
        z.object({
          tradeId: uuid,
          price: decimal,
          quantity: decimal,
          total: decimal,
          commission: decimal,
          commissionAsset: assetCode,
          isMaker: z.boolean(),
        }),
      )
      .max(100)
      .meta({ description: 'The first 100, oldest first.' }),
    hasMoreFills: z.literal(true).optional(),
  })
  .meta({ id: 'FilledOrder', description: 'An order as it was placed, with its fills.' })

/** The interface's own answer to a new order. */
export const createdOrder = z
  .object({
    id: uuid,
    symbol: symbolName,
    side,
    price: exactNumber.meta({ description: 'As asked; of a MARKET order the average of what was executed.' }),
    qty: exactNumber.meta({ description: 'As asked; of a MARKET order what was executed.' }),
    total: exactNumber,
    created_at: isoTime,
    side_name: sideName,
  })
  .meta({ id: 'CreatedOrder', description: 'An order that was placed.' })

/** What a placement is answered with, by `newOrderRespType`. */
export const placed = successOf(z.union([createdOrder, order, filledOrder])).meta({
  id: 'Placed',
  description: 'The order has been placed; data is as newOrderRespType has asked for.',
})

export const activeOrder = z
  .object({
    id: uuid,
    symbol: symbolName,
    side,
    price: decimal,
    qty: decimal,
    execQty: decimal,
    total: decimal,
    createdAt: isoTime,
  })
  .meta({ id: 'ActiveOrder', description: 'An open order.' })

export const tradeHistory = z
  .object({
    items: z.array(
      z.object({
        id: uuid,
        orderId: uuid,
        tradeAt: isoTime,
        symbol: symbolName,
        side,
        sideName,
        price: decimal,
        quantity: decimal,
        total: decimal,
        commission: decimal,
        commissionAssetCode: assetCode,
      }),
    ),
    page: whole,
    size: whole,
    total_pages: whole,
    total: whole,
  })
  .meta({ id: 'TradeHistory', description: 'A page of trades, newest first.' })

export const fill = z
  .object({
    id: uuid.meta({ description: 'Of the trade.' }),
    orderId: uuid,
    symbol: symbolName,
    side,
    price: decimal,
    quantity: decimal,
    total: decimal,
    commission: decimal,
    commissionAsset: assetCode,
    isMaker: z.boolean().meta({ description: 'Your order rested, the other one arrived.' }),
    time: timeMs,
  })
  .meta({ id: 'Fill', description: 'Your side of a trade.' })

export const orderList = z
  .object({
    listId: uuid,
    listClientOrderId: clientOrderId.optional(),
    contingencyType: z.enum(['OCO', 'OTO']),
    listStatusType: z.enum(['EXEC_STARTED', 'ALL_DONE']),
    listOrderStatus: z.enum(['EXECUTING', 'ALL_DONE']),
    symbol: symbolName,
    createdAt: timeMs,
    orders: z.array(order).min(2).max(3),
  })
  .meta({ id: 'OrderList', description: 'Orders that belong together.' })

const testedFill = z.object({ price: decimal, quantity: decimal, total: decimal, commission: decimal })

const testedOrder = z
  .object({
    symbol: symbolName,
    side,
    type,
    timeInForce: timeInForce.optional(),
    price: decimal.optional(),
    stopPrice: decimal.optional(),
    quantity: decimal.optional(),
    visibleQuantity: decimal.optional(),
    total: decimal.optional(),
    selfTradePreventionMode: selfTradeMode,
    expireTime: timeMs.optional(),
    status: status.meta({ description: 'The state that it would have after matching.' }),
    endReason: endReason.optional(),
    executedQuantity: decimal,
    executedTotal: decimal,
    averagePrice: decimal.optional(),
    commission: decimal,
    commissionAsset: assetCode,
    hold: decimal.meta({ description: 'What the rest would hold while it rests or waits.' }),
    holdAsset: assetCode,
    fillCount: whole,
    fills: z.array(testedFill).max(100),
  })
  .meta({ id: 'TestedOrder', description: 'What would become of the order now; nothing was placed.' })

const repeatedOrder = z
  .object({
    isRepeat: z.literal(true),
    id: uuid,
    clientOrderId: clientOrderId.optional(),
    symbol: symbolName,
    side,
    type,
    timeInForce: timeInForce.optional(),
    status,
    executedQuantity: decimal,
    executedTotal: decimal,
    averagePrice: decimal.optional(),
    createdAt: timeMs,
  })
  .meta({ id: 'RepeatedOrder', description: 'The order was placed before under its client order id.' })

export const tested = successOf(z.union([testedOrder, repeatedOrder]))

const result = z.enum(['SUCCESS', 'FAILURE'])

const replacement = z
  .object({
    cancelResult: result,
    newOrderResult: result,
    cancelResponse: z.union([done, error]),
    newOrderResponse: z.union([placed, error]),
  })
  .meta({ id: 'Replacement', description: 'What became of the cancel and of the new order.' })

export const replaced = successOf(replacement)

/** Its status is that of the reason. */
export const partlyReplaced = refusalWith('CANCEL_REPLACE_PARTLY_DONE', replacement).meta({
  id: 'PartlyReplaced',
  description: 'Of the cancel and the new order one was done.',
})

export const batch = successOf(
  z
    .array(
      z.object({
        status: z.int().min(200).max(599).meta({ description: 'HTTP status of this operation.' }),
        body: z.union([placed, done, error]),
        repeated: z.literal(true).optional(),
      }),
    )
    .min(1)
    .max(20),
)
