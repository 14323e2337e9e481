/** Figures that answers about orders share. */
import { paidFor, type QuoteScale, quoteScale, receivedFor } from '../../core/ledger/money.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { Side } from '../../units/order-enums.ts'
import type { Amount, Notional } from '../../units/quantities.ts'

const scaleBySymbol = new WeakMap<TradingSymbol, QuoteScale>()

/** The symbol's scale, made once: three powers of ten (`npm run bench -- order-to-ack`). */
export function scaleOf(symbol: TradingSymbol): QuoteScale {
  const known = scaleBySymbol.get(symbol)
  if (known !== undefined) return known
  const scale = quoteScale(symbol.baseFraction, symbol.quoteFraction, symbol.quotePrecision)
  scaleBySymbol.set(symbol, scale)
  return scale
}

/** The amount paid by a buyer is rounded up, that received by a seller down. */
export function ledgerTotal(worth: Notional, side: Side, scale: QuoteScale): Amount {
  return side === 'BUY' ? paidFor(worth, scale) : receivedFor(worth, scale)
}
