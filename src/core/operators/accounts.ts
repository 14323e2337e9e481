/**
 * Commands of operators on accounts and fee tiers. The registry decides most of them; this module adds the
 * rules about money, orders or tiers.
 */
import type { CoreReason } from '../../units/reasons.ts'
import type { AccountCommand } from '../commands/accounts.ts'
import type { CommandOf } from '../commands/command.ts'
import type { EventSink } from '../events/event.ts'
import { CUSTOMER_RULES } from '../exchange/rules.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'
import { isValidFeeTier } from '../registry/amendments.ts'
import type { Account } from '../registry/records.ts'
import { isReason, type Operations } from './operations.ts'

export const ACCOUNT_OPERATIONS: Operations<AccountCommand['kind']> = {
  CreateAccount: ({ registry, ledger, time }, { name }, emit) =>
    accountOpened(registry.addAccount(name, time), ledger, emit),
  OpenCustomer: ({ registry, ledger, time }, { name }, emit) =>
    accountOpened(registry.addCustomer(name, time), ledger, emit),
  RaiseCustomerEpoch: ({ registry }, { accountId }, emit) =>
    accountChanged(registry.raiseCustomerEpoch(accountId), emit),
  ForgetCustomer: ({ registry }, { accountId }, emit) =>
    accountChanged(registry.forgetCustomer(accountId), emit),
  SetAccountRestrictions: ({ registry }, { accountId, restrictions }, emit) =>
    accountChanged(registry.restrictAccount(accountId, restrictions), emit),
  ChangeRestrictions: changeRestrictions,
  SetAccountTerms: setAccountTerms,
  SetAccountProfile: ({ registry }, { accountId, ...profile }, emit) =>
    accountChanged(registry.profileAccount(accountId, profile), emit),
  SetSpecialTerms: ({ registry, time }, { accountId, ...terms }, emit) =>
    accountChanged(registry.setSpecialTerms(accountId, terms, time), emit),
  CloseAccount: closeAccount,
  SetFeeTier: setFeeTier,
}

function accountOpened(
  account: Account | CoreReason,
  ledger: ExchangeState['ledger'],
  emit: EventSink,
): Reply {
  if (isReason(account)) return refused(account)
  ledger.addAccount()
  emit({ kind: 'AccountCreated', account })
  return { kind: 'AccountOpened', accountId: account.id }
}

/** The customers process may change only accounts that it has opened. */
function changeRestrictions(
  { registry, rulesVersion }: ExchangeState,
  { accountId, source, added, removed }: CommandOf<'ChangeRestrictions'>,
  emit: EventSink,
): Reply {
  const isForeign = source === 'CUSTOMER' && registry.account(accountId)?.customer === undefined
  if (isForeign && rulesVersion >= CUSTOMER_RULES) return refused('UNKNOWN_ACCOUNT')
  return accountChanged(registry.changeRestrictions(accountId, source, added, removed), emit)
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

/** Takes time proportional to the number of listed assets. */
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
