/** Carries out an operator's command about accounts, fee tiers, named tokens and banned addresses. */
import { DONE, type Reply, refused } from '../../src/core/exchange/reply.ts'
import type { Account } from '../../src/core/registry/records.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { ACCOUNT_RESTRICTIONS } from '../../src/units/operator-words.ts'
import { RATE_ONE } from '../../src/units/quantities.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import { type Administered, type Emit, isText, type Of, put, stripped } from './administered.ts'

const NAME = /^[A-Za-z0-9._@-]{1,64}$/
const DIGEST_BYTES = 32
const ADDRESS_LONGEST = 64

/** A colon is for the house's own names. */
export function createAccount(state: Administered, { name }: Of<'CreateAccount'>, emit: Emit): Reply {
  if (!isText(name, 1) || name.includes(':')) return refused('INVALID_COMMAND')
  if (state.accounts.some((account) => account.name === name)) return refused('ACCOUNT_EXISTS')
  const id = state.accounts.length as AccountId
  const account: Account = { id, name, role: 'trader', createdAt: state.time }
  state.accounts.push(account)
  emit({ kind: 'AccountCreated', account })
  return { kind: 'AccountOpened', accountId: id }
}

type AccountChange = Of<'SetAccountRestrictions' | 'SetAccountTerms' | 'CloseAccount'>

export function changeAccount(state: Administered, command: AccountChange, emit: Emit): Reply {
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

export function setFeeTier(state: Administered, command: Of<'SetFeeTier'>, emit: Emit): Reply {
  const { name, makerShare, takerShare } = command
  if (!NAME.test(name) || makerShare > RATE_ONE || takerShare > RATE_ONE) return refused('INVALID_COMMAND')
  const feeTier = { name, makerShare, takerShare }
  put(state.feeTiers, (tier) => tier.name === name, feeTier)
  emit({ kind: 'FeeTierChanged', feeTier })
  return DONE
}

export function addToken(
  state: Administered,
  { name, role, digest }: Of<'AddAdminToken'>,
  emit: Emit,
): Reply {
  if (!NAME.test(name) || digest.length !== DIGEST_BYTES) return refused('INVALID_COMMAND')
  if (state.tokens.some((token) => token.name === name)) return refused('TOKEN_EXISTS')
  const token = { name, role, digest, createdAt: state.time, isRevoked: false }
  state.tokens.push(token)
  emit({ kind: 'AdminTokenChanged', token })
  return DONE
}

export function revokeToken(state: Administered, { name }: Of<'RevokeAdminToken'>, emit: Emit): Reply {
  const before = state.tokens.find((token) => token.name === name)
  if (before === undefined) return refused('UNKNOWN_TOKEN')
  const token = { ...before, isRevoked: true }
  put(state.tokens, (one) => one.name === name, token)
  emit({ kind: 'AdminTokenChanged', token })
  return DONE
}

export function banAddress(state: Administered, { address, until }: Of<'BanAddress'>, emit: Emit): Reply {
  const isAddress = address.length >= 1 && address.length <= ADDRESS_LONGEST
  if (!isAddress || until <= state.time) return refused('INVALID_COMMAND')
  const ban = { address, until }
  put(state.bans, (one) => one.address === address, ban)
  emit({ kind: 'AddressBanned', ban })
  return DONE
}

export function liftBan({ bans }: Administered, { address }: Of<'LiftBan'>, emit: Emit): Reply {
  const index = bans.findIndex((ban) => ban.address === address)
  if (index >= 0) bans.splice(index, 1)
  emit({ kind: 'BanLifted', address })
  return DONE
}
