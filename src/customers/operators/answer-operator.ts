/** Answers requests of the admin server, which has checked the operator's rights. */
import type {
  CustomerAnswer,
  CustomerAsked,
  CustomerQuestion,
  QuestionAnswer,
  QuestionRequest,
} from '../../contract/customers/operator-questions.ts'
import type { CustomersContext } from '../customers-context.ts'
import {
  addInvitation,
  approveCustomer,
  endInvitation,
  listInvitations,
  refuseCustomer,
} from './admission.ts'
import { exportCustomer, findCustomers, listEvents, showCustomer } from './data-views.ts'
import { eraseForgotten } from './erasing.ts'
import { endFrozen } from './freezing.ts'
import { listCustomers, unknownAccounts, useOfCustomers } from './listing.ts'
import { isRefusal, type OperatorRefusal } from './refusal.ts'
import { changeMailByTwo, listRequests, resetByTwo } from './resetting.ts'
import { unfreezeByTwo } from './second-person.ts'
import { checkTrail } from './trail.ts'

type Answers = {
  readonly [Name in CustomerQuestion]: (
    context: CustomersContext,
    request: QuestionRequest<Name>,
    by: string,
  ) => Promise<QuestionAnswer<Name> | OperatorRefusal> | QuestionAnswer<Name> | OperatorRefusal
}

const ANSWERS: Answers = {
  list: listCustomers,
  find: findCustomers,
  show: showCustomer,
  events: listEvents,
  frozen: endFrozen,
  erased: eraseForgotten,
  unknown: unknownAccounts,
  unfreeze: unfreezeByTwo,
  reset: resetByTwo,
  mail: changeMailByTwo,
  export: exportCustomer,
  requests: listRequests,
  trail: checkTrail,
  use: useOfCustomers,
  approve: approveCustomer,
  refuse: refuseCustomer,
  invite: addInvitation,
  invitations: listInvitations,
  uninvite: endInvitation,
}

/** Undefined if there is no such request. Rejects with `ExchangeFault`. */
export async function answerOperator(
  context: CustomersContext,
  name: string,
  asked: CustomerAsked,
): Promise<CustomerAnswer | undefined> {
  if (!isQuestion(name)) return undefined
  const result = await answerOf(context, name, asked)
  // Metrics are read often.
  if (name !== 'use')
    context.world.log.info({ question: name, by: asked.by }, 'an operator queried the customers process')
  return isRefusal(result) ? result : { ok: true, result }
}

function answerOf<Name extends CustomerQuestion>(
  context: CustomersContext,
  name: Name,
  { request, by }: CustomerAsked<Name>,
): Promise<QuestionAnswer<Name> | OperatorRefusal> | QuestionAnswer<Name> | OperatorRefusal {
  return ANSWERS[name](context, request, by)
}

function isQuestion(name: string): name is CustomerQuestion {
  return Object.hasOwn(ANSWERS, name)
}
