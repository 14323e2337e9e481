/**
 * What the reference exchange does with operators' orders about what is there already. Written from the docstrings of
 * the commands and of the records, not from the core.
 */

import type { CommandOf, OperatorCommand } from '../../src/core/exchange/command.ts'
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import { DONE, type Reply, refused } from '../../src/core/exchange/reply.ts'
import type { Account, ApiKey } from '../../src/core/registry/records.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { ACCOUNT_RESTRICTIONS } from '../../src/units/operator-words.ts'
import { PERMISSIONS } from '../../src/units/order-words.ts'
import { RATE_ONE, UNITS_MAX } from '../../src/units/quantities.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import { Fraction } from './fraction.ts'
import {
  approve,
  completeWithdrawal,
  endWithdrawal,
  holdWithdrawal,
  moveMoney,
  reject,
} from './reference-money.ts'
import type { ReferenceState } from './reference-state.ts'
import { cancelMany } from './reference-trading.ts'

type Emit = (event: ExchangeEvent) => void
/** All that `reference-registry.ts` leaves to this file. */
export type Administration = Exclude<
  OperatorCommand,
  CommandOf<
    | 'ListAsset'
    | 'SetAssetFlags'
    | 'ListSymbol'
    | 'SetSymbolState'
    | 'SetSymbolRates'
    | 'CreateAccount'
    | 'CreateApiKey'
    | 'SetApiKeyEnabled'
    | 'Credit'
    | 'Debit'
    | 'MoveBetweenBuckets'
    | 'SetRulesVersion'
  >
>
type Of<K extends Administration['kind']> = CommandOf<K>

const NAME = /^[A-Za-z0-9._@-]{1,64}$/

export function administer(state: ReferenceState, command: Administration, emit: Emit): Reply {
  switch (command.kind) {
    case 'SetAccountRestrictions':
    case 'SetAccountTerms':
    case 'CloseAccount':
      return changeAccount(state, command, emit)
    case 'CancelOrders':
      return cancelMany(state, command, emit)
    case 'SetAssetTerms':
      return setAssetTerms(state, command, emit)
    case 'SetSymbolTerms':
      return setSymbolTerms(state, command, emit)
    case 'SetFeeTier':
      return setFeeTier(state, command, emit)
    case 'MoveSavings':
    case 'PayOutCommission':
      return moveMoney(state, command, emit, false)
    case 'HoldWithdrawal':
      return holdWithdrawal(state, command, emit)
    case 'CompleteWithdrawal':
      return completeWithdrawal(state, command, emit, false)
    case 'CancelWithdrawal':
      return endWithdrawal(state, command.reference, 'CANCELED', emit)
    case 'SetApiKeyTerms':
    case 'SetApiKeyStrict':
    case 'RotateApiKey':
    case 'RevokeApiKey':
      return changeKey(state, command, emit)
    case 'ResealSecret':
      return resealSecret(state, command, emit)
    case 'AddAdminToken':
    case 'RevokeAdminToken':
      return changeToken(state, command, emit)
    case 'Approve':
      return approve(state, command, emit)
    case 'Reject':
      return reject(state, command, emit)
    case 'BanAddress':
    case 'LiftBan':
      return changeBan(state, command, emit)
    case 'AcceptClock':
      return DONE
  }
}

/** Leaves out what is undefined. */
function stripped<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T
}

function changeAccount(
  state: ReferenceState,
  command: Of<'SetAccountRestrictions' | 'SetAccountTerms' | 'CloseAccount'>,
  emit: Emit,
): Reply {
  const before = state.accounts[command.accountId]
  if (before === undefined) return refused('UNKNOWN_ACCOUNT')
  if (before.role !== 'trader') return refused('INVALID_COMMAND')
  if (before.isClosed) return refused('ACCOUNT_CLOSED')
  const change = changeOf(state, command)
  if (typeof change === 'string') return refused(change)
  const account = stripped({ ...before, ...change }) as Account
  state.accounts[account.id] = account
  emit({ kind: 'AccountChanged', account })
  return DONE
}

