/**
 * Who may come in through the admin server: the node's own token, new at each start, and named tokens, of which the
 * journal has digests. And the operations on them.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AdminToken } from '../../core/registry/records.ts'
import { RIGHTS_BY_ROLE } from '../../units/admin-rights.ts'
import type { BackOfficeView } from '../../views/back-office.ts'
import { type AdminRequests, type AdminResults, TOKEN_MARK } from '../../wire/admin.ts'
import type { AdminTokenInfo } from '../../wire/admin-records.ts'
import { isoTime } from '../../wire/time.ts'
import { type AdminContext, AdminRequestError, type Caller, requireOwnToken, unknown } from './context.ts'
import { pageOf } from './page.ts'
import { operatorOf, submit } from './submit.ts'

/** Random bytes of a token. */
const TOKEN_BYTES = 32

const OWN_TOKEN: Caller = { token: undefined, role: 'OPERATOR', rights: RIGHTS_BY_ROLE.OPERATOR }

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

/**
 * Finds the caller by what stands in `Authorization`; undefined: nobody's token. Every token is compared, each in
 * constant time, so that the time taken says nothing of how near a guess was, nor of whose token was shown.
 */
export function callerFinder(
  ownToken: string | undefined,
  backOffice: BackOfficeView,
): (authorization: string) => Caller | undefined {
  // Without an own token nothing that is shown equals what is drawn here.
  const own = digestOf(ownToken ?? randomBytes(TOKEN_BYTES).toString('hex'))
  return (authorization) => {
    const shown = digestOf(authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : '')
    let caller = timingSafeEqual(shown, own) ? OWN_TOKEN : undefined
    for (const { name, role, digest, isRevoked } of backOffice.tokenByName.values()) {
      if (timingSafeEqual(shown, digest) && !isRevoked) {
        caller = { token: name, role, rights: RIGHTS_BY_ROLE[role] }
      }
    }
    return caller
  }
}

/** A token has 256 random bits, so that a plain digest of it cannot be searched. */
function digestOf(token: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(token).digest())
}

export async function listTokens(
  { backOffice }: AdminContext,
  request: AdminRequests['token/list'],
): Result<'token/list'> {
  return pageOf([...backOffice.tokenByName.values()], request, ({ name }) => name).map(tokenInfo)
}

/** Makes a token; the answer is the only place where it is ever shown. */
export async function addToken(
  context: AdminContext,
  request: AdminRequests['token/add'],
): Result<'token/add'> {
  const { name, role } = request
  if (role === 'OPERATOR') requireOwnToken(context, 'making a token that may approve')
  if (context.backOffice.tokenByName.has(name)) {
    const message = `name: there is a token ${name} already, or was`
    throw new AdminRequestError('TOKEN_EXISTS', { field: 'name', message })
  }
  const token = `${TOKEN_MARK}${randomBytes(TOKEN_BYTES).toString('hex')}`
  const operator = operatorOf(context, request)
  await submit(context, { kind: 'AddAdminToken', operator, name, role, digest: digestOf(token) })
  return { ...tokenInfo(knownToken(context, name)), token }
}

export async function revokeToken(
  context: AdminContext,
  request: AdminRequests['token/revoke'],
): Result<'token/revoke'> {
  const { name } = knownToken(context, request.name)
  await submit(context, { kind: 'RevokeAdminToken', operator: operatorOf(context, request), name })
  return tokenInfo(knownToken(context, name))
}

function knownToken({ backOffice }: AdminContext, name: string): AdminToken {
  const token = backOffice.tokenByName.get(name)
  if (token === undefined) {
    throw unknown('UNKNOWN_TOKEN', 'name', 'token', name, [...backOffice.tokenByName.keys()])
  }
  return token
}

function tokenInfo({ name, role, createdAt, isRevoked }: AdminToken): AdminTokenInfo {
  return { name, role, createdAt: isoTime(createdAt), revoked: isRevoked }
}
