/**
 * Placing an order list (docs/reference/order-lists.md). The answer is the list right after its placement, or
 * its current state if it had already been placed.
 */

import { LIST_PLACED } from '../../../../contract/api/order-list.ts'
import type { PlaceList } from '../../../../core/commands/order-lists.ts'
import type { ListAccepted, ListRepeated, Reply } from '../../../../core/questions/reply.ts'
import { EngineFault } from '../../../../engine/port/fault.ts'
import { invariant } from '../../../../units/invariant.ts'
import type { ListKind } from '../../../../units/order-enums.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import type { Answer, Call, Outcome } from '../../call.ts'
import { type ListName, shownList } from '../../list-objects.ts'
import { readNewList } from '../../list-parameters.ts'
import { operationOf, requireSymbol } from '../../operation.ts'

/** The weight of checking whether a list is a repeat, when the account's limits allow no new one. */
const LOOK_UP_WEIGHT = 1

export const newOco = operationOf('newOco', (call) => newListAnswer(call, 'OCO'))
export const newOto = operationOf('newOto', (call) => newListAnswer(call, 'OTO'))
export const newOtoco = operationOf('newOtoco', (call) => newListAnswer(call, 'OTOCO'))

function newListAnswer(call: Call, list: ListKind): Outcome {
  const symbol = requireSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const asked = readNewList(call.parameters, symbol, list)
  if (asked instanceof Refusal) return asked
  const command: PlaceList = {
    kind: 'PlaceList',
    accountId: call.accountId,
    symbolId: symbol.id,
    sessionNumber: call.sessionNumber,
    keyNumber: call.keyNumber,
    ...asked,
  }
  const count = command.legs.length
  if (command.listClientOrderId !== undefined && !call.hasOrdersLeft(count)) {
    return placeUnlessNew(call, command)
  }
  // Submitted in the turn in which it arrived: later messages must not overtake it.
  return call.takeOrders(count) ?? place(call, command)
}

async function place(call: Call, command: PlaceList): Promise<Answer> {
  let placed: ListAccepted | ListRepeated | undefined
  const answer = await call.submit(command, (reply) => {
    placed = placedOf(call, reply)
    return ''
  })
  if (placed === undefined) return answer
  const { listNumber, time } = placed
  const { listClientOrderId } = command
  return changedList(call, { listNumber, time, listClientOrderId }, LIST_PLACED)
}

/** The account may place no more orders for now, but a repeat of a placed list is not a new one. */
async function placeUnlessNew(call: Call, command: PlaceList): Promise<Answer> {
  const { accountId, listClientOrderId = '', legs } = command
  const weightRefusal = call.charge(LOOK_UP_WEIGHT)
  if (weightRefusal !== undefined) return weightRefusal
  const list = await call.services.engine.ask('clientList', { accountId, listClientOrderId })
  const refusal = list === undefined ? call.takeOrders(legs.length) : undefined
  return refusal ?? place(call, command)
}

/** The reply to a placement; notes a repeat. */
function placedOf(call: Call, reply: Reply): ListAccepted | ListRepeated {
  invariant(
    reply.kind === 'ListAccepted' || reply.kind === 'ListRepeated',
    () => `expected ListAccepted in reply to PlaceList, found ${reply.kind}`,
  )
  if (reply.kind === 'ListRepeated') call.noteRepeat()
  return reply
}

/**
 * A list that was just changed: if it cannot be read now, the outcome is unknown and must be queried; this is
 * never a refusal.
 */
export async function changedList(call: Call, name: ListName, heads: typeof LIST_PLACED): Promise<Answer> {
  try {
    const shown = await shownList(call, name, heads)
    return shown instanceof Refusal ? refuse('OUTCOME_UNKNOWN', {}) : shown
  } catch (error) {
    return error instanceof EngineFault ? refuse('OUTCOME_UNKNOWN', {}) : call.lost(error)
  }
}
