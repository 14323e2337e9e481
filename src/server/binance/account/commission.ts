/** Commission rates of the account. */

import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { Refusal } from '../../common/refusal.ts'
import { accountCommission } from '../../trading/operations/account/account-commission.ts'
import { WireError } from '../wire/wire-error.ts'
import { symbolOf, type WireAnswer, type WireCall } from '../wire-call.ts'

type Rates = { readonly maker: string; readonly taker: string }
type Commission = { readonly symbol: string; readonly commissionRates: Rates }

export async function tradeFee(wireCall: WireCall): Promise<WireAnswer> {
  const { parameters, symbols } = wireCall
  const one = parameters.has('symbol') ? symbolOf(wireCall) : undefined
  if (one instanceof WireError) return one
  const fields: Readonly<Record<string, string>> = one === undefined ? {} : { symbol: one.name }
  const data = await wireCall.operate<Commission | readonly Commission[]>(accountCommission, fields)
  if (data instanceof Refusal) return data
  const rates = new Map([data].flat().map((each) => [each.symbol, each.commissionRates] as const))
  const shown = one === undefined ? symbols.all() : [one]
  return JSON.stringify(
    shown.map((symbol) => ({
      symbol: binanceNameOf(symbol),
      makerCommission: rates.get(symbol.name)?.maker ?? '0',
      takerCommission: rates.get(symbol.name)?.taker ?? '0',
    })),
  )
}

/** Rates as fractions. */
export async function ratesOf(wireCall: WireCall, symbol: TradingSymbol): Promise<Rates | Refusal> {
  const data = await wireCall.operate<Commission>(accountCommission, { symbol: symbol.name })
  return data instanceof Refusal ? data : data.commissionRates
}
