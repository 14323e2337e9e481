/** From what an operator's command caused to the facts of the numbered feed. Orders and trades cost nothing here. */
import type { OperatorCommand } from '../core/exchange/command.ts'
import type {
  AccountChanged,
  AccountCreated,
  ApiKeyChanged,
  ApprovalChanged,
  AssetChanged,
  ExternalTransfer,
  FeeTierChanged,
  SymbolChanged,
  WithdrawalChanged,
} from '../core/exchange/event.ts'
import { negated } from '../core/ledger/money.ts'
import type { Account, ApiKey, Asset, FeeTier, TradingSymbol } from '../core/registry/records.ts'
import { plainDecimal } from '../units/decimal.ts'
import { type AccountId, type AssetId, FEES_ACCOUNT } from '../units/ids.ts'
import { invariant } from '../units/invariant.ts'
import type { ApprovalState } from '../units/operator-words.ts'
import { type Amount, decimals, RATE_DECIMALS, type Rate } from '../units/quantities.ts'
import {
  APPROVAL_PLACE,
  type EventFields,
  eventNumber,
  MAIN_PLACE,
  type NumberedEvent,
} from './numbered-events.ts'
import type { OperatorAction } from './ports.ts'
import type { StateMachine } from './state-machine.ts'

/** Events of operators' commands that the feed tells. */
export type ToldEvent =
  | AccountCreated
  | AccountChanged
  | ApiKeyChanged
  | AssetChanged
  | SymbolChanged
  | FeeTierChanged
  | ExternalTransfer
  | WithdrawalChanged
  | ApprovalChanged

/** What the projection asks the machine right after the command. */
export type EventMachine = Pick<StateMachine, 'assets' | 'tradeCount'>

type Fact = Pick<NumberedEvent, 'kind' | 'accountId' | 'fields'>

/** What `action` was found to have caused, in the order of numbers. */
export function eventsOf(
  { seq, time, command }: Pick<OperatorAction, 'seq' | 'time' | 'command'>,
  told: readonly ToldEvent[],
  machine: EventMachine,
): NumberedEvent[] {
  const { actor, note } = command.operator
  const factByPlace = new Map<number, Fact>()
  for (const event of told) {
    const fact = factOf(event, command, told, machine)
    if (fact === undefined) continue
    const place = event.kind === 'ApprovalChanged' ? APPROVAL_PLACE : MAIN_PLACE
    invariant(
      !factByPlace.has(place),
      () => `command ${seq} (${command.kind}) caused ${fact.kind} beside ${factByPlace.get(place)?.kind}`,
    )
    factByPlace.set(place, fact)
  }
  return [...factByPlace]
    .sort(([a], [b]) => a - b)
    .map(([place, fact]) => {
      const number = eventNumber(seq, machine.tradeCount, place)
      return { ...fact, number, seq, time, actor, note }
    })
}

/** Undefined: it is no news to anybody, or another event of the command says it. */
function factOf(
  event: ToldEvent,
  command: OperatorCommand,
  told: readonly ToldEvent[],
  machine: EventMachine,
): Fact | undefined {
  switch (event.kind) {
    case 'ExternalTransfer':
      // The end of the withdrawal says it.
      if (told.some(({ kind }) => kind === 'WithdrawalChanged')) return undefined
      return transferFact(event, machine)
    case 'WithdrawalChanged':
      return withdrawalFact(event, machine)
    case 'ApprovalChanged':
      return approvalFact(event, machine)
    case 'AccountCreated':
      // The house's own come with the symbols that they are for.
      if (event.account.role !== 'trader') return undefined
      return { kind: 'ACCOUNT_OPENED', accountId: event.account.id, fields: accountFields(event.account) }
    case 'AccountChanged':
      return { kind: 'ACCOUNT_CHANGED', accountId: event.account.id, fields: accountFields(event.account) }
    case 'ApiKeyChanged': {
      // The secret is the same as before, under another seal.
      if (command.kind === 'ResealSecret') return undefined
      const kind = command.kind === 'CreateApiKey' ? 'KEY_CREATED' : 'KEY_CHANGED'
      return { kind, accountId: event.apiKey.accountId, fields: keyFields(event.apiKey) }
    }
    case 'AssetChanged': {
      const kind = command.kind === 'ListAsset' ? 'ASSET_LISTED' : 'ASSET_CHANGED'
      return { kind, accountId: undefined, fields: assetFields(event.asset) }
    }
    case 'SymbolChanged':
      return { kind: symbolKind(command), accountId: undefined, fields: symbolFields(event.symbol) }
    case 'FeeTierChanged':
      return { kind: 'FEE_TIER_CHANGED', accountId: undefined, fields: tierFields(event.feeTier) }
  }
}

