/** A history in which nothing was ever traded, for streams of which nobody wants candles. */
import type { HistoryPort } from '../../src/engine/port/ports.ts'
import { seq } from '../../src/units/quantities.ts'

export const NO_HISTORY: Pick<HistoryPort, 'candles'> = {
  candles: async () => ({ candles: [], earlier: undefined, first: undefined, seq: seq(0) }),
}
