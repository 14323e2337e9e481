/**
 * One order list of the account, open or ended, and its cancel (docs/reference/order-lists.md#order-list).
 */

import { LIST_CANCELED } from '../../../../contract/api/order-list.ts'
import { either, INSTEAD_OF_LIST_ID, LIST_ID } from '../../../../contract/expectations.ts'
import type { CancelClientList, CancelList } from '../../../../core/commands/order-lists.ts'
import type { ListAccepted } from '../../../../core/questions/reply.ts'
import { isUuidText, parseListUuid } from '../../../../units/ids.ts'
import { invariant } from '../../../../units/invariant.ts'
import { readOptional } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import type { Answer, Call, Outcome } from '../../call.ts'
import { findClientList, readAttempts } from '../../client-order.ts'
import { type ListName, shownList } from '../../list-objects.ts'
import { operationOf } from '../../operation.ts'
import { readClientOrderId } from '../../order-parameters.ts'
import { changedList } from './new-list.ts'

export const orderList = operationOf('orderList', orderListAnswer)

export const cancelOrderList = operationOf('cancelOrderList', cancelListAnswer)

/** The number and time of a list, or the id that its account gave it. */
type Named = Omit<ListName, 'listClientOrderId'> | string

async function orderListAnswer(call: Call): Promise<Answer> {
  const named = readName(call, 'listId', 'listClientOrderId')
  if (named instanceof Refusal) return named
  const attempts = readAttempts(call.parameters)
  if (attempts instanceof Refusal) return attempts
  if (typeof named !== 'string') {
    if (attempts !== undefined) return refuse('MISSING_PARAMETER', { name: 'listClientOrderId' })
    return shownList(call, { ...named, listClientOrderId: undefined })
  }
  const list = await findClientList(call, named, attempts)
  return list instanceof Refusal ? list : shownList(call, { ...list, listClientOrderId: named })
}

function cancelListAnswer(call: Call): Outcome {
  const named = readName(call, 'cancelListId', 'cancelListClientOrderId')
  if (named instanceof Refusal) return named
  const { accountId } = call
  if (typeof named === 'string') {
    return cancel(call, { kind: 'CancelClientList', accountId, listClientOrderId: named }, named)
  }
  const { listNumber, time } = named
  return cancel(call, { kind: 'CancelList', accountId, listNumber, listTime: time }, undefined)
}

async function cancel(
  call: Call,
  command: CancelList | CancelClientList,
  listClientOrderId: string | undefined,
): Promise<Answer> {
  let canceled: ListAccepted | undefined
  const answer = await call.submit(command, (reply) => {
    invariant(reply.kind === 'ListAccepted', () => `expected ListAccepted, found ${reply.kind}`)
    canceled = reply
    return ''
  })
  if (canceled === undefined) return answer
  const { listNumber, time } = canceled
  return changedList(call, { listNumber, time, listClientOrderId }, LIST_CANCELED)
}

/** Selects the list: one of the two parameters. */
function readName(call: Call, idName: string, clientIdName: string): Named | Refusal {
  const { parameters } = call
  const clientId = readClientOrderId(parameters, clientIdName)
  if (clientId instanceof Refusal) return clientId
  const text = readOptional(parameters, idName)
  if (text instanceof Refusal) return text
  if (clientId !== undefined) {
    if (text === undefined) return clientId
    return refuse('INVALID_PARAMETER', { name: clientIdName, expected: INSTEAD_OF_LIST_ID })
  }
  if (text === undefined) return refuse('MISSING_PARAMETER', { name: either(idName, clientIdName) })
  if (!isUuidText(text)) return refuse('INVALID_PARAMETER', { name: idName, expected: LIST_ID })
  const list = parseListUuid(text)
  return list === undefined ? refuse('UNKNOWN_ORDER_LIST', {}) : { listNumber: list.number, time: list.time }
}
