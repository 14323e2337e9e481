/**
 * Test of an order: the result if it were placed now (docs/reference/extensions.md#order-test). It takes the
 * parameter `test=true`, which a new order refuses, so that a request signed for one is never valid for the
 * other.
 */

import {
  type RepeatedFigures,
  repeatedOrderBody,
  type TestedFigures,
  testedOrderBody,
} from '../../../../contract/api/tested-order.ts'
import { oneOf } from '../../../../contract/expectations.ts'
import type { PlaceOrder } from '../../../../core/commands/orders.ts'
import type { TestedOrder } from '../../../../core/exchange/tested-order.ts'
import { averagePrice } from '../../../../core/ledger/money.ts'
import type { OrderRepeated } from '../../../../core/questions/reply.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { uuidOf } from '../../../../units/ids.ts'
import { readOptional } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import { ledgerTotal, scaleOf } from '../../../description/order-figures.ts'
import type { Answer, Call } from '../../call.ts'
import { operationOf, requireSymbol } from '../../operation.ts'
import { checkNewOrderName, readNewOrder } from '../../order-parameters.ts'

/**
 * Weight of a FOK order: many resting orders may have to be examined to find out that it cannot be filled.
 */
const FOK_WEIGHT = 20

/** Number of examined fills covered by one unit of weight. */
const FILLS_PER_WEIGHT = 25

export const testOrder = operationOf('testOrder', testOrderAnswer, (name) =>
  name === 'test' ? undefined : checkNewOrderName(name),
)

async function testOrderAnswer(call: Call): Promise<Answer> {
  const test = readOptional(call.parameters, 'test')
  if (test instanceof Refusal) return test
  if (test === undefined) return refuse('MISSING_PARAMETER', { name: 'test' })
  if (test !== 'true') return refuse('INVALID_PARAMETER', { name: 'test', expected: oneOf(['true']) })
  const symbol = requireSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const command = readNewOrder(call.parameters, symbol, call)
  if (command instanceof Refusal) return command
  const refusal =
    command.type === 'LIMIT' && command.timeInForce === 'FOK'
      ? call.charge(FOK_WEIGHT - testOrder.weight)
      : undefined
  if (refusal !== undefined) return refusal
  const tested = await call.services.engine.ask('orderTest', command)
  if (tested.kind === 'Refused') return call.coreRefusal(command, tested.reason)
  if (tested.kind === 'OrderRepeated')
    return repeatedOrderBody(repeatOf(command, tested, symbol), symbol, call.language)
  const rowsRefusal = call.chargeRows(Math.floor(tested.fillCount / FILLS_PER_WEIGHT))
  return rowsRefusal ?? testedOrderBody(figuresOf(command, tested, symbol), symbol, call.language)
}

/** The order that was placed under the id: its requested values, and its result. */
function repeatOf(command: PlaceOrder, repeated: OrderRepeated, symbol: TradingSymbol): RepeatedFigures {
  const { side, type, timeInForce, clientOrderId } = command
  const { orderNumber, time, status, executedQuantity, executedNotional } = repeated
  const id = uuidOf('order', orderNumber, time)
  const executedTotal = ledgerTotal(executedNotional, side, scaleOf(symbol))
  const averaged = averagePrice(executedNotional, executedQuantity, symbol)
  const asked = { side, type, timeInForce, clientOrderId }
  return { ...asked, id, time, status, executedQuantity, executedTotal, averagePrice: averaged }
}

function figuresOf(
  command: PlaceOrder,
  tested: Extract<TestedOrder, { kind: 'Tested' }>,
  symbol: TradingSymbol,
): TestedFigures {
  const { side, type, timeInForce, price, stopPrice, trailingDelta, quantity, total, expireTime } = command
  const { executedQuantity, executedNotional } = tested
  return {
    ...tested,
    side,
    type,
    timeInForce,
    price,
    stopPrice,
    trailingDelta,
    quantity,
    total,
    visibleQuantity: command.icebergQuantity,
    expireTime,
    selfTradeMode: command.selfTradeMode ?? symbol.selfTradeMode,
    endReason: tested.cause,
    executedTotal: tested.total,
    averagePrice: averagePrice(executedNotional, executedQuantity, symbol),
  }
}
