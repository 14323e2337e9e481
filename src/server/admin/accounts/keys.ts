/** Operations on API keys. Secrets are sealed before they go to the journal and shown once. */
import { randomBytes } from 'node:crypto'
import type { ApiKey } from '../../../core/registry/records.ts'
import { DEFAULT_PERMISSIONS } from '../../../units/order-words.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { AdminRequests, AdminResults } from '../../../wire/admin.ts'
import { type AdminContext, knownAccount, knownKey, traderAccount } from '../context.ts'
import { pageOf } from '../page.ts'
import { adminKey } from '../presentation.ts'
import { operatorOf, submit } from '../submit.ts'
import { checkAddresses, expiryOf } from './key-terms.ts'

/** Random bytes of a new API key and of its secret; each is twice as many hexadecimal digits. */
const CREDENTIAL_BYTES = 32
const MINUTE_MS = 60_000
const NEVER = 0 as TimeMs

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

export async function listKeys(
  context: AdminContext,
  request: AdminRequests['key/list'],
): Result<'key/list'> {
  const account = knownAccount(context, 'account', request.account)
  const keys = context.accounts.apiKeys(account.id)
  return pageOf(keys, request, ({ apiKey }) => apiKey).map((apiKey) =>
    adminKey(apiKey, account.name, context.lastUsed(apiKey.apiKey)),
  )
}

/** Makes a key and its secret; the answer is the only place where the secret is ever shown. */
export async function addKey(context: AdminContext, request: AdminRequests['key/add']): Result<'key/add'> {
  const account = traderAccount(context, 'account', request.account)
  const addresses = request.addresses ?? []
  checkAddresses(addresses)
  const expiresAt = expiryOf(context, request.expiresAt) ?? NEVER
  const apiKey = randomBytes(CREDENTIAL_BYTES).toString('hex')
  const secret = randomBytes(CREDENTIAL_BYTES).toString('hex')
  const operator = operatorOf(context, request)
  const permissions = request.permissions ?? DEFAULT_PERMISSIONS
  const terms = { permissions, addresses, label: request.label ?? '' }
  const sealedSecret = context.sealSecret(secret, apiKey)
  await submit(context, {
    kind: 'CreateApiKey',
    operator,
    accountId: account.id,
    apiKey,
    sealedSecret,
    ...terms,
  })
  if (expiresAt !== NEVER) {
    await submit(context, { kind: 'SetApiKeyTerms', operator, apiKey, ...terms, expiresAt })
  }
  // Before anybody has the secret: the key never works without it.
  if (request.strict)
    await submit(context, { kind: 'SetApiKeyStrict', operator, apiKey, strictSignature: true })
  return { ...shownKey(context, apiKey), secret }
}

/** Changes what is named; the rest stays. */
export async function setKey(context: AdminContext, request: AdminRequests['key/set']): Result<'key/set'> {
  const known = knownKey(context, request.apiKey)
  const addresses = request.addresses ?? known.addresses
  checkAddresses(addresses)
  const expiresAt = expiryOf(context, request.expiresAt) ?? known.expiresAt ?? NEVER
  const operator = operatorOf(context, request)
  const { apiKey } = known
  if (request.strict !== undefined) {
    await submit(context, { kind: 'SetApiKeyStrict', operator, apiKey, strictSignature: request.strict })
  }
  if (request.strict === undefined || namesTerms(request)) {
    const { permissions = known.permissions, label = known.label } = request
    await submit(context, {
      kind: 'SetApiKeyTerms',
      operator,
      apiKey,
      permissions,
      addresses,
      label,
      expiresAt,
    })
  }
  return shownKey(context, apiKey)
}

function namesTerms({ permissions, addresses, label, expiresAt }: AdminRequests['key/set']): boolean {
  return (permissions ?? addresses ?? label ?? expiresAt) !== undefined
}

/** Gives a key another secret, shown once; the old one opens for the overlap asked for. */
export async function rotateKey(
  context: AdminContext,
  request: AdminRequests['key/rotate'],
): Result<'key/rotate'> {
  const { apiKey } = knownKey(context, request.apiKey)
  const { overlapMinutes = 0 } = request
  const secret = randomBytes(CREDENTIAL_BYTES).toString('hex')
  await submit(context, {
    kind: 'RotateApiKey',
    operator: operatorOf(context, request),
    apiKey,
    sealedSecret: context.sealSecret(secret, apiKey),
    previousUntil: overlapMinutes === 0 ? NEVER : ((context.now() + overlapMinutes * MINUTE_MS) as TimeMs),
  })
  return { ...shownKey(context, apiKey), secret }
}

/** Switches a key off for good; doing it again is no error. */
export async function revokeKey(
  context: AdminContext,
  request: AdminRequests['key/revoke'],
): Result<'key/revoke'> {
  const { apiKey } = knownKey(context, request.apiKey)
  await submit(context, { kind: 'RevokeApiKey', operator: operatorOf(context, request), apiKey })
  return shownKey(context, apiKey)
}

/** Enables or disables a key; doing it again is no error. */
export function setKeyEnabled(enabled: boolean) {
  return async (context: AdminContext, request: AdminRequests['key/enable']): Result<'key/enable'> => {
    const { apiKey } = knownKey(context, request.apiKey)
    const operator = operatorOf(context, request)
    await submit(context, { kind: 'SetApiKeyEnabled', operator, apiKey, enabled })
    return shownKey(context, apiKey)
  }
}

function shownKey(context: AdminContext, key: string): AdminResults['key/enable'] {
  const apiKey: ApiKey = knownKey(context, key)
  const account = context.registry.account(apiKey.accountId)
  return adminKey(apiKey, account?.name ?? '', context.lastUsed(key))
}
