/** Canceling all open orders, of a symbol or of the account (docs/reference/timers.md#mass-cancel). */

import { massCancelBody } from '../../../../contract/api/mass-cancel.ts'
import { WITH_SCOPE } from '../../../../contract/expectations.ts'
import type { CancelAllOrders } from '../../../../core/commands/timers.ts'
import { invariant } from '../../../../units/invariant.ts'
import { readWord } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import type { Call, Outcome } from '../../call.ts'
import { operationOf, readSymbol } from '../../operation.ts'

const SCOPES = ['SYMBOL', 'ACCOUNT'] as const

export const cancelOpenOrders = operationOf('massCancel', cancelOpenOrdersAnswer)

function cancelOpenOrdersAnswer(call: Call): Outcome {
  const scope = readWord(call.parameters, 'scope', SCOPES)
  if (scope instanceof Refusal) return scope
  if (scope === undefined) return refuse('MISSING_PARAMETER', { name: 'scope' })
  const symbol = readSymbol(call)
  if (symbol instanceof Refusal) return symbol
  if (scope === 'SYMBOL' && symbol === undefined) return refuse('MISSING_PARAMETER', { name: 'symbol' })
  if (scope === 'ACCOUNT' && symbol !== undefined) {
    return refuse('INVALID_PARAMETER', { name: 'symbol', expected: WITH_SCOPE })
  }
  const { accountId, language } = call
  const command: CancelAllOrders = { kind: 'CancelAllOrders', accountId, symbolId: symbol?.id }
  return call.handOver(command, (reply, body) => {
    invariant(reply.kind === 'OrdersCanceled', () => `expected OrdersCanceled, found ${reply.kind}`)
    const { canceled, left } = reply
    body.text(massCancelBody({ symbol: symbol?.name, canceled, left }, language))
  })
}
