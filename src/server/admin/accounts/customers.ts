/**
 * Operations on customers who signed up themselves. Their process answers; restrictions are journaled first.
 */
import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminCustomerFinding } from '../../../contract/admin/customers.ts'
import { INVITATION_DAYS, INVITATIONS_PAGE } from '../../../contract/admin/operations/admission.ts'
import { CUSTOMERS_PAGE } from '../../../contract/admin/operations/people.ts'
import type {
  CustomerQuestion,
  QuestionAnswer,
  QuestionRequest,
} from '../../../contract/customers/operator-questions.ts'
import { restrictionsOf } from '../../../core/registry/records.ts'
import { isTokenInUse, rightsOf } from '../../../core/registry/roles.ts'
import {
  type AdminContext,
  AdminRequestError,
  type CustomerControl,
  invalid,
  knownAccount,
  traderAccount,
} from '../context.ts'
import { operatorOf, submit } from '../submit.ts'
import { freezeAccount } from './accounts.ts'
import { countOfToday } from './count-of-today.ts'
import { isCustomerAccount } from './customer-accounts.ts'
import { personalDataIn, textsOf } from './personal-text.ts'

/** Maximum number of accounts that one request compares. */
const COMPARED_MAX = 100_000
/** Other requests may be carried out between two pieces. */
const PIECE = 1_000
/** Maximum number of findings in an answer; the last account may add some more. */
const FINDINGS_MAX = 200

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

export async function listCustomers(
  context: AdminContext,
  { limit = CUSTOMERS_PAGE, ...rest }: AdminRequests['customer/list'],
): Result<'customer/list'> {
  const found = await askCustomers(context, 'list', { limit, ...rest })
  return found.map((customer) => ({ ...customer, ...restrictionsBySource(context, customer.account) }))
}

export function findCustomers(
  context: AdminContext,
  request: AdminRequests['customer/find'],
): Result<'customer/find'> {
  return askCustomers(context, 'find', request)
}

export async function showCustomer(
  context: AdminContext,
  request: AdminRequests['customer/show'],
): Result<'customer/show'> {
  const shown = await askCustomers(context, 'show', request)
  return { ...shown, ...restrictionsBySource(context, shown.account) }
}

export function listEvents(
  context: AdminContext,
  request: AdminRequests['customer/events'],
): Result<'customer/events'> {
  return askCustomers(context, 'events', request)
}

/** Journaled first: the account is frozen even if the customers' process fails. */
export async function freezeCustomer(
  context: AdminContext,
  request: AdminRequests['customer/freeze'],
): Result<'customer/freeze'> {
  const control = controlOf(context)
  const { account } = request
  const { restrictions } = await freezeAccount(context, request)
  const by = operatorOf(context, request).actor
  const ended = await control.ask('frozen', { by, request: { account } })
  return { account, restrictions, sessionsEnded: ended?.ok === true }
}

/** The requester and the second person must be holders of named tokens: any other name is unverified. */
export async function unfreezeCustomer(
  context: AdminContext,
  request: AdminRequests['customer/unfreeze'],
): Result<'customer/unfreeze'> {
  return askCustomers(context, 'unfreeze', { ...request, ...secondOf(context) })
}

export async function resetCustomer(
  context: AdminContext,
  request: AdminRequests['customer/reset'],
): Result<'customer/reset'> {
  return askCustomers(context, 'reset', { ...request, ...secondOf(context) })
}

export async function changeMail(
  context: AdminContext,
  request: AdminRequests['customer/mail'],
): Result<'customer/mail'> {
  return askCustomers(context, 'mail', { ...request, ...secondOf(context) })
}

export function exportCustomer(
  context: AdminContext,
  request: AdminRequests['customer/export'],
): Result<'customer/export'> {
  return askCustomers(context, 'export', request)
}

export function checkTrail(
  context: AdminContext,
  { number }: AdminRequests['customer/trail'],
): Result<'customer/trail'> {
  return askCustomers(context, 'trail', { number })
}

export function listRequests(
  context: AdminContext,
  { after, limit = CUSTOMERS_PAGE }: AdminRequests['customer/requests'],
): Result<'customer/requests'> {
  return askCustomers(context, 'requests', { after, limit })
}

/**
 * Data of the requester's token, and the other tokens that have the right. Throws `AdminRequestError` for a
 * token without a name.
 */
function secondOf({ backOffice, caller, now }: AdminContext) {
  const token = backOffice.tokenByName.get(caller.token ?? '')
  if (token === undefined) throw new AdminRequestError('NAMED_TOKEN_NEEDED')
  const holders = [...backOffice.tokenByName.values()].filter(
    (one) =>
      isTokenInUse(one, now()) &&
      rightsOf(one.role, backOffice.roleByName.get(one.role))?.includes('customers.reset') === true,
  )
  return { madeMs: token.createdAt, holders: holders.map(({ name }) => name) }
}

