/**
 * Operators' commands about what is there already, as the second bookkeeper expects them: accounts, terms, tiers, keys,
 * tokens, bans, and orders cancelled by the hundred.
 */

import type { OperatorCommand } from '../../src/core/exchange/command.ts'
import type { Account } from '../../src/core/registry/records.ts'
import { checkLevels, leave, levelKey } from './shadow-book.ts'
import type { MoneyCommand } from './shadow-money.ts'
import type { ShadowRegistration } from './shadow-registration.ts'
import {
  expectKinds,
  hasSymbol,
  isAccepted,
  isAmount,
  isText,
  type No,
  type Of,
  RATE_LIMIT,
  symbolOf,
} from './shadow-rules.ts'
import {
  type Applied,
  demand,
  type ShadowAccount,
  type ShadowKey,
  type ShadowOrder,
  type ShadowState,
} from './shadow-state.ts'

type ShadowAdministration = Exclude<OperatorCommand, MoneyCommand | ShadowRegistration>
type AccountCommand = Of<'SetAccountRestrictions' | 'SetAccountTerms' | 'CloseAccount'>
type KeyCommand = Of<'SetApiKeyTerms' | 'SetApiKeyStrict' | 'RotateApiKey' | 'RevokeApiKey' | 'ResealSecret'>

const NAME = /^[A-Za-z0-9._@-]{1,64}$/
const ORDERS_PER_COMMAND = 500

export function checkAdministration(
  state: ShadowState,
  applied: Applied,
  command: ShadowAdministration,
): void {
  if (isAccepted(applied, (no) => addRefusals(state, command, no))) take(state, applied, command)
}

function addRefusals(state: ShadowState, command: ShadowAdministration, no: No): void {
  switch (command.kind) {
    case 'SetAccountRestrictions':
    case 'SetAccountTerms':
    case 'CloseAccount':
      addAccountRefusals(state, command, no)
      break
    case 'CancelOrders':
      no(command.symbol !== undefined && !hasSymbol(state, command.symbol), 'UNKNOWN_SYMBOL')
      no(
        command.accountId !== undefined && state.accounts[command.accountId] === undefined,
        'UNKNOWN_ACCOUNT',
      )
      no(command.accountId === undefined && command.symbol === undefined, 'INVALID_COMMAND')
      break
    case 'SetAssetTerms':
      no(state.assetByCode(command.code) < 0, 'UNKNOWN_ASSET')
      no(!isText(command.name, 1) || !isAmount(command.supplyCap), 'INVALID_COMMAND')
      no(!isAmount(command.creditMax) || !isAmount(command.approvalAbove), 'INVALID_COMMAND')
      break
    case 'SetSymbolTerms': {
      const { minPrice, maxPrice } = command
      no(!hasSymbol(state, command.symbol), 'UNKNOWN_SYMBOL')
      no(!isAmount(command.minTotal) || command.openOrdersMax < 1 || command.levelsMax < 1, 'INVALID_COMMAND')
      no(minPrice + maxPrice > 0 && (minPrice < 1 || maxPrice < minPrice), 'INVALID_COMMAND')
      break
    }
    case 'SetFeeTier':
      no(!NAME.test(command.name), 'INVALID_COMMAND')
      no(command.makerShare > RATE_LIMIT || command.takerShare > RATE_LIMIT, 'INVALID_COMMAND')
      break
    case 'SetApiKeyTerms':
    case 'SetApiKeyStrict':
    case 'RotateApiKey':
    case 'RevokeApiKey':
    case 'ResealSecret':
      addKeyRefusals(state, command, no)
      break
    case 'AddAdminToken':
      no(!NAME.test(command.name) || command.digest.length !== 32, 'INVALID_COMMAND')
      no(state.tokens.has(command.name), 'TOKEN_EXISTS')
      break
    case 'RevokeAdminToken':
      no(!state.tokens.has(command.name), 'UNKNOWN_TOKEN')
      break
    case 'BanAddress':
      no(command.address.length < 1 || command.address.length > 64, 'INVALID_COMMAND')
      no(command.until <= state.time, 'INVALID_COMMAND')
      break
    case 'LiftBan':
    case 'AcceptClock':
      break
  }
}

