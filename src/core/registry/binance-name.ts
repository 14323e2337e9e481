/**
 * The name of a symbol for clients of Binance, whose symbols have no separator: `BTC/USDT` is `BTCUSDT`,
 * unless its listing specified another (docs/binance.md#names-of-symbols). The core does not use this name
 * for trading.
 */
import { ASSET_CODE_MAX } from '../../units/limits.ts'
import type { TradingSymbol } from './records.ts'

const BINANCE_NAME = new RegExp(`^[A-Z0-9]{1,${2 * ASSET_CODE_MAX}}$`)

type Named = Pick<TradingSymbol, 'baseCode' | 'quoteCode' | 'binanceName'>

export function binanceNameOf({ baseCode, quoteCode, binanceName }: Named): string {
  return binanceName ?? baseCode + quoteCode
}

export function isValidBinanceName(name: string): boolean {
  return BINANCE_NAME.test(name)
}