export function approveCustomer(
  context: AdminContext,
  request: AdminRequests['customer/approve'],
): Result<'customer/approve'> {
  return askCustomers(context, 'approve', request)
}

export function refuseCustomer(
  context: AdminContext,
  request: AdminRequests['customer/refuse'],
): Result<'customer/refuse'> {
  return askCustomers(context, 'refuse', request)
}

export function addInvitation(
  context: AdminContext,
  { uses = 1, days = INVITATION_DAYS, mail }: AdminRequests['invitation/add'],
): Result<'invitation/add'> {
  return askCustomers(context, 'invite', { uses, days, mail })
}

export function listInvitations(
  context: AdminContext,
  { after, limit = INVITATIONS_PAGE }: AdminRequests['invitation/list'],
): Result<'invitation/list'> {
  return askCustomers(context, 'invitations', { after, limit })
}

export function endInvitation(
  context: AdminContext,
  request: AdminRequests['invitation/end'],
): Result<'invitation/end'> {
  return askCustomers(context, 'uninvite', request)
}

/** For the customers' process: restrictions of the customer; it cannot lift those of operators. */
export async function restrictCustomer(
  context: AdminContext,
  request: AdminRequests['customer/restrict'],
): Result<'customer/restrict'> {
  const { added, removed } = request
  const twice = added.find((word) => removed.includes(word))
  if (twice !== undefined) throw invalid('removed', `expected none of added, found ${twice}`)
  const found = traderAccount(context, 'account', request.account)
  const { id: accountId, name } = found
  const before = restrictionsOf(found, 'CUSTOMER')
  // The link in an email can be used repeatedly: a repeat is neither journaled nor counted.
  if (added.every((word) => before.includes(word)) && !removed.some((word) => before.includes(word)))
    return { account: name, customerRestrictions: before }
  countOfToday(context, 'restrictions', 1)
  const operator = operatorOf(context, request)
  await submit(context, {
    kind: 'ChangeRestrictions',
    operator,
    accountId,
    source: 'CUSTOMER',
    added,
    removed,
  })
  const account = knownAccount(context, 'account', name)
  return { account: name, customerRestrictions: restrictionsOf(account, 'CUSTOMER') }
}

/** Texts that look like personal data, and accounts of customers that are unknown to their process. */
export async function checkCustomers(
  context: AdminContext,
  { after }: AdminRequests['customer/check'],
): Result<'customer/check'> {
  const control = controlOf(context)
  const { actor: by } = operatorOf(context, {})
  const findings: AdminCustomerFinding[] = []
  let last = after === undefined ? undefined : knownAccount(context, 'after', after)
  for (let compared = 0; compared < COMPARED_MAX && findings.length < FINDINGS_MAX; compared += PIECE) {
    const piece = context.accounts.accounts(PIECE, last?.id)
    const opened: string[] = []
    for (const account of piece) {
      const labels = context.accounts.apiKeys(account.id).map(({ label }) => label)
      for (const [place, text] of textsOf(account, labels)) {
        const looksLike = personalDataIn(text)
        if (looksLike !== undefined) findings.push({ account: account.name, place, looksLike })
      }
      const isErased = account.customer?.isForgotten === true
      if (isCustomerAccount(account.name) && !isErased) opened.push(account.name)
    }
    const asked =
      opened.length === 0 ? undefined : await control.ask('unknown', { by, request: { accounts: opened } })
    if (opened.length > 0 && asked?.ok !== true) throw new AdminRequestError('NO_CUSTOMERS')
    for (const account of asked?.ok === true ? asked.result : [])
      findings.push({ account, place: 'STORE', looksLike: 'a customer whose data is lost' })
    last = piece.at(-1) ?? last
    if (piece.length < PIECE) return { findings }
    await new Promise(setImmediate)
  }
  return { findings, ...(last === undefined ? {} : { next: last.name }) }
}

/** Throws `AdminRequestError` if the customers' process refuses or cannot be reached. */
async function askCustomers<Name extends CustomerQuestion>(
  context: AdminContext,
  question: Name,
  request: QuestionRequest<Name>,
): Promise<QuestionAnswer<Name>> {
  const { actor: by } = operatorOf(context, {})
  const answer = await controlOf(context).ask(question, { by, request })
  if (answer === undefined) throw new AdminRequestError('NO_CUSTOMERS')
  if (answer.ok) return answer.result
  const { reason, message, field } = answer
  throw new AdminRequestError(reason, { message, field })
}

function restrictionsBySource({ accounts }: AdminContext, name: string) {
  const account = accounts.accountByName(name)
  const of = (source: 'OPERATOR' | 'CUSTOMER') =>
    account === undefined ? [] : restrictionsOf(account, source)
  return { operatorRestrictions: of('OPERATOR'), customerRestrictions: of('CUSTOMER') }
}

function controlOf({ customers }: AdminContext): CustomerControl {
  if (customers === undefined) throw new AdminRequestError('NO_CUSTOMERS')
  return customers
}
