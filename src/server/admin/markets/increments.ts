/**
 * The operation that sets the increments of prices and quantities of a symbol's orders
 * (docs/reference/admin.md#tick-and-step).
 */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { plainDecimal } from '../../../units/decimal.ts'
import type { Lots, Price } from '../../../units/quantities.ts'
import { type AdminContext, invalid, knownSymbol } from '../context.ts'
import { adminSymbol } from '../presentation.ts'
import { operatorOf, submit } from '../submit.ts'
import { lotsOf, priceOf } from './decimals.ts'
import { requirePlaceable } from './order-sizes.ts'

/** Changes the given fields; the others keep their values. */
export async function setIncrements(
  context: AdminContext,
  request: AdminRequests['symbol/increments'],
): Promise<AdminResults['symbol/increments']> {
  const symbol = knownSymbol(context, 'symbol', request.symbol)
  const increments = {
    tickSize: tickSizeOf(request.tickSize, symbol),
    stepSize: stepSizeOf(request.stepSize, symbol),
  }
  requirePlaceable({ ...symbol, increments }, request)
  await submit(context, {
    kind: 'SetSymbolIncrements',
    operator: operatorOf(context, request),
    symbol: symbol.name,
    ...increments,
  })
  return adminSymbol(knownSymbol(context, 'symbol', symbol.name))
}

function tickSizeOf(
  text: string | undefined,
  { increments, quoteFraction, priceBand }: TradingSymbol,
): Price {
  if (text === undefined) return increments?.tickSize ?? (1 as Price)
  const tickSize = priceOf('tickSize', text, quoteFraction)
  if (tickSize === 0)
    throw invalid('tickSize', `expected at least ${plainDecimal(1, quoteFraction)}, found ${text}`)
  if (priceBand === undefined || Math.floor(priceBand.max / tickSize) * tickSize >= priceBand.min)
    return tickSize
  const [min, max] = [priceBand.min, priceBand.max].map((price) => plainDecimal(price, quoteFraction))
  throw invalid(
    'tickSize',
    `expected a tick size with a multiple in the price band, ${min} to ${max}; found ${text}`,
  )
}

function stepSizeOf(text: string | undefined, { increments, baseFraction }: TradingSymbol): Lots {
  if (text === undefined) return increments?.stepSize ?? (1 as Lots)
  const stepSize = lotsOf('stepSize', text, baseFraction)
  if (stepSize === 0)
    throw invalid('stepSize', `expected at least ${plainDecimal(1, baseFraction)}, found ${text}`)
  return stepSize
}
