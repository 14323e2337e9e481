/**
 * A candle as the bytes of its row: its place, the start of its predecessor, and its figures.
 *
 *   row     symbol, width, start, start less that of its predecessor (0 if there is none), figures, check
 *   figures low; open, close and high less low; volume, quote volume, count; volume and quote volume of takers' buys
 */
import type { CandleWidth } from '../../../../engine/history/candles/base-widths.ts'
import type { ListedCandle } from '../../../../engine/history/candles/running-candles.ts'
import { ByteReader, type ByteWriter } from '../../../../units/bytes.ts'
import type { SymbolId } from '../../../../units/ids.ts'
import { type Notional, price, timeMs } from '../../../../units/quantities.ts'
import { DamagedRowFault, type Row, seal, unsealed } from '../check.ts'

/** All candles of a symbol and a width. */
export type CandleList = { readonly symbolId: SymbolId; readonly width: CandleWidth }

/** The code of a width in rows: its seconds. Must never be reused for another width. */
const CODES: Readonly<Record<CandleWidth, number>> = {
  '1s': 1,
  '1m': 60,
  '15m': 900,
  '2h': 7_200,
  '1d': 86_400,
}

export function widthCode(width: CandleWidth): number {
  return CODES[width]
}

/** The bytes of a row, valid until `writer` is used again. */
export function writeCandle(
  writer: ByteWriter,
  { symbolId, width }: CandleList,
  { candle, previous }: ListedCandle,
): Uint8Array {
  const { start, low } = candle
  writer.reset()
  writer.uint(symbolId)
  writer.uint(CODES[width])
  writer.uint(start)
  writer.uint(previous === undefined ? 0 : start - previous)
  writer.uint(low)
  writer.uint(candle.open - low)
  writer.uint(candle.close - low)
  writer.uint(candle.high - low)
  writer.whole(candle.volume)
  writer.whole(candle.quoteVolume)
  writer.uint(candle.count)
  writer.whole(candle.takerBuyVolume)
  writer.whole(candle.takerBuyQuoteVolume)
  return seal(writer)
}

/**
 * Reads a row of `start_ms, data`. Throws `DamagedRowFault` if it is not what was written for this list and
 * time.
 */
export function readCandle({ symbolId, width }: CandleList, [foundAt, data]: Row): ListedCandle {
  const reader = new ByteReader(unsealed(data))
  const [symbol, code, start, sincePrevious] = [reader.uint(), reader.uint(), reader.uint(), reader.uint()]
  if (symbol !== symbolId || code !== CODES[width] || BigInt(start) !== foundAt) {
    const found = `the candle of symbol ${symbol}, ${code} s from ${start}`
    throw new DamagedRowFault(`${found} is stored as that of symbol ${symbolId}, ${width} from ${foundAt}`)
  }
  const low = reader.uint()
  const candle = {
    start: timeMs(start),
    low: price(low),
    open: price(low + reader.uint()),
    close: price(low + reader.uint()),
    high: price(low + reader.uint()),
    volume: reader.whole(),
    quoteVolume: reader.whole() as Notional,
    count: reader.uint(),
    takerBuyVolume: reader.whole(),
    takerBuyQuoteVolume: reader.whole() as Notional,
  }
  return { candle, previous: sincePrevious === 0 ? undefined : timeMs(start - sincePrevious) }
}
