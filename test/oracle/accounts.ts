/** Applies an operator's command about accounts, fee tiers, named tokens and banned addresses. */
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { Account } from '../../src/core/registry/records.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { ACCOUNT_RESTRICTIONS, type AccountRestriction } from '../../src/units/operator-enums.ts'
import { RATE_ONE } from '../../src/units/quantities.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import { type Administered, type Emit, isText, type Of, put, stripped } from './administered.ts'

const NAME = /^[A-Za-z0-9._@-]{1,64}$/
const DIGEST_BYTES = 32
const ADDRESS_LONGEST = 64

/** A colon is reserved for the house's own names. */
export function createAccount(
  state: Administered,
  { kind, name }: Of<'CreateAccount' | 'OpenCustomer'>,
  emit: Emit,
): Reply {
  const isCustomer = kind === 'OpenCustomer'
  if (isCustomer && state.rulesVersion < CUSTOMER_RULES) return refused('RULES_VERSION_TOO_LOW')
  if (!isText(name, 1) || name.includes(':')) return refused('INVALID_COMMAND')
  if (state.accounts.some((account) => account.name === name)) return refused('ACCOUNT_EXISTS')
  const id = state.accounts.length as AccountId
  const opened = { id, name, role: 'trader', createdAt: state.time } as const
  const account: Account = isCustomer ? { ...opened, customer: { epoch: 0, isForgotten: false } } : opened
  state.accounts.push(account)
  emit({ kind: 'AccountCreated', account })
  return { kind: 'AccountOpened', accountId: id }
}

/** From these rules on, customers register themselves. */
const CUSTOMER_RULES = 18

export function changeCustomer(
  state: Administered,
  { kind, accountId }: Of<'RaiseCustomerEpoch' | 'ForgetCustomer'>,
  emit: Emit,
): Reply {
  if (state.rulesVersion < CUSTOMER_RULES) return refused('RULES_VERSION_TOO_LOW')
  const before = state.accounts[accountId]
  if (before?.customer === undefined || before.customer.isForgotten) return refused('UNKNOWN_ACCOUNT')
  const isForgotten = kind === 'ForgetCustomer'
  const epoch = before.customer.epoch + (isForgotten ? 0 : 1)
  const account: Account = { ...before, customer: { epoch, isForgotten } }
  state.accounts[accountId] = account
  emit({ kind: 'AccountChanged', account })
  return DONE
}

type AccountChange = Of<'SetAccountRestrictions' | 'ChangeRestrictions' | 'SetAccountTerms' | 'CloseAccount'>

export function changeAccount(state: Administered, command: AccountChange, emit: Emit): Reply {
  if (command.kind === 'ChangeRestrictions' && state.rulesVersion < SOURCE_RULES)
    return refused('RULES_VERSION_TOO_LOW')
  const before = state.accounts[command.accountId]
  if (before === undefined) return refused('UNKNOWN_ACCOUNT')
  const isOfCustomer = command.kind === 'ChangeRestrictions' && command.source === 'CUSTOMER'
  if (isOfCustomer && before.customer === undefined && state.rulesVersion >= CUSTOMER_RULES)
    return refused('UNKNOWN_ACCOUNT')
  if (before.role !== 'trader') return refused('INVALID_COMMAND')
  if (before.isClosed) return refused('ACCOUNT_CLOSED')
  const change = changeOf(state, command, before)
  if (typeof change === 'string') return refused(change)
  const account: Account = stripped({ ...before, ...change })
  state.accounts[account.id] = account
  emit({ kind: 'AccountChanged', account })
  return DONE
}

/** From these rules on, the setter of a restriction is recorded. */
const SOURCE_RULES = 15

type Words = readonly AccountRestriction[]

/** The union is in force; the setter of each restriction is recorded only while the customer has set one. */
function restricted(operators: Words, customers: Words): object {
  const inOrder = (words: Words): Words => ACCOUNT_RESTRICTIONS.filter((word) => words.includes(word))
  const [ofOperator, ofCustomer] = [inOrder(operators), inOrder(customers)]
  const all = inOrder([...operators, ...customers])
  return {
    restrictions: all.length > 0 ? all : undefined,
    restrictionsBySource: ofCustomer.length > 0 ? { OPERATOR: ofOperator, CUSTOMER: ofCustomer } : undefined,
  }
}

function changeOf(state: Administered, command: AccountChange, before: Account): object | CoreReason {
  const customers = before.restrictionsBySource?.CUSTOMER ?? []
  switch (command.kind) {
    case 'SetAccountRestrictions':
      return restricted(command.restrictions, customers)
    case 'ChangeRestrictions': {
      const { source, added, removed } = command
      if (added.some((word) => removed.includes(word))) return 'INVALID_COMMAND'
      const operators = before.restrictionsBySource?.OPERATOR ?? before.restrictions ?? []
      const changed = (words: Words): Words => [...words.filter((word) => !removed.includes(word)), ...added]
      return source === 'OPERATOR'
        ? restricted(changed(operators), customers)
        : restricted(operators, changed(customers))
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
