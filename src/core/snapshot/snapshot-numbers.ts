/** The next numbers of orders and trades in snapshots: the parts added with `NUMBER_RULES`. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { ExchangeState } from '../exchange/state.ts'

/** Throws `BytesFault`. */
export function readEpoch(r: ByteReader, state: ExchangeState): void {
  state.epoch = r.uint()
  if (!state.hasNumberRules) throw new BytesFault(`the epoch before byte ${r.at} is not valid`)
}

export function hasNoTradeCounts({ markets }: ExchangeState): boolean {
  return markets.every(({ tradeCount }) => tradeCount === 0)
}

/** The number of trades of each symbol, in the order of listing. */
export function writeTradeCounts(w: ByteWriter, { markets }: ExchangeState): void {
  for (const { tradeCount } of markets) w.uint(tradeCount)
}

/** Throws `BytesFault`, also if the symbols have more trades than there are in all. */
export function readTradeCounts(r: ByteReader, state: ExchangeState): void {
  let sum = 0
  for (const market of state.markets) {
    market.tradeCount = r.uint()
    sum += market.tradeCount
  }
  const isPossible = state.hasNumberRules && sum < state.nextTrade
  if (!isPossible) throw new BytesFault(`the trade numbers of symbols before byte ${r.at} are not valid`)
}
