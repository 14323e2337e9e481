/**
 * The history as served over HTTP while the demo market runs: candles from before the first trade are made
 * up, and marked as such (docs/sandbox.md#candles-before-the-first-trade). All other data is from real
 * trades: the journal, the history's own candles, the stream and the figures of 24 hours contain none of
 * them.
 */
import type { HistoryPort } from '../../../engine/port/history-questions.ts'
import type { CandlePage, CandleQuery } from '../../../engine/port/ports.ts'
import { type Candle, joined } from '../../../units/candle.ts'
import type { SymbolId } from '../../../units/ids.ts'
import { timeMs } from '../../../units/quantities.ts'
import { MADE_UP_WIDTHS, MadeUpCandles, type MadeUpWidth } from './made-up-candles.ts'
import type { DemoMarket } from './markets.ts'

export type MadeUpOptions = {
  /** False if only real trades are shown. */
  readonly isOn: () => boolean
  /** Undefined if the symbol is not one of the demo's. */
  readonly marketOf: (symbolId: SymbolId) => DemoMarket | undefined
}

export function withMadeUpCandles(history: HistoryPort, options: MadeUpOptions): HistoryPort {
  return { ...history, candles: candlesOf(history, options) }
}

function candlesOf(history: HistoryPort, { isOn, marketOf }: MadeUpOptions): HistoryPort['candles'] {
  const madeBySymbol = new Map<SymbolId, MadeUpCandles>()

  /** Made-up candles lead up to the first trade: as long as there is no trade, there are none. */
  const madeFor = async (
    market: DemoMarket,
    { symbolId, atLeast }: CandleQuery,
  ): Promise<MadeUpCandles | undefined> => {
    const known = madeBySymbol.get(symbolId)
    if (known !== undefined) return known
    const second = { symbolId, width: '1s', atLeast, limit: 1 } as const
    const { first } = await history.candles({ ...second, from: timeMs(0), before: timeMs(0) })
    if (first === undefined) return undefined
    const { candles } = await history.candles({ ...second, from: first, before: timeMs(first + 1) })
    const [traded] = candles
    if (traded === undefined) return undefined
    const made = new MadeUpCandles(market, { time: first, ticks: traded.open })
    madeBySymbol.set(symbolId, made)
    return made
  }

  return async (query) => {
    const traded = await history.candles(query)
    const width = MADE_UP_WIDTHS.find((each) => each === query.width)
    const market = isOn() ? marketOf(query.symbolId) : undefined
    if (width === undefined || market === undefined || traded.first === undefined) return traded
    const made = await madeFor(market, query)
    return made === undefined ? traded : merged(traded, made, width, query)
  }
}

/** The window of the first trade combines made-up data before the trade with real data after it. */
async function merged(
  traded: CandlePage,
  made: MadeUpCandles,
  width: MadeUpWidth,
  { from, before, limit }: CandleQuery,
): Promise<CandlePage> {
  // The next candles are real trades.
  if (traded.earlier !== undefined) return { ...traded, first: made.from }
  const candles: Candle[] = [...traded.candles]
  const oldest = candles.at(-1)
  if (oldest !== undefined) {
    const [beside] = await made.within(width, oldest.start, oldest.start + 1, 1)
    if (beside !== undefined) candles[candles.length - 1] = { ...joined(beside, oldest), isMadeUp: true }
  }
  candles.push(...(await made.within(width, from, oldest?.start ?? before, limit - candles.length)))
  const earlier = await made.newestBefore(width, candles.at(-1)?.start ?? from)
  return { candles, earlier, first: made.from, seq: traded.seq }
}
