/**
 * Trade history (endpoint 7): the account's own side of each trade, newest first, in pages.
 */

import { tradeHistoryBody } from '../../../../contract/api/trade-history.ts'
import { TRADE_ID } from '../../../../contract/expectations.ts'
import { isUuidText, parseTradeUuid, type TradeNumber } from '../../../../units/ids.ts'
import { readOptional, readWholeNumber } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import { historyItem } from '../../../description/history-item.ts'
import type { Answer, Call } from '../../call.ts'
import { operationOf, readSymbol } from '../../operation.ts'

/** `INT`: pages beyond the list are empty, not an error. */
const PAGE = { min: 0, max: 2 ** 31 - 1, fallback: 0 }
const SIZE = { min: 1, max: 1_000, fallback: 100 }

export const tradeHistory = operationOf('tradeHistory', tradeHistoryAnswer)

async function tradeHistoryAnswer(call: Call): Promise<Answer> {
  const { parameters, services } = call
  const symbol = readSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const page = readWholeNumber(parameters, 'page', PAGE)
  if (page instanceof Refusal) return page
  const size = readWholeNumber(parameters, 'size', SIZE)
  if (size instanceof Refusal) return size
  const before = readTradeBefore(call)
  if (before instanceof Refusal) return before
  const { accountId } = call
  const atLeast = services.market.seq
  const query = { accountId, symbolId: symbol?.id, page, size, before, atLeast }
  const { items, total } = await services.history.trades(query)
  const registry = services.market.registry
  return tradeHistoryBody(
    { items: items.map((trade) => historyItem(trade, registry)), page, size, total },
    call.language,
  )
}

/** The trade given by `before`; an id that cannot be a trade of ours is an error, not an empty list. */
export function readTradeBefore(call: Call): TradeNumber | undefined | Refusal {
  const text = readOptional(call.parameters, 'before')
  if (text === undefined || text instanceof Refusal) return text
  const trade = isUuidText(text) ? parseTradeUuid(text) : undefined
  return trade?.number ?? refuse('INVALID_PARAMETER', { name: 'before', expected: TRADE_ID })
}