function addAccountRefusals(state: ShadowState, command: AccountCommand, no: No): void {
  const { accountId } = command
  const account = state.accounts[accountId]
  no(account === undefined, 'UNKNOWN_ACCOUNT')
  no(account?.isTrader === false, 'INVALID_COMMAND')
  no(account?.isClosed === true, 'ACCOUNT_CLOSED')
  if (command.kind === 'SetAccountTerms') {
    no(command.feeTier !== '' && !state.feeTiers.has(command.feeTier), 'UNKNOWN_FEE_TIER')
  }
  if (command.kind !== 'CloseAccount') return
  no(state.openOrders(accountId).length > 0, 'ACCOUNT_NOT_EMPTY')
  const holdsMoney = state.assets.some(({ held }) =>
    Object.values(held[accountId] ?? {}).some((sum) => sum > 0n),
  )
  no(holdsMoney, 'ACCOUNT_NOT_EMPTY')
}

function addKeyRefusals(state: ShadowState, command: KeyCommand, no: No): void {
  const key = state.keys.get(command.apiKey)
  no(key === undefined, 'UNKNOWN_API_KEY')
  const mayBeRevoked = command.kind === 'RevokeApiKey' || command.kind === 'ResealSecret'
  no(!mayBeRevoked && key?.isRevoked === true, 'API_KEY_REVOKED')
  if (command.kind === 'SetApiKeyTerms') {
    no(!isText(command.label, 0) || command.addresses.length > 100, 'INVALID_COMMAND')
    no(
      command.addresses.some((address) => !isText(address, 1)),
      'INVALID_COMMAND',
    )
  }
  if (command.kind === 'RotateApiKey') {
    no(command.sealedSecret.length < 1 || command.sealedSecret.length > 1_024, 'INVALID_COMMAND')
  }
  if (command.kind === 'ResealSecret') no(command.to.length < 1, 'INVALID_COMMAND')
}

/** Changes the state as the command asks, and checks that answer and events say so. */
function take(state: ShadowState, applied: Applied, command: ShadowAdministration): void {
  const { events } = applied
  switch (command.kind) {
    case 'SetAccountRestrictions':
    case 'SetAccountTerms':
    case 'CloseAccount':
      changeAccount(state, applied, command)
      break
    case 'CancelOrders':
      cancelOrders(state, applied, command)
      break
    case 'SetAssetTerms': {
      const asset = state.assets[state.assetByCode(command.code)]
      demand(asset !== undefined, 'a listed asset stays listed')
      asset.cap = command.supplyCap
      asset.creditMax = command.creditMax
      asset.approvalAbove = command.approvalAbove
      expectKinds(events, ['AssetChanged'])
      break
    }
    case 'SetSymbolTerms': {
      const { minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax, minPrice, maxPrice } = command
      const band = maxPrice === 0 ? [1, Number.MAX_SAFE_INTEGER] : [minPrice, maxPrice]
      const terms = { minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax, band }
      Object.assign(symbolOf(state, command.symbol), terms)
      expectKinds(events, ['SymbolChanged'])
      break
    }
    case 'SetFeeTier': {
      const { makerShare, takerShare } = command
      const shares = { makerShare: BigInt(makerShare), takerShare: BigInt(takerShare) }
      state.feeTiers.set(command.name, shares)
      expectKinds(events, ['FeeTierChanged'])
      break
    }
    case 'SetApiKeyTerms':
    case 'SetApiKeyStrict':
    case 'RotateApiKey':
    case 'RevokeApiKey':
      changeKey(state, applied, command)
      break
    case 'ResealSecret':
      // The shadow keeps no secrets: whether the key had this sealing, the model knows.
      if (events.length > 0) expectKinds(events, ['ApiKeyChanged'])
      break
    case 'AddAdminToken':
    case 'RevokeAdminToken':
      state.tokens.set(command.name, {
        madeAt: state.tokens.get(command.name)?.madeAt ?? state.time,
        isRevoked: command.kind === 'RevokeAdminToken',
      })
      expectKinds(events, ['AdminTokenChanged'])
      break
    case 'BanAddress':
      state.bans.set(command.address, command.until)
      expectKinds(events, ['AddressBanned'])
      break
    case 'LiftBan':
      state.bans.delete(command.address)
      expectKinds(events, ['BanLifted'])
      break
    case 'AcceptClock':
      // It says what the time is, and changes nothing.
      expectKinds(events, [])
      break
  }
}

