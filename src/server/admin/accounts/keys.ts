/** Operations on API keys. Secrets are sealed before they go to the journal and shown once. */
import { randomBytes } from 'node:crypto'
import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AddApiKey } from '../../../core/commands/keys.ts'
import { KEY_RULES } from '../../../core/exchange/rules.ts'
import type { ApiKeyAmendment } from '../../../core/registry/amendments.ts'
import type { ApiKey } from '../../../core/registry/records.ts'
import { DEFAULT_PERMISSIONS } from '../../../units/order-enums.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { type AdminContext, invalid, knownAccount, knownKey, traderAccount } from '../context.ts'
import { pageOf } from '../page.ts'
import { adminKey } from '../presentation.ts'
import { operatorOf, submit } from '../submit.ts'
import { checkAddresses, checkKeyForm, expiryOf, newKeyForm } from './key-terms.ts'

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
    adminKey(
      apiKey,
      account.name,
      context.registry.keyNumber(apiKey.apiKey),
      context.lastUsed(apiKey.apiKey),
    ),
  )
}

/** Creates a key; if it has a secret, this answer is the only one that ever shows it. */
export async function addKey(
  context: AdminContext,
  request: AdminRequests['key/add'],
  /** The journaled addresses, if they are not those of the request. */
  journaled?: readonly string[],
): Result<'key/add'> {
  const account = traderAccount(context, 'account', request.account)
  const { permissions = DEFAULT_PERMISSIONS, label = '' } = request
  checkAddresses(request.addresses ?? [])
  const addresses = journaled ?? request.addresses ?? []
  const expiresAt = expiryOf(context, request.expiresAt) ?? NEVER
  const { publicKey, wire, strictSignature } = newKeyForm(request)
  const apiKey = randomBytes(CREDENTIAL_BYTES).toString('hex')
  const secret = publicKey === undefined ? randomBytes(CREDENTIAL_BYTES).toString('hex') : null
  const key = { operator: operatorOf(context, request), accountId: account.id, apiKey }
  const terms = { permissions, addresses, label, expiresAt, strictSignature }
  const isPlain = secret !== null && wire === 'BOURSE' && !permissions.includes('READ')
  if (isPlain && context.backOffice.rulesVersion < KEY_RULES) {
    await addPlainKey(context, key, terms, context.sealSecret(secret, apiKey))
  } else {
    const keyKind = publicKey === undefined ? 'HMAC' : 'ED25519'
    const material = publicKey ?? context.sealSecret(secret ?? '', apiKey)
    await submit(context, { kind: 'AddApiKey', ...key, keyKind, material, wire, ...terms })
  }
  return { ...shownKey(context, apiKey), secret }
}

/**
 * For rules versions before `KEY_RULES`, with their commands: first a key with a secret, then the rest of its
 * terms.
 */
async function addPlainKey(
  context: AdminContext,
  { operator, ...key }: Pick<AddApiKey, 'operator' | 'accountId' | 'apiKey'>,
  { expiresAt, strictSignature, ...terms }: ApiKeyAmendment & { readonly strictSignature: boolean },
  sealedSecret: Uint8Array,
): Promise<void> {
  const { apiKey } = key
  await submit(context, { kind: 'CreateApiKey', operator, ...key, sealedSecret, ...terms })
  if (expiresAt !== NEVER) {
    await submit(context, { kind: 'SetApiKeyTerms', operator, apiKey, ...terms, expiresAt })
  }
  // Required before the secret is shown: the key can never be used without strict signatures.
  if (strictSignature)
    await submit(context, { kind: 'SetApiKeyStrict', operator, apiKey, strictSignature: true })
}

/** Changes the given fields; the others keep their values. */
export async function setKey(context: AdminContext, request: AdminRequests['key/set']): Result<'key/set'> {
  const known = knownKey(context, request.apiKey)
  checkKeyForm(known, request)
  const addresses = request.addresses ?? known.addresses
  // The stored addresses may be the mark of a customer's list.
  checkAddresses(request.addresses ?? [])
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

/** Gives a key a new secret, which is shown once; the old one remains valid for the requested overlap. */
export async function rotateKey(
  context: AdminContext,
  request: AdminRequests['key/rotate'],
): Result<'key/rotate'> {
  const { apiKey, publicKey } = knownKey(context, request.apiKey)
  if (publicKey !== undefined) {
    throw invalid('apiKey', 'a key of kind ED25519 has no secret here: add another key and revoke this one')
  }
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

/** Revokes a key permanently; a repeat is not an error. */
export async function revokeKey(
  context: AdminContext,
  request: AdminRequests['key/revoke'],
): Result<'key/revoke'> {
  const { apiKey } = knownKey(context, request.apiKey)
  await submit(context, { kind: 'RevokeApiKey', operator: operatorOf(context, request), apiKey })
  return shownKey(context, apiKey)
}

/** Enables or disables a key; a repeat is not an error. */
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
  const number = context.registry.keyNumber(key)
  return adminKey(apiKey, account?.name ?? '', number, context.lastUsed(key))
}
