/** Endpoints that answer with an object for one symbol, and with a list for several or all of them. */
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { DOCUMENT_JSON, parseJson } from '../../../units/bounded-json.ts'
import { WireError, wrongParameter } from '../wire/wire-error.ts'
import { type Handler, unknownSymbol, type WireAnswer, type WireCall } from '../wire-call.ts'
import { statusOf } from './symbol-status.ts'

export type Asked = {
  readonly symbols: readonly TradingSymbol[]
  /** One symbol, named by the parameter `symbol`. */
  readonly isOne: boolean
  /** No symbol was named: all symbols. */
  readonly isAll: boolean
}

/** The symbols of a request. */
export function askedSymbols({ parameters, symbols }: WireCall): Asked | WireError {
  const one = parameters.get('symbol')
  const several = parameters.get('symbols')
  if (one !== undefined && several !== undefined) {
    const msg = 'Combination of optional parameters invalid.'
    return wrongParameter('symbols', -1128, msg, 'INVALID_PARAMETER')
  }
  if (one !== undefined) {
    const symbol = symbols.get(one)
    return symbol === undefined ? unknownSymbol('symbol') : { symbols: [symbol], isOne: true, isAll: false }
  }
  const status = parameters.get('symbolStatus')
  const ofStatus = (symbol: TradingSymbol) =>
    status === undefined || statusOf(symbol, symbols.registry) === status
  if (several === undefined) return { symbols: symbols.all().filter(ofStatus), isOne: false, isAll: true }
  const found: TradingSymbol[] = []
  // The check of parameters has ensured that this is a list of names.
  for (const name of new Set(parseJson(several, DOCUMENT_JSON) as string[])) {
    const symbol = symbols.get(name)
    if (symbol === undefined) return unknownSymbol('symbols')
    found.push(symbol)
  }
  return { symbols: found.filter(ofStatus), isOne: false, isAll: false }
}

export type Rows = {
  /** The weight of this number of symbols, or of all of them if none was named. */
  readonly weightOf: (asked: Asked) => number
  /** The weight already charged by the row of the endpoint. */
  readonly taken: number
  readonly row: (symbol: TradingSymbol, call: WireCall) => unknown
}

/** A handler that answers with an entry for each symbol. */
export function rowsHandler({ weightOf, taken, row }: Rows): Handler {
  return (wireCall): WireAnswer => {
    const asked = askedSymbols(wireCall)
    if (asked instanceof WireError) return asked
    const more = weightOf(asked) - taken
    const refusal = more > 0 ? wireCall.call.chargeRows(more) : undefined
    if (refusal !== undefined) return refusal
    const rows = asked.symbols.map((symbol) => row(symbol, wireCall))
    return JSON.stringify(asked.isOne ? rows[0] : rows)
  }
}
