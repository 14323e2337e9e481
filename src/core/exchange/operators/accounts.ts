/**
 * What the operator's commands on accounts and fee tiers do. The registry decides most; here stands what needs money,
 * orders or the tiers as well.
 */
import type { CoreReason } from '../../../units/reasons.ts'
import { isValidFeeTier } from '../../registry/amendments.ts'
import type { Account } from '../../registry/records.ts'
import type { CommandOf } from '../command.ts'
import type { AccountCommand } from '../commands/accounts.ts'
import type { EventSink } from '../event.ts'
import { DONE, type Reply, refused } from '../reply.ts'
import type { ExchangeState } from '../state.ts'
import { isReason, type Operations } from './operations.ts'

export const ACCOUNT_OPERATIONS: Operations<AccountCommand['kind']> = {
  CreateAccount: createAccount,
  SetAccountRestrictions: ({ registry }, { accountId, restrictions }, emit) =>
    accountChanged(registry.restrictAccount(accountId, restrictions), emit),
  SetAccountTerms: setAccountTerms,
  SetAccountProfile: ({ registry }, { accountId, ...profile }, emit) =>
    accountChanged(registry.profileAccount(accountId, profile), emit),
  SetSpecialTerms: ({ registry, time }, { accountId, ...terms }, emit) =>
    accountChanged(registry.setSpecialTerms(accountId, terms, time), emit),
  CloseAccount: closeAccount,
  SetFeeTier: setFeeTier,
}

function createAccount(state: ExchangeState, command: CommandOf<'CreateAccount'>, emit: EventSink): Reply {
  const account = state.registry.addAccount(command.name, state.time)
  if (isReason(account)) return refused(account)
  state.ledger.addAccount()
  emit({ kind: 'AccountCreated', account })
  return { kind: 'AccountOpened', accountId: account.id }
}

function setAccountTerms(
  state: ExchangeState,
  command: CommandOf<'SetAccountTerms'>,
  emit: EventSink,
): Reply {
  const { feeTier } = command
  const account = state.registry.openTrader(command.accountId)
  if (isReason(account)) return refused(account)
  if (feeTier !== '' && state.backOffice.feeTiers.get(feeTier) === undefined)
    return refused('UNKNOWN_FEE_TIER')
  return accountChanged(state.registry.amendAccount(command.accountId, command), emit)
}

/** Takes time in proportion to the listed assets. */
function closeAccount(
  state: ExchangeState,
  { accountId }: CommandOf<'CloseAccount'>,
  emit: EventSink,
): Reply {
  const account = state.registry.openTrader(accountId)
  if (isReason(account)) return refused(account)
  const holdsMoney = state.registry
    .assets()
    .some(({ id }) =>
      (['free', 'locked', 'freeze', 'savings'] as const).some(
        (bucket) => state.ledger.balance(accountId, id, bucket) !== 0,
      ),
    )
  if (holdsMoney || state.orders.count(accountId, undefined) > 0) return refused('ACCOUNT_NOT_EMPTY')
  return accountChanged(state.registry.closeAccount(accountId), emit)
}

function setFeeTier(state: ExchangeState, command: CommandOf<'SetFeeTier'>, emit: EventSink): Reply {
  const { name, makerShare, takerShare } = command
  const feeTier = { name, makerShare, takerShare }
  const { feeTiers } = state.backOffice
  if (!isValidFeeTier(feeTier)) return refused('INVALID_COMMAND')
  if (feeTiers.get(name) === undefined && feeTiers.isFull) return refused('LIMIT_REACHED')
  feeTiers.put(feeTier)
  emit({ kind: 'FeeTierChanged', feeTier })
  return DONE
}

function accountChanged(account: Account | CoreReason, emit: EventSink): Reply {
  if (isReason(account)) return refused(account)
  emit({ kind: 'AccountChanged', account })
  return DONE
}