function symbolKind({ kind }: OperatorCommand): 'SYMBOL_LISTED' | 'SYMBOL_STATE' | 'SYMBOL_CHANGED' {
  if (kind === 'ListSymbol') return 'SYMBOL_LISTED'
  return kind === 'SetSymbolState' ? 'SYMBOL_STATE' : 'SYMBOL_CHANGED'
}

function transferFact(
  { accountId, assetId, amount, reference }: ExternalTransfer,
  machine: EventMachine,
): Fact {
  const isCredit = amount > 0
  const fields = { ...moneyFields(assetId, isCredit ? amount : negated(amount), machine), reference }
  if (accountId === FEES_ACCOUNT) return { kind: 'HOUSE_PAYOUT', accountId: undefined, fields }
  return { kind: isCredit ? 'CREDIT' : 'DEBIT', accountId, fields }
}

const WITHDRAWAL_FACTS = {
  PENDING: 'WITHDRAWAL_ASKED',
  COMPLETED: 'WITHDRAWAL_COMPLETED',
  CANCELED: 'WITHDRAWAL_CANCELED',
} as const

function withdrawalFact({ withdrawal }: WithdrawalChanged, machine: EventMachine): Fact {
  const { accountId, assetId, amount, reference, state } = withdrawal
  return {
    kind: WITHDRAWAL_FACTS[state],
    accountId,
    fields: { ...moneyFields(assetId, amount, machine), reference },
  }
}

/** One whose time is over is forgotten with the next that is asked for: nobody has decided anything. */
const APPROVAL_FACTS: Readonly<Record<ApprovalState, NumberedEvent['kind'] | undefined>> = {
  PENDING: 'APPROVAL_ASKED',
  APPROVED: 'APPROVAL_GIVEN',
  REJECTED: 'APPROVAL_REFUSED',
  EXPIRED: undefined,
}

function approvalFact({ approval, state }: ApprovalChanged, machine: EventMachine): Fact | undefined {
  const kind = APPROVAL_FACTS[state]
  if (kind === undefined) return undefined
  const { assetId, amount, reference, actor, kind: of, accountId } = approval
  const fields = { ...moneyFields(assetId, amount, machine), reference, of, askedBy: actor }
  return { kind, accountId: traderOrHouse(accountId), fields }
}

function traderOrHouse(accountId: AccountId): AccountId | undefined {
  return accountId === FEES_ACCOUNT ? undefined : accountId
}

function moneyFields(assetId: AssetId, sum: Amount, machine: EventMachine) {
  const asset = machine.assets()[assetId]
  invariant(asset !== undefined, () => `asset ${assetId} of money that moved must be listed`)
  return { asset: asset.code, amount: plainDecimal(sum, asset.fraction) }
}

function accountFields({ restrictions, isClosed, feeTier, openOrdersMax }: Account): EventFields {
  return {
    restrictions: restrictions ?? [],
    closed: isClosed === true,
    ...(feeTier === undefined ? {} : { feeTier }),
    ...(openOrdersMax === undefined ? {} : { openOrdersMax }),
  }
}

/** Never a secret, sealed or not. */
function keyFields(key: ApiKey): EventFields {
  const { apiKey, label, permissions, addresses, enabled, isRevoked, expiresAt, strictSignature } = key
  const states = { enabled, revoked: isRevoked === true, strict: strictSignature === true }
  return {
    apiKey,
    label,
    permissions,
    addresses,
    ...states,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
}

function assetFields({ code, name, fraction, ...terms }: Asset): EventFields {
  const { isDeposit, isWithdraw, isTrade, isSaving } = terms
  return { asset: code, name, fraction, isDeposit, isWithdraw, isTrade, isSaving }
}

function symbolFields({ name, state, takerRate, makerRate }: TradingSymbol): EventFields {
  return { symbol: name, state, takerRate: rateText(takerRate), makerRate: rateText(makerRate) }
}

function tierFields({ name, makerShare, takerShare }: FeeTier): EventFields {
  return { tier: name, makerShare: rateText(makerShare), takerShare: rateText(takerShare) }
}

function rateText(rate: Rate): string {
  return plainDecimal(rate, decimals(RATE_DECIMALS))
}
