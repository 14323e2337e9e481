/**
 * Descriptions of the events of operators' commands on accounts, tokens, bans and pending money. They contain
 * no digests of tokens.
 */

import { isoTime } from '../../contract/time.ts'
import type { ExchangeEvent } from '../../core/events/event.ts'
import type { RoleLimit } from '../../core/registry/records.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import type { Amount } from '../../units/quantities.ts'
import { addressEventFields, askedFields } from './asked-withdrawals.ts'
import { type Fields, stepsText, unitsText } from './fields.ts'
import type { Names } from './names.ts'

/** Events that operators' commands cause, and those of traders about withdrawals. */
export type OperatorEvent = Extract<
  ExchangeEvent,
  {
    kind:
      | 'AccountChanged'
      | 'FeeTierChanged'
      | 'AdminTokenChanged'
      | 'AddressBanned'
      | 'BanLifted'
      | 'WithdrawalChanged'
      | 'WithdrawalAddressChanged'
      | 'WithdrawalHandled'
      | 'ApprovalChanged'
      | 'RulesVersionChanged'
      | 'PhasesChanged'
      | 'ApprovalGiven'
      | 'RoleChanged'
      | 'RoleLimitChanged'
      | 'ApprovalsNeededChanged'
  }
>

/** The events of an operator's command. */
export function operatorEventFields(event: OperatorEvent, names: Names): Fields {
  switch (event.kind) {
    case 'AccountChanged': {
      const { name, restrictions, isClosed, feeTier, openOrdersMax } = event.account
      return { account: name, restrictions, closed: isClosed, feeTier, openOrdersMax }
    }
    case 'FeeTierChanged':
      return { tier: event.feeTier.name }
    case 'AdminTokenChanged': {
      const { name, role, isRevoked, expiresAt, addresses } = event.token
      const until = expiresAt === undefined ? undefined : isoTime(expiresAt)
      return { token: name, role, revoked: isRevoked, expiresAt: until, addresses }
    }
    case 'AddressBanned':
      return { address: event.ban.address, until: isoTime(event.ban.until) }
    case 'BanLifted':
      return { address: event.address }
    case 'WithdrawalChanged': {
      const { accountId, assetId, amount, reference, state, asked } = event.withdrawal
      const owned = { ...ownedFields(accountId, assetId, amount, names), reference, state }
      return asked === undefined ? owned : { ...owned, ...askedFields(asked) }
    }
    case 'WithdrawalHandled': {
      const { reference, claimedBy, approvedBy, rejected } = event.handling
      return { reference, claimedBy, approvedBy, rejected: rejected?.kind, rejectedBy: rejected?.rejectedBy }
    }
    case 'WithdrawalAddressChanged':
      return addressEventFields(event.address, event.isAllowed, names)
    case 'PhasesChanged': {
      const { current, planned } = event.phases
      return { phase: current.phase, since: isoTime(current.at), planned: stepsText(planned) }
    }
    case 'RulesVersionChanged':
      return { rulesVersion: event.version }
    case 'ApprovalGiven': {
      const { reference, approvedBy } = event.approval
      return { reference, by: event.by, approvedBy }
    }
    case 'RoleChanged':
      return { role: event.role.name, rights: event.role.rights }
    case 'RoleLimitChanged':
      return roleLimitFields(event.limit, names)
    case 'ApprovalsNeededChanged': {
      const { asset, needed } = event.approvals
      return { asset: asset || undefined, needed }
    }
    case 'ApprovalChanged': {
      const { kind, actor, accountId, assetId, amount, reference } = event.approval
      return {
        of: kind,
        ...ownedFields(accountId, assetId, amount, names),
        reference,
        requestedBy: actor,
        state: event.state,
      }
    }
  }
}

function roleLimitFields({ role, assetId, in: incoming, out }: RoleLimit, names: Names): Fields {
  const asset = names.asset(assetId)
  const text = (units: Amount) => unitsText(units, asset?.fraction)
  return {
    role,
    asset: asset?.code ?? `asset ${assetId}`,
    inEach: text(incoming.each),
    inDay: text(incoming.day),
    movedIn: text(incoming.moved),
    outEach: text(out.each),
    outDay: text(out.day),
    movedOut: text(out.moved),
  }
}

function ownedFields(accountId: AccountId, assetId: AssetId, amount: Amount, names: Names): Fields {
  const asset = names.asset(assetId)
  return {
    account: names.account(accountId),
    asset: asset?.code ?? `asset ${assetId}`,
    amount: unitsText(amount, asset?.fraction),
  }
}
