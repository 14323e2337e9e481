/**
 * Orders of the simulator's clients in a symbol with its own tick and step
 * (docs/reference/admin.md#tick-and-step).
 */
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { Random } from '../world/random.ts'

/** Mostly with figures that are multiples of the symbol's current tick and step. */
export function onIncrements<Figures extends Pick<PlaceOrder, 'price' | 'stopPrice' | 'quantity'>>(
  random: Random,
  symbol: TradingSymbol | undefined,
  order: Figures,
): Figures {
  if (symbol?.increments === undefined || random.chance(0.15)) return order
  const { tickSize, stepSize } = symbol.increments
  const sizes = { price: tickSize, stopPrice: tickSize, quantity: stepSize, icebergQuantity: stepSize }
  const changed: Record<string, number> = {}
  for (const [name, size] of Object.entries(sizes)) {
    const figure = (order as Record<string, unknown>)[name]
    if (typeof figure === 'number') changed[name] = Math.max(1, Math.floor(figure / size)) * size
  }
  return { ...order, ...changed }
}
