/** Operations on keys of customers' sessions, and on emails that a sandbox does not send. */
import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import { SESSION_KEYS_PAGE } from '../../../contract/admin/operations/customers.ts'
import type { AccountId } from '../../../units/ids.ts'
import { publicKeyFault } from '../../access/auth/ed25519.ts'
import { isP256Key } from '../../access/auth/p256.ts'
import {
  type AdminContext,
  AdminRequestError,
  type CustomerControl,
  invalid,
  knownAccount,
} from '../context.ts'
import { countOfToday } from './count-of-today.ts'

const MAILS_DEFAULT = 20

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

/** Opens all entries of a page, or none of them. */
export async function openSessions(
  context: AdminContext,
  { keys, telling, by }: AdminRequests['session/open'],
): Result<'session/open'> {
  const { sessionKeys } = controlOf(context)
  const read = keys.map((text) => keyOf(context, text))
  const isFrozen = ({ accountId }: { readonly accountId: AccountId }) =>
    context.registry.account(accountId)?.restrictions?.includes('LOGIN') === true
  if (telling === undefined && read.some(isFrozen)) throw new AdminRequestError('ACCOUNT_RESTRICTED')
  const added = read.filter(({ name }) => !sessionKeys.has(name)).length
  if (added > 0) countOfToday(context, 'keys', added)
  if (telling !== undefined && !sessionKeys.beginPage(telling, by)) throw notBegun()
  for (const { lastsMs, ...key } of read) {
    if (!sessionKeys.open(key, lastsMs)) throw new AdminRequestError('TOO_MANY_SESSION_KEYS')
  }
  if (telling !== undefined) sessionKeys.endPage(telling, by)
  await sessionKeys.copies?.settled()
  return { opened: read.length }
}

export async function endSessions(
  context: AdminContext,
  { names }: AdminRequests['session/end'],
): Result<'session/end'> {
  const { sessionKeys } = controlOf(context)
  const ended = names.filter((name) => sessionKeys.endForGood(name)).length
  await sessionKeys.copies?.settled()
  return { ended }
}

export async function listSessions(
  context: AdminContext,
  { after = '', limit = SESSION_KEYS_PAGE }: AdminRequests['session/list'],
): Result<'session/list'> {
  const { sessionKeys } = controlOf(context)
  return sessionKeys.list(after, limit).map(({ name, accountId, endsInMs, unusedMs }) => ({
    name,
    account: context.registry.account(accountId)?.name ?? '',
    endsInMs,
    unusedMs,
  }))
}

export async function listMails(
  context: AdminContext,
  { limit = MAILS_DEFAULT }: AdminRequests['mail/list'],
): Result<'mail/list'> {
  const mails = await controlOf(context).mails(limit)
  if (mails === undefined) throw new AdminRequestError('NO_CUSTOMERS')
  return mails
}

/** The exchange changed its leader, or the announcement paused for too long. */
export function notBegun(): AdminRequestError {
  return invalid('telling', 'expected FIRST or WHOLE: no announcement of this process is in progress here')
}

function keyOf(context: AdminContext, text: string) {
  const [name = '', account = '', digits = '', lasts] = text.split(' ')
  const publicKey = new Uint8Array(Buffer.from(digits, 'hex'))
  if (publicKeyFault(publicKey) !== undefined && !isP256Key(publicKey))
    throw invalid('keys', `expected a public key of Ed25519 or P-256 for ${name}`)
  return { name, accountId: knownAccount(context, 'keys', account).id, publicKey, lastsMs: Number(lasts) }
}

export function controlOf({ customers }: AdminContext): CustomerControl {
  if (customers === undefined) throw new AdminRequestError('NO_CUSTOMERS')
  return customers
}
