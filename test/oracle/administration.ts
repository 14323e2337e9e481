/**
 * Carries out an operator's command about accounts, tiers, tokens and bans; those about keys are beside it. Written from
 * the docstrings of the commands and of the records, not from the core.
 */
import { DONE, type Reply, refused } from '../../src/core/exchange/reply.ts'
import type { Account } from '../../src/core/registry/records.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { ACCOUNT_RESTRICTIONS } from '../../src/units/operator-words.ts'
import { RATE_ONE } from '../../src/units/quantities.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import {
  type Administered,
  type AdministeredCommand,
  type Emit,
  isText,
  type Of,
  put,
  stripped,
} from './administered.ts'
import { changeKey, createKey, resealSecret, setKeyEnabled } from './api-keys.ts'

const NAME = /^[A-Za-z0-9._@-]{1,64}$/
const DIGEST_BYTES = 32
const ADDRESS_LONGEST = 64

/** Changes the records, gives `emit` the events and returns the answer; a refusal changes nothing. */
export function administer(state: Administered, command: AdministeredCommand, emit: Emit): Reply {
  switch (command.kind) {
    case 'CreateAccount':
      return createAccount(state, command, emit)
    case 'SetAccountRestrictions':
    case 'SetAccountTerms':
    case 'CloseAccount':
      return changeAccount(state, command, emit)
    case 'SetFeeTier':
      return setFeeTier(state, command, emit)
    case 'CreateApiKey':
      return createKey(state, command, emit)
    case 'SetApiKeyEnabled':
      return setKeyEnabled(state, command, emit)
    case 'SetApiKeyTerms':
    case 'SetApiKeyStrict':
    case 'RotateApiKey':
    case 'RevokeApiKey':
      return changeKey(state, command, emit)
    case 'ResealSecret':
      return resealSecret(state, command, emit)
    case 'AddAdminToken':
      return addToken(state, command, emit)
    case 'RevokeAdminToken':
      return revokeToken(state, command, emit)
    case 'BanAddress':
      return banAddress(state, command, emit)
    case 'LiftBan':
      return liftBan(state, command, emit)
    case 'AcceptClock':
      // It says what the time is, and changes nothing.
      return DONE
  }
}

/** A colon is for the house's own names. */
function createAccount(state: Administered, { name }: Of<'CreateAccount'>, emit: Emit): Reply {
  if (!isText(name, 1) || name.includes(':')) return refused('INVALID_COMMAND')
  if (state.accounts.some((account) => account.name === name)) return refused('ACCOUNT_EXISTS')
  const id = state.accounts.length as AccountId
  const account: Account = { id, name, role: 'trader', createdAt: state.time }
  state.accounts.push(account)
  emit({ kind: 'AccountCreated', account })
  return { kind: 'AccountOpened', accountId: id }
}

type AccountChange = Of<'SetAccountRestrictions' | 'SetAccountTerms' | 'CloseAccount'>

function changeAccount(state: Administered, command: AccountChange, emit: Emit): Reply {
  const before = state.accounts[command.accountId]
  if (before === undefined) return refused('UNKNOWN_ACCOUNT')
  if (before.role !== 'trader') return refused('INVALID_COMMAND')
  if (before.isClosed) return refused('ACCOUNT_CLOSED')
  const change = changeOf(state, command)
  if (typeof change === 'string') return refused(change)
  const account: Account = stripped({ ...before, ...change })
  state.accounts[account.id] = account
  emit({ kind: 'AccountChanged', account })
  return DONE
}

function changeOf(state: Administered, command: AccountChange): object | CoreReason {
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
      return state.isEmpty(command.accountId) ? { isClosed: true } : 'ACCOUNT_NOT_EMPTY'
  }
}

function setFeeTier(state: Administered, command: Of<'SetFeeTier'>, emit: Emit): Reply {
  const { name, makerShare, takerShare } = command
  if (!NAME.test(name) || makerShare > RATE_ONE || takerShare > RATE_ONE) return refused('INVALID_COMMAND')
  const feeTier = { name, makerShare, takerShare }
  put(state.feeTiers, (tier) => tier.name === name, feeTier)
  emit({ kind: 'FeeTierChanged', feeTier })
  return DONE
}

function addToken(state: Administered, { name, role, digest }: Of<'AddAdminToken'>, emit: Emit): Reply {
  if (!NAME.test(name) || digest.length !== DIGEST_BYTES) return refused('INVALID_COMMAND')
  if (state.tokens.some((token) => token.name === name)) return refused('TOKEN_EXISTS')
  const token = { name, role, digest, createdAt: state.time, isRevoked: false }
  state.tokens.push(token)
  emit({ kind: 'AdminTokenChanged', token })
  return DONE
}

function revokeToken(state: Administered, { name }: Of<'RevokeAdminToken'>, emit: Emit): Reply {
  const before = state.tokens.find((token) => token.name === name)
  if (before === undefined) return refused('UNKNOWN_TOKEN')
  const token = { ...before, isRevoked: true }
  put(state.tokens, (one) => one.name === name, token)
  emit({ kind: 'AdminTokenChanged', token })
  return DONE
}

function banAddress(state: Administered, { address, until }: Of<'BanAddress'>, emit: Emit): Reply {
  const isAddress = address.length >= 1 && address.length <= ADDRESS_LONGEST
  if (!isAddress || until <= state.time) return refused('INVALID_COMMAND')
  const ban = { address, until }
  put(state.bans, (one) => one.address === address, ban)
  emit({ kind: 'AddressBanned', ban })
  return DONE
}

function liftBan({ bans }: Administered, { address }: Of<'LiftBan'>, emit: Emit): Reply {
  const index = bans.findIndex((ban) => ban.address === address)
  if (index >= 0) bans.splice(index, 1)
  emit({ kind: 'BanLifted', address })
  return DONE
}
