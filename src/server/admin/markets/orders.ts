/** Canceling the open orders of an account, of a symbol, or of an account in a symbol, a piece at a time. */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import { invariant } from '../../../units/invariant.ts'
import { type AdminContext, invalid, knownSymbol, traderAccount } from '../context.ts'
import { operatorOf, submit } from '../submit.ts'

export async function cancelAll(
  context: AdminContext,
  request: AdminRequests['order/cancel-all'],
): Promise<AdminResults['order/cancel-all']> {
  const { account, symbol } = request
  if (account === undefined && symbol === undefined) {
    throw invalid('account', 'expected an account, a symbol or both')
  }
  const reply = await submit(context, {
    kind: 'CancelOrders',
    operator: operatorOf(context, request),
    accountId: account === undefined ? undefined : traderAccount(context, 'account', account).id,
    symbol: symbol === undefined ? undefined : knownSymbol(context, 'symbol', symbol).name,
  })
  invariant(
    reply.kind === 'OrdersCanceled',
    () => `expected OrdersCanceled in reply to CancelOrders, found ${reply.kind}`,
  )
  return { canceled: reply.canceled, left: reply.left }
}
