/**
 * Keys that customers create themselves, requested by the customers' process, for accounts that it has opened
 * (checked by `knownAccount`). The journal gets neither their labels nor their addresses.
 */
import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import { ADDRESS_LISTS_MAX, KEPT_ADDRESSES } from '../../access/auth/own-keys.ts'
import { type AdminContext, AdminRequestError, knownAccount, knownKey, unknown } from '../context.ts'
import { adminKey } from '../presentation.ts'
import { countOfToday } from './count-of-today.ts'
import { checkAddresses } from './key-terms.ts'
import { addKey, revokeKey } from './keys.ts'
import { controlOf, notBegun } from './sessions.ts'

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

export async function listOwnKeys(
  context: AdminContext,
  request: AdminRequests['own-key/list'],
): Result<'own-key/list'> {
  const { id, name } = knownAccount(context, 'account', request.account)
  return context.accounts
    .apiKeys(id)
    .map((apiKey) =>
      adminKey(apiKey, name, context.registry.keyNumber(apiKey.apiKey), context.lastUsed(apiKey.apiKey)),
    )
}

export async function addOwnKey(
  context: AdminContext,
  { addresses = [], ...request }: AdminRequests['own-key/add'],
): Result<'own-key/add'> {
  const { ownKeys } = controlOf(context).sessionKeys
  knownAccount(context, 'account', request.account)
  checkAddresses(addresses)
  countOfToday(context, 'ownKeys', 1)
  const isBound = addresses.length > 0
  const key = await addKey(context, request, isBound ? [KEPT_ADDRESSES] : [])
  if (isBound && !ownKeys.keep(key.apiKey, addresses)) throw tooManyLists()
  await controlOf(context).sessionKeys.copies?.settled()
  return { ...key, addresses }
}

export async function endOwnKey(
  context: AdminContext,
  { account, apiKey, ...audit }: AdminRequests['own-key/end'],
): Result<'own-key/end'> {
  const { id } = knownAccount(context, 'account', account)
  if (knownKey(context, apiKey).accountId !== id)
    throw unknown(context, { reason: 'UNKNOWN_API_KEY', field: 'apiKey', what: 'key', found: apiKey })
  const ended = await revokeKey(context, { apiKey, ...audit })
  const { sessionKeys } = controlOf(context)
  sessionKeys.ownKeys.dropForGood(apiKey)
  await sessionKeys.copies?.settled()
  return ended
}

export async function nameAddresses(
  context: AdminContext,
  { lists, telling, by }: AdminRequests['own-key/addresses'],
): Result<'own-key/addresses'> {
  const { ownKeys } = controlOf(context).sessionKeys
  const read = lists.map((text) => {
    const [apiKey = '', ...addresses] = text.split(' ')
    checkAddresses(addresses)
    return { apiKey, addresses }
  })
  if (telling !== undefined && !ownKeys.beginPage(telling, by)) throw notBegun()
  for (const { apiKey, addresses } of read) if (!ownKeys.keep(apiKey, addresses)) throw tooManyLists()
  if (telling !== undefined) ownKeys.endPage(telling, by)
  return { kept: read.length }
}

function tooManyLists(): AdminRequestError {
  const message = `expected at most ${ADDRESS_LISTS_MAX} customers' keys with addresses`
  return new AdminRequestError('LIMIT_REACHED', { message })
}