function changeOf(
  state: ReferenceState,
  command: Of<'SetAccountRestrictions' | 'SetAccountTerms' | 'CloseAccount'>,
): object | CoreReason {
  switch (command.kind) {
    case 'SetAccountRestrictions': {
      const restrictions = ACCOUNT_RESTRICTIONS.filter((word) => command.restrictions.includes(word))
      return { restrictions: restrictions.length > 0 ? restrictions : undefined }
    }
    case 'SetAccountTerms': {
      const { feeTier, openOrdersMax } = command
      const isKnown = feeTier === '' || state.feeTiers.some(({ name }) => name === feeTier)
      if (!isKnown) return 'UNKNOWN_FEE_TIER'
      return { feeTier: feeTier === '' ? undefined : feeTier, openOrdersMax: openOrdersMax || undefined }
    }
    case 'CloseAccount':
      return isEmpty(state, command.accountId) ? { isClosed: true } : 'ACCOUNT_NOT_EMPTY'
  }
}

function isEmpty(state: ReferenceState, accountId: AccountId): boolean {
  const hasMoney = state.assets.some(({ id }) =>
    (['free', 'locked', 'freeze', 'savings'] as const).some(
      (bucket) => !state.balance(accountId, id, bucket).equals(Fraction.ZERO),
    ),
  )
  return !hasMoney && !state.open.some((order) => order.accountId === accountId)
}

function isNamed(units: bigint): boolean {
  return units >= 0n && units <= AMOUNT_MAX
}

function setAssetTerms(state: ReferenceState, command: Of<'SetAssetTerms'>, emit: Emit): Reply {
  const before = state.assets.find(({ code }) => code === command.code)
  if (before === undefined) return refused('UNKNOWN_ASSET')
  const { name, supplyCap, creditMax, approvalAbove } = command
  const isValid =
    name.length >= 1 &&
    name.length <= 200 &&
    [supplyCap, creditMax, approvalAbove].every((one) => isNamed(one))
  if (!isValid) return refused('INVALID_COMMAND')
  const asset = stripped({
    ...before,
    name,
    supplyCap,
    creditMax: creditMax || undefined,
    approvalAbove: approvalAbove || undefined,
  }) as typeof before
  state.assets[asset.id] = asset
  emit({ kind: 'AssetChanged', asset })
  return DONE
}

function setSymbolTerms(state: ReferenceState, command: Of<'SetSymbolTerms'>, emit: Emit): Reply {
  const before = state.symbols.find(({ name }) => name === command.symbol)
  if (before === undefined) return refused('UNKNOWN_SYMBOL')
  const {
    minTotal,
    minQuantity,
    selfTradeMode,
    openOrdersMax,
    levelsMax,
    minPrice: min,
    maxPrice: max,
  } = command
  const isBand = (min === 0 && max === 0) || (min >= 1 && max >= min)
  if (!isNamed(minTotal) || openOrdersMax < 1 || levelsMax < 1 || !isBand) return refused('INVALID_COMMAND')
  const terms = { minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax }
  const priceBand = max > 0 ? { min, max } : undefined
  const symbol = stripped({ ...before, ...terms, priceBand }) as typeof before
  state.symbols[symbol.id] = symbol
  emit({ kind: 'SymbolChanged', symbol })
  return DONE
}

/** Replaces the record that has the same name, or adds one. */
function put<T>(records: T[], isSame: (record: T) => boolean, record: T): void {
  const index = records.findIndex(isSame)
  if (index < 0) records.push(record)
  else records[index] = record
}

function setFeeTier(state: ReferenceState, command: Of<'SetFeeTier'>, emit: Emit): Reply {
  const { name, makerShare, takerShare } = command
  if (!NAME.test(name) || makerShare > RATE_ONE || takerShare > RATE_ONE) return refused('INVALID_COMMAND')
  const feeTier = { name, makerShare, takerShare }
  put(state.feeTiers, (tier) => tier.name === name, feeTier)
  emit({ kind: 'FeeTierChanged', feeTier })
  return DONE
}

