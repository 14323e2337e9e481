/** A history without trades, for streams whose clients request no candles. */
import type { HistoryPort } from '../../src/engine/port/history-questions.ts'
import { seq } from '../../src/units/quantities.ts'

export const NO_HISTORY: Pick<HistoryPort, 'candles'> = {
  candles: async () => ({ candles: [], earlier: undefined, first: undefined, seq: seq(0) }),
}
