/** Carries out an operator's command about API keys, as `administration.ts` does those about the rest. */
import { DONE, type Reply, refused } from '../../src/core/exchange/reply.ts'
import type { ApiKey } from '../../src/core/registry/records.ts'
import { PERMISSIONS, type Permission } from '../../src/units/order-words.ts'
import { UNITS_MAX } from '../../src/units/quantities.ts'
import { type Administered, type Emit, isText, type Of, stripped, WITHDRAWAL_RULES } from './administered.ts'

/** Of one account. */
const KEYS_MOST = 1_000
const ADDRESSES_MOST = 100
const SECRET_LONGEST = 1_024

export function createKey(state: Administered, command: Of<'CreateApiKey'>, emit: Emit): Reply {
  const { accountId, apiKey, sealedSecret, permissions, addresses, label } = command
  if (isTooNew(state, permissions)) return refused('RULES_VERSION_TOO_LOW')
  const account = state.accounts[accountId]
  if (account === undefined) return refused('UNKNOWN_ACCOUNT')
  const isValid =
    account.role === 'trader' &&
    isText(apiKey, 1) &&
    isSecret(sealedSecret) &&
    areAddresses(addresses) &&
    isText(label, 0)
  if (!isValid) return refused('INVALID_COMMAND')
  if (account.isClosed) return refused('ACCOUNT_CLOSED')
  if (state.apiKeys.some((key) => key.apiKey === apiKey)) return refused('API_KEY_EXISTS')
  const keys = state.apiKeys.filter((key) => key.accountId === accountId)
  if (keys.length >= KEYS_MOST) return refused('LIMIT_REACHED')
  const key = {
    apiKey,
    accountId,
    sealedSecret,
    permissions: PERMISSIONS.filter((permission) => permissions.includes(permission)),
    addresses,
    label,
    createdAt: state.time,
    enabled: true,
  }
  state.apiKeys.push(key)
  emit({ kind: 'ApiKeyChanged', apiKey: key })
  return DONE
}

/** A key may withdraw under the rules that have withdrawals of traders. */
function isTooNew({ rulesVersion }: Administered, permissions: readonly Permission[]): boolean {
  return permissions.includes('WITHDRAW') && rulesVersion < WITHDRAWAL_RULES
}

export function setKeyEnabled(state: Administered, command: Of<'SetApiKeyEnabled'>, emit: Emit): Reply {
  const { enabled } = command
  return change(state, command.apiKey, emit, (before) => (before.isRevoked ? 'API_KEY_REVOKED' : { enabled }))
}

type KeyChange = Of<'SetApiKeyTerms' | 'SetApiKeyStrict' | 'RotateApiKey' | 'RevokeApiKey'>

export function changeKey(state: Administered, command: KeyChange, emit: Emit): Reply {
  if (command.kind === 'SetApiKeyTerms' && isTooNew(state, command.permissions))
    return refused('RULES_VERSION_TOO_LOW')
  return change(state, command.apiKey, emit, (before) => {
    if (before.isRevoked && command.kind !== 'RevokeApiKey') return 'API_KEY_REVOKED'
    return changeOf(before, command) ?? 'INVALID_COMMAND'
  })
}

function changeOf(before: ApiKey, command: KeyChange): object | undefined {
  switch (command.kind) {
    case 'SetApiKeyTerms': {
      const { addresses, label, expiresAt } = command
      const isValid = areAddresses(addresses) && isText(label, 0) && expiresAt <= UNITS_MAX
      const permissions = PERMISSIONS.filter((permission) => command.permissions.includes(permission))
      return isValid ? { permissions, addresses, label, expiresAt: expiresAt || undefined } : undefined
    }
    case 'SetApiKeyStrict':
      return { strictSignature: command.strictSignature || undefined }
    case 'RotateApiKey': {
      const { sealedSecret, previousUntil: until } = command
      if (!isSecret(sealedSecret)) return undefined
      const previousSecret = until > 0 ? { sealedSecret: before.sealedSecret, until } : undefined
      return { sealedSecret, previousSecret }
    }
    case 'RevokeApiKey':
      return { enabled: false, isRevoked: true, previousSecret: undefined }
  }
}

/** The same secret under another sealing; a key that has not that sealing is left as it is. */
export function resealSecret(state: Administered, command: Of<'ResealSecret'>, emit: Emit): Reply {
  const { from, to } = command
  return change(state, command.apiKey, emit, ({ sealedSecret, previousSecret }) => {
    if (!isSecret(to)) return 'INVALID_COMMAND'
    const isFrom = (sealing: Uint8Array | undefined) => sealing?.toString() === from.toString()
    if (isFrom(sealedSecret)) return { sealedSecret: to }
    return isFrom(previousSecret?.sealedSecret)
      ? { previousSecret: { ...previousSecret, sealedSecret: to } }
      : undefined
  })
}

/** `changeTo`: what differs, nothing at all, or why it is refused. */
function change(
  { apiKeys }: Administered,
  name: string,
  emit: Emit,
  changeTo: (before: ApiKey) => object | undefined | 'API_KEY_REVOKED' | 'INVALID_COMMAND',
): Reply {
  const index = apiKeys.findIndex(({ apiKey }) => apiKey === name)
  const before = apiKeys[index]
  if (before === undefined) return refused('UNKNOWN_API_KEY')
  const changed = changeTo(before)
  if (typeof changed === 'string') return refused(changed)
  if (changed === undefined) return DONE
  const apiKey: ApiKey = stripped({ ...before, ...changed })
  apiKeys[index] = apiKey
  emit({ kind: 'ApiKeyChanged', apiKey })
  return DONE
}

function isSecret(sealed: Uint8Array): boolean {
  return sealed.length >= 1 && sealed.length <= SECRET_LONGEST
}

function areAddresses(addresses: readonly string[]): boolean {
  return addresses.length <= ADDRESSES_MOST && addresses.every((address) => isText(address, 1))
}