function changeKey(
  state: ReferenceState,
  command: Of<'SetApiKeyTerms' | 'SetApiKeyStrict' | 'RotateApiKey' | 'RevokeApiKey'>,
  emit: Emit,
): Reply {
  const index = state.apiKeys.findIndex(({ apiKey }) => apiKey === command.apiKey)
  const before = state.apiKeys[index]
  if (before === undefined) return refused('UNKNOWN_API_KEY')
  if (before.isRevoked && command.kind !== 'RevokeApiKey') return refused('API_KEY_REVOKED')
  const change = keyChangeOf(before, command)
  if (change === undefined) return refused('INVALID_COMMAND')
  const apiKey = stripped({ ...before, ...change }) as ApiKey
  state.apiKeys[index] = apiKey
  emit({ kind: 'ApiKeyChanged', apiKey })
  return DONE
}

function keyChangeOf(
  before: ApiKey,
  command: Of<'SetApiKeyTerms' | 'SetApiKeyStrict' | 'RotateApiKey' | 'RevokeApiKey'>,
): object | undefined {
  switch (command.kind) {
    case 'SetApiKeyTerms': {
      const { addresses, label, expiresAt } = command
      const isText = (text: string, least: number) => text.length >= least && text.length <= 200
      const isValid =
        addresses.length <= 100 &&
        addresses.every((one) => isText(one, 1)) &&
        isText(label, 0) &&
        expiresAt <= UNITS_MAX
      const permissions = PERMISSIONS.filter((permission) => command.permissions.includes(permission))
      return isValid ? { permissions, addresses, label, expiresAt: expiresAt || undefined } : undefined
    }
    case 'SetApiKeyStrict':
      return { strictSignature: command.strictSignature || undefined }
    case 'RotateApiKey': {
      const { sealedSecret, previousUntil: until } = command
      if (sealedSecret.length < 1 || sealedSecret.length > 1_024) return undefined
      const previousSecret = until > 0 ? { sealedSecret: before.sealedSecret, until } : undefined
      return { sealedSecret, previousSecret }
    }
    case 'RevokeApiKey':
      return { enabled: false, isRevoked: true, previousSecret: undefined }
  }
}

function resealSecret(state: ReferenceState, command: Of<'ResealSecret'>, emit: Emit): Reply {
  const { from, to } = command
  const index = state.apiKeys.findIndex(({ apiKey }) => apiKey === command.apiKey)
  const before = state.apiKeys[index]
  if (before === undefined) return refused('UNKNOWN_API_KEY')
  if (to.length < 1 || to.length > 1_024) return refused('INVALID_COMMAND')
  const isFrom = (sealing: Uint8Array | undefined) => sealing?.toString() === from.toString()
  const older = before.previousSecret
  const apiKey = isFrom(before.sealedSecret)
    ? { ...before, sealedSecret: to }
    : older && isFrom(older.sealedSecret)
      ? { ...before, previousSecret: { ...older, sealedSecret: to } }
      : undefined
  if (apiKey === undefined) return DONE
  state.apiKeys[index] = apiKey
  emit({ kind: 'ApiKeyChanged', apiKey })
  return DONE
}

function changeToken(
  state: ReferenceState,
  command: Of<'AddAdminToken' | 'RevokeAdminToken'>,
  emit: Emit,
): Reply {
  const { name } = command
  const before = state.tokens.find((token) => token.name === name)
  if (command.kind === 'AddAdminToken') {
    if (!NAME.test(name) || command.digest.length !== 32) return refused('INVALID_COMMAND')
    if (before !== undefined) return refused('TOKEN_EXISTS')
    const { role, digest } = command
    const token = { name, role, digest, createdAt: state.time, isRevoked: false }
    state.tokens.push(token)
    emit({ kind: 'AdminTokenChanged', token })
    return DONE
  }
  if (before === undefined) return refused('UNKNOWN_TOKEN')
  const token = { ...before, isRevoked: true }
  put(state.tokens, (one) => one.name === name, token)
  emit({ kind: 'AdminTokenChanged', token })
  return DONE
}

function changeBan(state: ReferenceState, command: Of<'BanAddress' | 'LiftBan'>, emit: Emit): Reply {
  const { address } = command
  if (command.kind === 'LiftBan') {
    state.bans = state.bans.filter((ban) => ban.address !== address)
    emit({ kind: 'BanLifted', address })
    return DONE
  }
  const { until } = command
  if (address.length < 1 || address.length > 64 || until <= state.time) return refused('INVALID_COMMAND')
  const ban = { address, until }
  put(state.bans, (one) => one.address === address, ban)
  emit({ kind: 'AddressBanned', ban })
  return DONE
}
