/** Applies an operator's command about API keys; `administration.ts` handles the others. */
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { ApiKey } from '../../src/core/registry/records.ts'
import { REGISTRY_LIMITS, type RegistryLimits } from '../../src/core/registry/registry.ts'
import type { AccountId, KeyNumber } from '../../src/units/ids.ts'
import { PERMISSIONS, type Permission } from '../../src/units/order-enums.ts'
import { type TimeMs, UNITS_MAX } from '../../src/units/quantities.ts'
import { type Administered, type Emit, isText, type Of, stripped } from './administered.ts'

/** From these rules on, keys have a kind and a wire. */
const KEY_RULES = 15
/** From these rules on, ended keys make room for others. */
export const ENDED_KEY_RULES = 20
/** Limit per account: so low that runs reach it; in the real rules it is 1,000. */
const KEYS_MOST = 2
/** Limit including ended keys; in the real rules it is 10,000. */
const RECORDS_MOST = 3
/** The limits of the machines that are compared with this oracle. */
export const FEW_KEYS: RegistryLimits = {
  ...REGISTRY_LIMITS,
  apiKeysPerAccount: KEYS_MOST,
  apiKeyRecordsPerAccount: RECORDS_MOST,
}
const ADDRESSES_MOST = 100
const SECRET_LONGEST = 1_024

type NewKey = Omit<Of<'AddApiKey'>, 'kind' | 'operator'>

export function createKey(state: Administered, command: Of<'CreateApiKey'>, emit: Emit): Reply {
  const { sealedSecret: material, permissions } = command
  if (isTooNew(state, permissions)) return refused('RULES_VERSION_TOO_LOW')
  const rest = { expiresAt: 0 as TimeMs, strictSignature: false }
  return keep(state, { ...command, keyKind: 'HMAC', material, wire: 'BOURSE', ...rest }, emit)
}

export function addKey(state: Administered, command: Of<'AddApiKey'>, emit: Emit): Reply {
  return state.rulesVersion < KEY_RULES ? refused('RULES_VERSION_TOO_LOW') : keep(state, command, emit)
}

function keep(state: Administered, wanted: NewKey, emit: Emit): Reply {
  const { accountId, apiKey, keyKind, material, wire, addresses, label, expiresAt, strictSignature } = wanted
  const account = state.accounts[accountId]
  if (account === undefined) return refused('UNKNOWN_ACCOUNT')
  const isPair = keyKind === 'ED25519'
  const isValid =
    account.role === 'trader' &&
    isText(apiKey, 1) &&
    (isPair ? material.length === 32 : isSecret(material)) &&
    areAddresses(addresses) &&
    isText(label, 0) &&
    expiresAt <= UNITS_MAX
  const key = stripped({
    apiKey,
    accountId,
    sealedSecret: isPair ? new Uint8Array(0) : material,
    publicKey: isPair ? material : undefined,
    wire: wire === 'BINANCE' ? wire : undefined,
    permissions: PERMISSIONS.filter((permission) => wanted.permissions.includes(permission)),
    addresses,
    label,
    createdAt: state.time,
    enabled: true,
    expiresAt: expiresAt || undefined,
    strictSignature: strictSignature || undefined,
  }) as ApiKey
  if (!isValid || !fitsWire(key)) return refused('INVALID_COMMAND')
  if (account.isClosed) return refused('ACCOUNT_CLOSED')
  if (state.apiKeys.some((known) => known.apiKey === apiKey)) return refused('API_KEY_EXISTS')
  const keys = state.apiKeys.filter((known) => known.accountId === accountId)
  if (keysInUse(state, accountId) >= KEYS_MOST) return refused('LIMIT_REACHED')
  if (keys.length >= RECORDS_MOST) {
    const [leaving] = state.rulesVersion < ENDED_KEY_RULES ? [] : endedKeys(state, keys.slice(0, -1))
    if (leaving === undefined) return refused('LIMIT_REACHED')
    state.apiKeys.splice(state.apiKeys.indexOf(leaving), 1)
    emit({ kind: 'ApiKeyRemoved', accountId, apiKey: leaving.apiKey })
  }
  state.apiKeys.push(key)
  const number = (state.keysMade[accountId] ?? 0) + 1
  state.keysMade[accountId] = number
  state.keyNumbers.set(apiKey, number)
  emit({ kind: 'ApiKeyChanged', apiKey: key })
  return DONE
}

