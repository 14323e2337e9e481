/**
 * Shared code of operations that return the same for one symbol or for all: an object for `symbol`, an array
 * without it (docs/reference/extensions.md#one-symbol-or-all).
 */

import {
  SUCCESS_LIST_END,
  type SuccessHeads,
  successBody,
  successListHead,
} from '../../../../contract/envelope.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { Refusal } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { listAnswer } from '../../list-answer.ts'
import { listedSymbols, readListedSymbol } from '../../operation.ts'

/** Number of symbols covered by one unit of weight, if that exceeds the weight of all. */
const SYMBOLS_PER_WEIGHT = 25

/** Only a reference: the text is created when its piece is due. */
const ROW_BYTES = 8

export type SymbolRows = {
  readonly heads: SuccessHeads
  /** The operation's own weight for one symbol, and the minimum weight for all. */
  readonly weight: { readonly one: number; readonly all: number }
  readonly row: (symbol: TradingSymbol) => string
}

export function symbolRowsAnswer(call: Call, { heads, weight, row }: SymbolRows): Answer {
  const { language, services, lane } = call
  const symbol = readListedSymbol(call)
  if (symbol instanceof Refusal) return symbol
  if (symbol !== undefined) return successBody(heads, language, row(symbol))
  const rows = listedSymbols(services.market.registry)
  const due = Math.max(weight.all, Math.ceil(rows.length / SYMBOLS_PER_WEIGHT))
  const refusal = call.chargeRows(due - weight.one)
  if (refusal !== undefined) return refusal
  const words = (piece: readonly TradingSymbol[]) => piece.map(row).join(',')
  const head = successListHead(heads, language)
  return listAnswer({ head, rows, words, end: SUCCESS_LIST_END, rowBytes: ROW_BYTES }, lane)
}
