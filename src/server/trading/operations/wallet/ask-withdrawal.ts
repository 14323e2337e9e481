/** Requesting a withdrawal, and canceling it while it waits (docs/reference/withdrawals.md). */

import { withdrawalAskedBody, withdrawalRetractedBody } from '../../../../contract/api/withdrawals.ts'
import { either, INSTEAD_OF_ID, WITHDRAWAL_ID } from '../../../../contract/expectations.ts'
import type { AskWithdrawal, RetractWithdrawal } from '../../../../core/commands/withdrawals.ts'
import { isUuidText, parseWithdrawalUuid } from '../../../../units/ids.ts'
import { invariant } from '../../../../units/invariant.ts'
import { readOptional } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import type { Call, Outcome } from '../../call.ts'
import { operationOf } from '../../operation.ts'
import { readClientOrderId } from '../../order-parameters.ts'
import { readDestination, requireAmount, requireCoin } from '../../withdrawal-parameters.ts'

export const askWithdrawal = operationOf('askWithdrawal', askWithdrawalAnswer)

/**
 * No other endpoint has these parameters, so a text signed to cancel a withdrawal is valid for nothing else.
 */
export const retractWithdrawal = operationOf('cancelWithdrawal', retractWithdrawalAnswer)

function askWithdrawalAnswer(call: Call): Outcome {
  const asset = requireCoin(call)
  if (asset instanceof Refusal) return asset
  const amount = requireAmount(call, asset)
  if (amount instanceof Refusal) return amount
  const destination = readDestination(call, 'address')
  if (destination instanceof Refusal) return destination
  const withdrawOrderId = readClientOrderId(call.parameters, 'withdrawOrderId')
  if (withdrawOrderId instanceof Refusal) return withdrawOrderId
  const { accountId, language } = call
  const command: AskWithdrawal = {
    kind: 'AskWithdrawal',
    accountId,
    asset: asset.code,
    amount,
    ...destination,
    withdrawOrderId,
  }
  return call.handOver(command, (reply, body) => {
    invariant(reply.kind === 'WithdrawalAsked', () => `expected WithdrawalAsked, found ${reply.kind}`)
    if (reply.repeated) call.noteRepeat()
    body.text(withdrawalAskedBody(reply.reference, reply.time, language))
  })
}

function retractWithdrawalAnswer(call: Call): Outcome {
  const name = readName(call)
  if (name instanceof Refusal) return name
  const { accountId, language } = call
  return call.handOver({ kind: 'RetractWithdrawal', accountId, name }, (reply, body) => {
    invariant(reply.kind === 'Done', () => `expected Done in reply to RetractWithdrawal, found ${reply.kind}`)
    if (reply.repeated) call.noteRepeat()
    body.text(withdrawalRetractedBody(language))
  })
}

/** An impossible id gets the same answer as any other unknown one. */
function readName({ parameters }: Call): RetractWithdrawal['name'] | Refusal {
  const own = readClientOrderId(parameters, 'cancelWithdrawOrderId')
  if (own instanceof Refusal) return own
  const id = readOptional(parameters, 'cancelWithdrawId')
  if (id instanceof Refusal) return id
  if (own !== undefined) {
    if (id === undefined) return { kind: 'OWN', withdrawOrderId: own }
    return refuse('INVALID_PARAMETER', { name: 'cancelWithdrawOrderId', expected: INSTEAD_OF_ID })
  }
  if (id === undefined)
    return refuse('MISSING_PARAMETER', { name: either('cancelWithdrawId', 'cancelWithdrawOrderId') })
  if (!isUuidText(id))
    return refuse('INVALID_PARAMETER', { name: 'cancelWithdrawId', expected: WITHDRAWAL_ID })
  if (parseWithdrawalUuid(id) === undefined) return refuse('UNKNOWN_WITHDRAWAL', {})
  return { kind: 'ID', reference: id.toLowerCase() }
}
