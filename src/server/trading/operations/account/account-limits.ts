/**
 * Usage of an account's limits, and its address (docs/reference/extensions.md#limits-of-an-account). The
 * transport counts requests; the engine counts open orders.
 */

import { accountLimitsBody } from '../../../../contract/api/account-limits.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { openOrdersInForce } from '../../../../core/registry/special-terms.ts'
import { Refusal } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { operationOf, readListedSymbol } from '../../operation.ts'

export const accountLimits = operationOf('accountLimits', accountLimitsAnswer)

async function accountLimitsAnswer(call: Call): Promise<Answer> {
  const symbol = readListedSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const openOrders = symbol === undefined ? undefined : await openOrdersUse(call, symbol)
  return accountLimitsBody({ ...call.limitUses(), openOrders }, call.language)
}

async function openOrdersUse(call: Call, symbol: TradingSymbol) {
  const { accountId, services } = call
  const query = { accountId, symbolId: symbol.id, after: undefined }
  const { total } = await services.engine.ask('openOrders', query)
  const account = services.market.registry.account(accountId)
  const own = openOrdersInForce(account?.special, call.serverTime)
  const max = own?.max ?? account?.openOrdersMax ?? symbol.openOrdersMax
  return { symbol: symbol.name, used: total, max, limitUntil: own?.until || undefined }
}
