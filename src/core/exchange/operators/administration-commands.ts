/**
 * The operator's commands about accounts, listings, keys and the admin door itself. The registry decides most; here
 * stands what needs money, orders or the operators' own lists as well.
 */
import { unreachable } from '../../../units/invariant.ts'
import type { CoreReason } from '../../../units/reasons.ts'
import { isValidFeeTier, isValidToken } from '../../registry/amendments.ts'
import type { Account } from '../../registry/records.ts'
import { isValidBan } from '../codec/back-office-codec.ts'
import type { EventSink } from '../event.ts'
import { DONE, type Reply, refused } from '../reply.ts'
import type { ExchangeState } from '../state.ts'
import { cancelOrders } from '../trading/cancel-orders.ts'
import type * as A from './administration.ts'
import { endApproval, reject, waitingApproval } from './approvals.ts'
import { moveSavings, payOutCommission, transfer } from './money.ts'
import { apiKeyChanged, assetChanged, symbolChanged } from './registry.ts'
import { cancelWithdrawal, completeWithdrawal, holdWithdrawal } from './withdrawals.ts'

/** Carries out one of these commands. */
export function administer(state: ExchangeState, command: A.Administration, emit: EventSink): Reply {
  const { registry } = state
  switch (command.kind) {
    case 'SetAccountRestrictions':
      return accountChanged(registry.restrictAccount(command.accountId, command.restrictions), emit)
    case 'CloseAccount':
      return closeAccount(state, command, emit)
    case 'SetAccountTerms':
      return setAccountTerms(state, command, emit)
    case 'CancelOrders':
      return cancelOrders(state, command, emit)
    case 'SetAssetTerms':
      return assetChanged(registry.amendAsset(command.code, command), emit)
    case 'SetSymbolTerms':
      return symbolChanged(state, registry.amendSymbol(command.symbol, command), emit)
    case 'SetFeeTier':
      return setFeeTier(state, command, emit)
    case 'HoldWithdrawal':
      return holdWithdrawal(state, command, emit)
    case 'CompleteWithdrawal':
      return completeWithdrawal(state, command, emit)
    case 'CancelWithdrawal':
      return cancelWithdrawal(state, command, emit)
    case 'MoveSavings':
      return moveSavings(state, command)
    case 'PayOutCommission':
      return payOutCommission(state, command, emit)
    case 'SetApiKeyTerms':
      return apiKeyChanged(registry.amendApiKey(command.apiKey, command), emit)
    case 'RotateApiKey': {
      const { apiKey, sealedSecret, previousUntil } = command
      return apiKeyChanged(registry.rotateApiKey(apiKey, sealedSecret, previousUntil), emit)
    }
    case 'RevokeApiKey':
      return apiKeyChanged(registry.revokeApiKey(command.apiKey), emit)
    case 'ResealSecret':
      return resealSecret(state, command, emit)
    case 'AddAdminToken':
      return addAdminToken(state, command, emit)
    case 'RevokeAdminToken':
      return revokeAdminToken(state, command, emit)
    case 'Approve':
      return approve(state, command, emit)
    case 'Reject':
      return reject(state, command, emit)
    case 'BanAddress':
      return banAddress(state, command, emit)
    case 'LiftBan':
      return liftBan(state, command, emit)
    default:
      return unreachable(command)
  }
}

function accountChanged(account: Account | CoreReason, emit: EventSink): Reply {
  if (typeof account === 'string') return refused(account)
  emit({ kind: 'AccountChanged', account })
  return DONE
}

/** Takes time in proportion to the listed assets. */
function closeAccount(state: ExchangeState, { accountId }: A.CloseAccount, emit: EventSink): Reply {
  const account = state.registry.openTrader(accountId)
  if (typeof account === 'string') return refused(account)
  const holdsMoney = state.registry
    .assets()
    .some(({ id }) =>
      (['free', 'locked', 'freeze', 'savings'] as const).some(
        (bucket) => state.ledger.balance(accountId, id, bucket) !== 0n,
      ),
    )
  if (holdsMoney || state.orders.count(accountId, undefined) > 0) return refused('ACCOUNT_NOT_EMPTY')
  return accountChanged(state.registry.closeAccount(accountId), emit)
}

