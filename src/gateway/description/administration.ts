/**
 * Operators' commands on what is there already, and what they caused, in words. Sealed secrets and digests of tokens
 * have no words.
 */

import type { ExchangeEvent } from '../../core/exchange/event.ts'
import type { Administration } from '../../core/exchange/operators/administration.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import type { Amount } from '../../units/quantities.ts'
import { isoTime } from '../../wire/time.ts'
import { type Fields, rateText, unitsText } from './fields.ts'
import type { Names } from './names.ts'

/** Events that only such commands cause. */
export type AdministrationEvent = Extract<
  ExchangeEvent,
  {
    kind:
      | 'AccountChanged'
      | 'FeeTierChanged'
      | 'AdminTokenChanged'
      | 'AddressBanned'
      | 'BanLifted'
      | 'WithdrawalChanged'
      | 'ApprovalChanged'
  }
>

/** What a command asks for, without who and why. */
export function administrationFields(command: Administration, names: Names): Fields {
  switch (command.kind) {
    case 'SetAccountRestrictions':
      return { account: names.account(command.accountId), restrictions: command.restrictions }
    case 'CloseAccount':
      return { account: names.account(command.accountId) }
    case 'SetAccountTerms': {
      const { accountId, feeTier, openOrdersMax } = command
      return { account: names.account(accountId), feeTier, openOrdersMax }
    }
    case 'CancelOrders': {
      const { accountId, symbol } = command
      return { account: accountId === undefined ? undefined : names.account(accountId), symbol }
    }
    case 'SetAssetTerms':
      return assetTermsFields(command, names)
    case 'SetSymbolTerms':
      return symbolTermsFields(command, names)
    case 'SetFeeTier':
      return {
        tier: command.name,
        makerShare: rateText(command.makerShare),
        takerShare: rateText(command.takerShare),
      }
    case 'HoldWithdrawal':
    case 'MoveSavings':
    case 'PayOutCommission':
      return moneyFields(command, names)
    case 'CompleteWithdrawal':
    case 'CancelWithdrawal':
    case 'Approve':
    case 'Reject':
      return { reference: command.reference }
    case 'SetApiKeyTerms': {
      const { apiKey, permissions, addresses, label, expiresAt } = command
      return {
        apiKey,
        permissions,
        addresses,
        label,
        expiresAt: expiresAt === 0 ? undefined : isoTime(expiresAt),
      }
    }
    case 'RotateApiKey': {
      const { apiKey, previousUntil } = command
      return { apiKey, previousUntil: previousUntil === 0 ? undefined : isoTime(previousUntil) }
    }
    case 'RevokeApiKey':
    case 'ResealSecret':
      return { apiKey: command.apiKey }
    case 'AddAdminToken':
      return { token: command.name, role: command.role }
    case 'RevokeAdminToken':
      return { token: command.name }
    case 'BanAddress':
      return { address: command.address, until: isoTime(command.until) }
    case 'LiftBan':
      return { address: command.address }
  }
}

/** What such an order caused. */
export function administrationEventFields(event: AdministrationEvent, names: Names): Fields {
  switch (event.kind) {
    case 'AccountChanged': {
      const { name, restrictions, isClosed, feeTier, openOrdersMax } = event.account
      return { account: name, restrictions, closed: isClosed, feeTier, openOrdersMax }
    }
    case 'FeeTierChanged':
      return { tier: event.feeTier.name }
    case 'AdminTokenChanged': {
      const { name, role, isRevoked } = event.token
      return { token: name, role, revoked: isRevoked }
    }
    case 'AddressBanned':
      return { address: event.ban.address, until: isoTime(event.ban.until) }
    case 'BanLifted':
      return { address: event.address }
    case 'WithdrawalChanged': {
      const { accountId, assetId, amount, reference, state } = event.withdrawal
      return { ...ownedFields(accountId, assetId, amount, names), reference, state }
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

function assetTermsFields(command: Extract<Administration, { kind: 'SetAssetTerms' }>, names: Names): Fields {
  const places = names.assetByCode(command.code)?.fraction
  return {
    asset: command.code,
    name: command.name,
    supplyCap: unitsText(command.supplyCap, places),
    creditMax: unitsText(command.creditMax, places),
    approvalAbove: unitsText(command.approvalAbove, places),
  }
}

function symbolTermsFields(
  command: Extract<Administration, { kind: 'SetSymbolTerms' }>,
  names: Names,
): Fields {
  const symbol = names.symbolByName(command.symbol)
  const hasBand = command.maxPrice > 0
  return {
    symbol: command.symbol,
    minTotal: unitsText(command.minTotal, symbol?.quotePrecision),
    minQuantity: unitsText(command.minQuantity, symbol?.baseFraction),
    selfTradeMode: command.selfTradeMode,
    openOrdersMax: command.openOrdersMax,
    levelsMax: command.levelsMax,
    minPrice: hasBand ? unitsText(command.minPrice, symbol?.quoteFraction) : undefined,
    maxPrice: hasBand ? unitsText(command.maxPrice, symbol?.quoteFraction) : undefined,
  }
}

function moneyFields(
  command: Extract<Administration, { kind: 'HoldWithdrawal' | 'MoveSavings' | 'PayOutCommission' }>,
  names: Names,
): Fields {
  const { asset, amount, reference } = command
  return {
    account: command.kind === 'PayOutCommission' ? undefined : names.account(command.accountId),
    asset,
    amount: unitsText(amount, names.assetByCode(asset)?.fraction),
    into: command.kind === 'MoveSavings' ? (command.isDeposit ? 'savings' : 'free') : undefined,
    reference,
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