/** The keys that have ended, the first to end first; keys that ended at the same time in their order. */
function endedKeys(state: Administered, keys: readonly ApiKey[]): readonly ApiKey[] {
  const ended = keys.filter((key) => key.isRevoked || hasExpired(state, key))
  const endOf = (key: ApiKey) => (key.isRevoked ? (key.endedAt ?? 0) : (key.expiresAt ?? 0))
  return ended.sort((one, other) => endOf(one) - endOf(other))
}

function hasExpired({ time }: Administered, { expiresAt }: Pick<ApiKey, 'expiresAt'>): boolean {
  return expiresAt !== undefined && expiresAt <= time
}

function keysInUse(state: Administered, accountId: AccountId): number {
  const { rulesVersion } = state
  return state.apiKeys.filter((key) => {
    if (key.accountId !== accountId) return false
    if (rulesVersion < KEY_RULES) return true
    return !key.isRevoked && (rulesVersion < ENDED_KEY_RULES || !hasExpired(state, key))
  }).length
}

/** All keys, each with its number if that is not the next number of its account. */
export function listedKeys({ apiKeys, keyNumbers }: Administered): readonly ApiKey[] {
  const last: number[] = []
  return apiKeys.map((key) => {
    const number = keyNumbers.get(key.apiKey) as KeyNumber
    const follows = number === (last[key.accountId] ?? 0) + 1
    last[key.accountId] = number
    return follows ? key : { ...key, number }
  })
}

/**
 * Whether the key is allowed on its wire. On the exchange's own wire a key pair must sign strictly; Binance's
 * wire supports neither strict signatures nor withdrawals.
 */
function fitsWire({ wire, publicKey, permissions, strictSignature }: ApiKey): boolean {
  return wire === 'BINANCE'
    ? strictSignature === undefined && !permissions.includes('WITHDRAW')
    : publicKey === undefined || strictSignature === true
}

/** A read-only key needs rules newer than the oldest. */
function isTooNew({ rulesVersion }: Administered, permissions: readonly Permission[]): boolean {
  return permissions.includes('READ') && rulesVersion < KEY_RULES
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
    const changed = changeOf(state, before, command)
    if (changed === undefined || !fitsWire({ ...before, ...changed })) return 'INVALID_COMMAND'
    return isOneTooMany(state, before, { ...before, ...changed }) ? 'LIMIT_REACHED' : changed
  })
}

/** Whether an expired key would become active again although its account already has the maximum number. */
function isOneTooMany(state: Administered, before: ApiKey, after: ApiKey): boolean {
  if (state.rulesVersion < ENDED_KEY_RULES || after.isRevoked) return false
  const goesOn = hasExpired(state, before) && !hasExpired(state, after)
  return goesOn && keysInUse(state, before.accountId) >= KEYS_MOST
}

function changeOf(state: Administered, before: ApiKey, command: KeyChange): object | undefined {
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
      if (before.publicKey !== undefined || !isSecret(sealedSecret)) return undefined
      const previousSecret = until > 0 ? { sealedSecret: before.sealedSecret, until } : undefined
      return { sealedSecret, previousSecret }
    }
    case 'RevokeApiKey': {
      if (before.isRevoked) return {}
      const ended = hasExpired(state, before) ? before.expiresAt : state.time
      const endedAt = state.rulesVersion < ENDED_KEY_RULES ? undefined : ended
      return { enabled: false, isRevoked: true, previousSecret: undefined, endedAt }
    }
  }
}

/** Seals the same secret again; a key whose current sealing differs from the expected one is unchanged. */
export function resealSecret(state: Administered, command: Of<'ResealSecret'>, emit: Emit): Reply {
  const { from, to } = command
  return change(state, command.apiKey, emit, ({ sealedSecret, previousSecret, publicKey }) => {
    if (!isSecret(to)) return 'INVALID_COMMAND'
    if (publicKey !== undefined) return undefined
    const isFrom = (sealing: Uint8Array | undefined) => sealing?.toString() === from.toString()
    if (isFrom(sealedSecret)) return { sealedSecret: to }
    return isFrom(previousSecret?.sealedSecret)
      ? { previousSecret: { ...previousSecret, sealedSecret: to } }
      : undefined
  })
}

/** `changeTo` returns the differences, undefined if there are none, or the reason for a refusal. */
function change(
  { apiKeys }: Administered,
  name: string,
  emit: Emit,
  changeTo: (before: ApiKey) => object | undefined | 'API_KEY_REVOKED' | 'INVALID_COMMAND' | 'LIMIT_REACHED',
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
