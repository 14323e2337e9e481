/** Names of streams: `btcusdt@trade`. Any other text names no stream. */

import { CANDLE_INTERVALS, type CandleInterval } from '../../../units/candle-intervals.ts'

/** Interval between two messages, in milliseconds. */
type Speed = 100 | 1_000

export type StreamKind =
  | { readonly kind: 'trade' | 'aggTrade' | 'bookTicker' | 'ticker' | 'miniTicker' | 'avgPrice' }
  | { readonly kind: 'kline'; readonly interval: CandleInterval }
  | { readonly kind: 'depth'; readonly speed: Speed }
  | { readonly kind: 'partialDepth'; readonly levels: number; readonly speed: Speed }

export type StreamName = StreamKind & {
  /** In capitals: `BTCUSDT`. */
  readonly symbol: string
  /** The name as the client wrote it. */
  readonly text: string
}

/** A symbol's name has at most two codes of 16, or as many characters of its own. */
const NAME = /^([a-z0-9]{1,32})@([A-Za-z0-9@_]{1,20})$/
const DEPTH = /^depth(5|10|20)?(?:@(100ms|1000ms))?$/
const KLINE = /^kline_(\w{2,3})$/
const PLAIN = ['trade', 'aggTrade', 'bookTicker', 'ticker', 'miniTicker', 'avgPrice'] as const

/** Undefined if no stream offered here has this name. */
export function parseStreamName(text: string): StreamName | undefined {
  const [, symbol, rest] = NAME.exec(text) ?? []
  if (symbol === undefined || rest === undefined) return undefined
  const kind = kindOf(rest)
  return kind && { ...kind, symbol: symbol.toUpperCase(), text }
}

function kindOf(rest: string): StreamKind | undefined {
  const plain = PLAIN.find((each) => each === rest)
  if (plain !== undefined) return { kind: plain }
  const named = KLINE.exec(rest)?.[1]
  const interval = CANDLE_INTERVALS.find((each) => each === named)
  if (interval !== undefined) return { kind: 'kline', interval }
  const depth = DEPTH.exec(rest)
  if (depth === null) return undefined
  const speed: Speed = depth[2] === '100ms' ? 100 : 1_000
  return depth[1] === undefined
    ? { kind: 'depth', speed }
    : { kind: 'partialDepth', levels: Number(depth[1]), speed }
}