function setAccountTerms(state: ExchangeState, command: A.SetAccountTerms, emit: EventSink): Reply {
  const { feeTier } = command
  const account = state.registry.openTrader(command.accountId)
  if (typeof account === 'string') return refused(account)
  if (feeTier !== '' && state.backOffice.feeTiers.get(feeTier) === undefined)
    return refused('UNKNOWN_FEE_TIER')
  return accountChanged(state.registry.amendAccount(command.accountId, command), emit)
}

function setFeeTier(state: ExchangeState, command: A.SetFeeTier, emit: EventSink): Reply {
  const { name, makerShare, takerShare } = command
  const feeTier = { name, makerShare, takerShare }
  const { feeTiers } = state.backOffice
  if (!isValidFeeTier(feeTier)) return refused('INVALID_COMMAND')
  if (feeTiers.get(name) === undefined && feeTiers.isFull) return refused('LIMIT_REACHED')
  feeTiers.put(feeTier)
  emit({ kind: 'FeeTierChanged', feeTier })
  return DONE
}

function resealSecret(state: ExchangeState, command: A.ResealSecret, emit: EventSink): Reply {
  const resealed = state.registry.resealSecret(command.apiKey, command.from, command.to)
  return resealed === undefined ? DONE : apiKeyChanged(resealed, emit)
}

function addAdminToken(state: ExchangeState, command: A.AddAdminToken, emit: EventSink): Reply {
  const { tokens } = state.backOffice
  if (!isValidToken(command)) return refused('INVALID_COMMAND')
  if (tokens.get(command.name) !== undefined) return refused('TOKEN_EXISTS')
  if (tokens.isFull) return refused('LIMIT_REACHED')
  const { name, role, digest } = command
  // A copy: the bytes given may be a view of a whole batch of commands.
  const token = { name, role, digest: digest.slice(), createdAt: state.time, isRevoked: false }
  tokens.put(token)
  emit({ kind: 'AdminTokenChanged', token })
  return DONE
}

function revokeAdminToken(state: ExchangeState, command: A.RevokeAdminToken, emit: EventSink): Reply {
  const known = state.backOffice.tokens.get(command.name)
  if (known === undefined) return refused('UNKNOWN_TOKEN')
  const token = { ...known, isRevoked: true }
  state.backOffice.tokens.put(token)
  emit({ kind: 'AdminTokenChanged', token })
  return DONE
}

/** Does what waits; when it is refused now, it waits on. */
function approve(state: ExchangeState, command: A.Approve, emit: EventSink): Reply {
  const approval = waitingApproval(state, command.reference)
  if (approval === undefined) return refused('UNKNOWN_APPROVAL')
  if (approval.actor === command.operator.actor) return refused('SELF_APPROVAL')
  const { kind, reference, accountId, amount, actor, note } = approval
  const operator = { actor, note }
  const asset = state.registry.asset(approval.assetId)?.code ?? ''
  const done =
    kind === 'CompleteWithdrawal'
      ? completeWithdrawal(state, { kind, operator, reference }, emit, true)
      : kind === 'PayOutCommission'
        ? payOutCommission(state, { kind, operator, asset, amount, reference }, emit, true)
        : transfer(state, { kind, operator, accountId, asset, amount, reference }, emit, true)
  if (done.kind === 'Refused') return done
  endApproval(state, approval, 'APPROVED', emit)
  return done
}

function banAddress(state: ExchangeState, { address, until }: A.BanAddress, emit: EventSink): Reply {
  const ban = { address, until }
  const { bans } = state.backOffice
  if (!isValidBan(ban) || until <= state.time) return refused('INVALID_COMMAND')
  if (bans.get(address) === undefined && bans.isFull) {
    const expired = [...bans.values()].filter((one) => one.until <= state.time)
    if (expired.length === 0) return refused('LIMIT_REACHED')
    for (const one of expired) {
      bans.delete(one.address)
      emit({ kind: 'BanLifted', address: one.address })
    }
  }
  bans.put(ban)
  emit({ kind: 'AddressBanned', ban })
  return DONE
}

function liftBan(state: ExchangeState, { address }: A.LiftBan, emit: EventSink): Reply {
  state.backOffice.bans.delete(address)
  emit({ kind: 'BanLifted', address })
  return DONE
}
