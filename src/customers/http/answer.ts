/**
 * Answers a customer's request: runs the checks in their order, then the endpoint. It does not depend on the
 * listener.
 */
import {
  ACCOUNT_ROWS,
  type AccountBody,
  type AccountEndpoint,
  STEP_UP_HEADER,
} from '../../contract/customers/endpoints.ts'
import { ACCOUNT_PATH, type AccountRow } from '../../contract/customers/row.ts'
import { type Language, pickLanguage } from '../../contract/language.ts'
import { AccountRefusal, refused } from '../account-refusal.ts'
import { awayMessage, isAway } from '../away.ts'
import type { CustomersContext } from '../customers-context.ts'
import { stepUpRefusal } from '../factors/step-up.ts'
import { newId } from '../names.ts'
import { CustomerRequest } from '../sessions/customer-request.ts'
import { countedNetwork, originOf } from '../sessions/origin.ts'
import { failed, succeeded } from './answers.ts'
import { readBody } from './body.ts'
import { addressRefusal, foreignRefusal } from './protection.ts'
import { ROUTES } from './routes.ts'

/** The request as it reached the public port. */
export type AccountRequest = {
  readonly method: string
  /** Without a query. */
  readonly path: string
  readonly headers: Headers
  readonly body: Uint8Array
  /** The client's address. */
  readonly address: string
}

export async function answer(context: CustomersContext, request: AccountRequest): Promise<Response> {
  const language = pickLanguage(request.headers.get('accept-language'))
  const name = request.path.startsWith(ACCOUNT_PATH) ? request.path.slice(ACCOUNT_PATH.length) : ''
  if (!isEndpoint(name)) return failed(refused('NOT_FOUND', {}), language)
  const row = ACCOUNT_ROWS[name]
  if (request.method !== row.method) {
    const response = failed(
      refused('METHOD_NOT_ALLOWED', { method: request.method, allowed: row.method }),
      language,
    )
    response.headers.set('Allow', row.method)
    return response
  }
  const elsewhere = addressRefusal(request.headers, context.config)
  if (elsewhere !== undefined) return failed(elsewhere, language)
  const from = originOf(request.address, request.headers.get('user-agent'))
  let customerRequest: CustomerRequest | undefined
  let response: Response
  try {
    customerRequest = new CustomerRequest(context, request.headers.get('cookie'), {
      ...{ origin: from, network: countedNetwork(request.address), language },
    })
    response = await answered(context, customerRequest, name, row, request, language)
  } catch (cause) {
    response = failedBy(cause, context, name, language)
  }
  for (const cookie of customerRequest?.setCookies ?? []) response.headers.append('Set-Cookie', cookie)
  return response
}

async function answered(
  context: CustomersContext,
  customerRequest: CustomerRequest,
  name: AccountEndpoint,
  row: AccountRow,
  request: AccountRequest,
  language: Language,
): Promise<Response> {
  const refusal =
    row.method === 'POST'
      ? foreignRefusal(request.headers, context.config, customerRequest.csrfToken)
      : undefined
  if (refusal !== undefined) return failed(refusal, language)
  if (!mayAsk(row, customerRequest)) return failed(refused('SESSION_NEEDED', {}), language)
  const body = readBody(request.body, row.fields)
  if (body instanceof AccountRefusal) return failed(body, language)
  const unproved = stepUpRefusal(
    context,
    customerRequest,
    name,
    row,
    body,
    request.headers.get(STEP_UP_HEADER),
  )
  if (unproved !== undefined) return failed(unproved, language)
  const outcome = await run(context, customerRequest, name, body as AccountBody<typeof name>)
  return outcome instanceof AccountRefusal ? failed(outcome, language) : succeeded(row, outcome, language)
}

function failedBy(
  cause: unknown,
  { world }: CustomersContext,
  endpoint: AccountEndpoint,
  language: Language,
): Response {
  if (isAway(cause)) {
    world.log.warn({ endpoint, problem: cause.message }, awayMessage(cause))
    return failed(refused('CUSTOMERS_AWAY', {}), language)
  }
  const id = newId(world.randomBytes)
  world.log.error({ id, endpoint, err: cause }, 'a request from a customer failed')
  return failed(refused('INTERNAL_ERROR', { id }), language)
}

function run<Name extends AccountEndpoint>(
  context: CustomersContext,
  customerRequest: CustomerRequest,
  name: Name,
  body: AccountBody<Name>,
) {
  return ROUTES[name](context, customerRequest, body)
}

function mayAsk({ access }: AccountRow, { session }: CustomerRequest): boolean {
  if (access === 'ANYBODY') return true
  return session !== undefined && (access === 'SIGNUP' || session.level === 'SESSION')
}

function isEndpoint(name: string): name is AccountEndpoint {
  return Object.hasOwn(ACCOUNT_ROWS, name)
}