function changeAccount(state: ShadowState, { events }: Applied, command: AccountCommand): void {
  const account = state.accounts[command.accountId] as ShadowAccount
  if (command.kind === 'SetAccountRestrictions') account.restrictions = command.restrictions
  else if (command.kind === 'CloseAccount') account.isClosed = true
  else {
    account.feeTier = command.feeTier
    account.openOrdersMax = command.openOrdersMax
  }
  expectKinds(events, ['AccountChanged'])
  const [event] = events
  demand(
    event?.kind === 'AccountChanged' &&
      event.account.id === command.accountId &&
      isSame(event.account, account),
    () => `the event tells how account ${account.name} is now`,
  )
}

function isSame(told: Account, known: ShadowAccount): boolean {
  return (
    told.name === known.name &&
    (told.restrictions ?? []).toSorted().join() === known.restrictions.toSorted().join() &&
    (told.isClosed ?? false) === known.isClosed &&
    (told.feeTier ?? '') === known.feeTier &&
    (told.openOrdersMax ?? 0) === known.openOrdersMax
  )
}

function changeKey(state: ShadowState, { events }: Applied, command: KeyCommand): void {
  const key = state.keys.get(command.apiKey) as ShadowKey
  if (command.kind === 'RevokeApiKey') {
    key.enabled = false
    key.isRevoked = true
  }
  if (command.kind === 'SetApiKeyStrict') key.isStrict = command.strictSignature
  expectKinds(events, ['ApiKeyChanged'])
  const [event] = events
  demand(
    event?.kind === 'ApiKeyChanged' &&
      event.apiKey.enabled === key.enabled &&
      (event.apiKey.isRevoked ?? false) === key.isRevoked &&
      (event.apiKey.strictSignature ?? false) === key.isStrict,
    () => `the event tells how key ${command.apiKey} is now`,
  )
}

/** An account's newest orders first; of a symbol alone the sells, then the buys, each in the order of their turn. */
function cancelOrders(state: ShadowState, { reply, events }: Applied, command: Of<'CancelOrders'>): void {
  const { accountId, symbol: name } = command
  const symbol = name === undefined ? undefined : symbolOf(state, name)
  const meant =
    accountId === undefined
      ? [...(symbol?.book.SELL ?? []), ...(symbol?.book.BUY ?? [])]
      : state.openOrders(accountId, symbol?.id)
  const taken = meant.slice(0, ORDERS_PER_COMMAND)
  demand(
    reply.kind === 'OrdersCanceled' &&
      reply.canceled === taken.length &&
      reply.left === meant.length - taken.length,
    () => `of ${meant.length} open orders ${taken.length} are cancelled`,
  )
  for (const [i, order] of taken.entries()) {
    const event = events[i]
    demand(
      event?.kind === 'OrderCanceled' &&
        event.orderNumber === order.number &&
        event.cause === 'OPERATOR' &&
        event.quantity === order.remaining,
      () => `order ${order.number} is the next that an operator cancels`,
    )
  }
  for (const order of taken) leave(state, order)
  checkLevelsOf(state, taken, events.slice(taken.length))
}

function checkLevelsOf(state: ShadowState, taken: readonly ShadowOrder[], events: Applied['events']): void {
  let checked = 0
  for (const symbol of state.symbols) {
    const touched = taken.filter((order) => order.symbol === symbol)
    const told = events.filter((event) => event.kind === 'LevelChanged' && event.symbolId === symbol.id)
    checkLevels(symbol, told, new Set(touched.map(({ side, price }) => levelKey(side, price))))
    checked += told.length
  }
  demand(checked === events.length, 'nothing but levels changes when orders are cancelled')
}
