/**
 * Derives the facts of the numbered feed from the events of operators' commands, planned phases, and expired
 * approvals. Orders and trades cause no work here.
 */
import { type Command, isWithdrawing } from '../../core/commands/command.ts'
import type { MoveBetweenBuckets, MoveSavings } from '../../core/commands/money.ts'
import type {
  AccountChanged,
  AccountCreated,
  ApiKeyChanged,
  ApprovalChanged,
  ApprovalGiven,
  AssetChanged,
  BalanceMoved,
  ExternalTransfer,
  FeeTierChanged,
  PhasesChanged,
  SymbolChanged,
  WithdrawalAddressChanged,
  WithdrawalChanged,
} from '../../core/events/event.ts'
import type { AskedTerms } from '../../core/ledger/asked-terms.ts'
import { negated } from '../../core/ledger/money.ts'
import type { Approval } from '../../core/questions/view.ts'
import type {
  Account,
  AccountProfile,
  ApiKey,
  Asset,
  FeeTier,
  SpecialTerms,
  TradingSymbol,
} from '../../core/registry/records.ts'
import { plainDecimal } from '../../units/decimal.ts'
import { type AccountId, type AssetId, FEES_ACCOUNT } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { ApprovalState } from '../../units/operator-enums.ts'
import {
  type Amount,
  decimals,
  RATE_DECIMALS,
  type Rate,
  type Seq,
  type TimeMs,
} from '../../units/quantities.ts'
import type { StateMachine } from '../port/state-machine.ts'
import {
  APPROVAL_PLACE,
  type EventFields,
  eventNumber,
  LAPSE_PLACE,
  LAST_PLACE,
  MAIN_PLACE,
  type NumberedEvent,
} from './numbered-events.ts'

/**
 * Events that the feed reports: those of operators' commands, of traders' commands about withdrawals, and of
 * planned phases.
 */
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
  | ApprovalGiven
  | BalanceMoved
  | PhasesChanged
  | WithdrawalAddressChanged

/** Queries of the projection to the machine right after the command. */
export type EventMachine = Pick<StateMachine, 'assets' | 'tradeCount'>

type Fact = Pick<NumberedEvent, 'kind' | 'accountId' | 'fields'>

/** The position of an event in the journal. */
type Position = { readonly seq: Seq; readonly time: TimeMs }

/** The facts caused by `command`, in the order of numbers. */
export function eventsOf(
  { seq, time }: Position,
  command: Command,
  told: readonly ToldEvent[],
  machine: EventMachine,
): NumberedEvent[] {
  const factByPlace = new Map<number, Fact>()
  for (const event of told) {
    const fact = factOf(event, command, told, machine)
    if (fact === undefined) continue
    const isOfApproval = event.kind === 'ApprovalChanged' || event.kind === 'ApprovalGiven'
    const place = isOfApproval ? APPROVAL_PLACE : MAIN_PLACE
    invariant(
      !factByPlace.has(place),
      () =>
        `command ${seq} (${command.kind}) caused ${fact.kind} in the place of ${factByPlace.get(place)?.kind}`,
    )
    factByPlace.set(place, fact)
  }
  return [...factByPlace]
    .sort(([a], [b]) => a - b)
    .map(([place, fact]) => {
      const number = eventNumber(seq, machine.tradeCount, place)
      return { ...fact, number, seq, time, ...whoOf(command, told) }
    })
}

/**
 * The requests that expired by `time`, which is the time of command `seq`: one event for each; the last event
 * is for all that exceed the available numbers.
 */
export function lapsesOf(
  { seq, time }: Position,
  lapsed: readonly Approval[],
  machine: EventMachine,
): NumberedEvent[] {
  const kind = 'APPROVAL_LAPSED'
  const places = LAST_PLACE - LAPSE_PLACE + 1
  const alone = lapsed.length > places ? places - 1 : lapsed.length
  const facts = lapsed.slice(0, alone).map((approval): Fact => {
    return { kind, accountId: traderOrHouse(approval.accountId), fields: approvalFields(approval, machine) }
  })
  const references = lapsed.slice(alone).map(({ reference }) => reference)
  if (references.length > 0) facts.push({ kind, accountId: undefined, fields: { references } })
  return facts.map((fact, i) => {
    const number = eventNumber(seq, machine.tradeCount, LAPSE_PLACE + i)
    return { ...fact, number, seq, time, actor: '', note: '' }
  })
}

/** A planned phase is attributed to its planner; a trader's order only to the account. */
function whoOf(command: Command, told: readonly ToldEvent[]): Pick<NumberedEvent, 'actor' | 'note'> {
  if ('operator' in command) return command.operator
  if (isWithdrawing(command)) return { actor: '', note: '' }
  const phases = told.find((event) => event.kind === 'PhasesChanged')?.phases
  invariant(phases !== undefined, () => `${command.kind} has no actor, and announces no phase`)
  const { actor, note } = phases.current
  return { actor, note }
}

/** Undefined if it is not a fact of the feed, or another event of the command reports it. */
function factOf(
  event: ToldEvent,
  command: Command,
  told: readonly ToldEvent[],
  machine: EventMachine,
): Fact | undefined {
  switch (event.kind) {
    case 'ExternalTransfer':
      // The event for the end of the withdrawal reports it.
      if (told.some(({ kind }) => kind === 'WithdrawalChanged')) return undefined
      return transferFact(event, machine)
    case 'WithdrawalChanged':
      return withdrawalFact(event, machine)
    case 'ApprovalGiven': {
      const { approval, by } = event
      const given = { by, approvedBy: approval.approvedBy ?? [] }
      const fields = { ...approvalFields(approval, machine), ...given }
      return { kind: 'APPROVAL_ADDED', accountId: traderOrHouse(approval.accountId), fields }
    }
    case 'ApprovalChanged':
      return approvalFact(event, machine)
    case 'AccountCreated':
      // The house's own accounts are reported with their symbols.
      if (event.account.role !== 'trader') return undefined
      return { kind: 'ACCOUNT_OPENED', accountId: event.account.id, fields: accountFields(event.account) }
    case 'AccountChanged':
      return { kind: 'ACCOUNT_CHANGED', accountId: event.account.id, fields: accountFields(event.account) }
    case 'ApiKeyChanged': {
      // The secret is the same as before, but encrypted under another key.
      if (command.kind === 'ResealSecret') return undefined
      const isNew = command.kind === 'CreateApiKey' || command.kind === 'AddApiKey'
      const kind = isNew ? 'KEY_CREATED' : 'KEY_CHANGED'
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
    case 'BalanceMoved':
      // The withdrawal's own event reports that its money is held, or free again.
      if (command.kind !== 'MoveSavings' && command.kind !== 'MoveBetweenBuckets') return undefined
      return moveFact(event, command, machine)
    case 'WithdrawalAddressChanged':
      return addressFact(event, machine)
    case 'PhasesChanged': {
      const kind = command.kind === 'PlanPhases' ? 'PHASES_PLANNED' : 'PHASE_CHANGED'
      return { kind, accountId: undefined, fields: phaseFields(event) }
    }
  }
}

function moveFact(
  { accountId, assetId }: BalanceMoved,
  command: MoveSavings | MoveBetweenBuckets,
  machine: EventMachine,
): Fact {
  const { from, to } = waysOf(command)
  const kind =
    to === 'savings' ? 'SAVINGS_DEPOSIT' : from === 'savings' ? 'SAVINGS_WITHDRAWAL' : 'BALANCE_MOVED'
  const { amount, reference } = command
  return { kind, accountId, fields: { ...moneyFields(assetId, amount, machine), reference, from, to } }
}

function waysOf(command: MoveSavings | MoveBetweenBuckets): Pick<MoveBetweenBuckets, 'from' | 'to'> {
  if (command.kind === 'MoveBetweenBuckets') return command
  return command.isDeposit ? { from: 'free', to: 'savings' } : { from: 'savings', to: 'free' }
}

/** A planned phase is written in the form in which operators plan one: `CLOSED@2026-12-01T02:00:00.000Z`. */
function phaseFields({ phases: { current, planned } }: PhasesChanged): EventFields {
  return {
    phase: current.phase,
    planned: planned.map(({ phase, at }) => `${phase}@${new Date(at).toISOString()}`),
  }
}

function symbolKind({ kind }: Command): 'SYMBOL_LISTED' | 'SYMBOL_STATE' | 'SYMBOL_CHANGED' {
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
  const { accountId, assetId, amount, reference, state, requestedAt, asked } = withdrawal
  const fields = { ...moneyFields(assetId, amount, machine), reference }
  if (asked === undefined) return { kind: WITHDRAWAL_FACTS[state], accountId, fields }
  const isClaim = state === 'PENDING' && asked.claimedAt !== undefined
  const kind = isClaim ? 'WITHDRAWAL_CLAIMED' : WITHDRAWAL_FACTS[state]
  return { kind, accountId, fields: { ...fields, ...askedFields(asked), askedAt: requestedAt } }
}

/** Times in milliseconds since 1970. */
function askedFields({ address, tag, withdrawOrderId, claimedAt, end }: AskedTerms): EventFields {
  return {
    address,
    ...(tag === '' ? {} : { tag }),
    ...(withdrawOrderId === undefined ? {} : { withdrawOrderId }),
    ...(claimedAt === undefined ? {} : { claimedAt }),
    ...(end?.canceledBy === undefined ? {} : { canceledBy: end.canceledBy }),
    ...(end === undefined || end.reason === '' ? {} : { reason: end.reason }),
  }
}

function addressFact({ address: record, isAllowed }: WithdrawalAddressChanged, machine: EventMachine): Fact {
  const { accountId, assetId, address, tag, label, usableAt } = record
  return {
    kind: isAllowed ? 'ADDRESS_ADDED' : 'ADDRESS_REMOVED',
    accountId,
    fields: {
      asset: codeOf(assetId, machine),
      address,
      ...(tag === '' ? {} : { tag }),
      ...(label === '' ? {} : { label }),
      ...(isAllowed ? { usableAt } : {}),
    },
  }
}

function codeOf(assetId: AssetId, machine: EventMachine): string {
  const asset = machine.assets()[assetId]
  invariant(asset !== undefined, () => `asset ${assetId} of an address must be listed`)
  return asset.code
}

/**
 * EXPIRED causes no event here: `lapsesOf` has already reported the expired request, which is removed from
 * the list with the next request.
 */
const APPROVAL_FACTS: Readonly<Record<ApprovalState, NumberedEvent['kind'] | undefined>> = {
  PENDING: 'APPROVAL_ASKED',
  APPROVED: 'APPROVAL_GIVEN',
  REJECTED: 'APPROVAL_REFUSED',
  EXPIRED: undefined,
}

function approvalFact({ approval, state }: ApprovalChanged, machine: EventMachine): Fact | undefined {
  const kind = APPROVAL_FACTS[state]
  if (kind === undefined) return undefined
  return { kind, accountId: traderOrHouse(approval.accountId), fields: approvalFields(approval, machine) }
}

function approvalFields(
  { assetId, amount, reference, actor, kind: of }: Approval,
  machine: EventMachine,
): EventFields {
  return { ...moneyFields(assetId, amount, machine), reference, of, askedBy: actor }
}

function traderOrHouse(accountId: AccountId): AccountId | undefined {
  return accountId === FEES_ACCOUNT ? undefined : accountId
}

function moneyFields(assetId: AssetId, sum: Amount, machine: EventMachine) {
  const asset = machine.assets()[assetId]
  invariant(asset !== undefined, () => `asset ${assetId} of money that moved must be listed`)
  return { asset: asset.code, amount: plainDecimal(sum, asset.fraction) }
}

function accountFields({ restrictions, isClosed, feeTier, openOrdersMax, ...more }: Account): EventFields {
  const { profile, special } = more
  return {
    restrictions: restrictions ?? [],
    closed: isClosed === true,
    ...(feeTier === undefined ? {} : { feeTier }),
    ...(openOrdersMax === undefined ? {} : { openOrdersMax }),
    ...(profile === undefined ? {} : profileFields(profile)),
    ...(special === undefined ? {} : specialFields(special)),
  }
}

function profileFields({ customerId, labels, fields, remark }: AccountProfile): EventFields {
  return {
    ...(customerId === '' ? {} : { customerId }),
    labels,
    fields: fields.map(({ name, value }) => `${name}=${value}`),
    ...(remark === '' ? {} : { remark }),
  }
}

/** Fields ending in `Until` are in milliseconds since 1970, and absent if the terms have no end. */
function specialFields({ rates, openOrders, orderRate }: SpecialTerms): EventFields {
  return {
    ...(rates === undefined
      ? {}
      : { makerRate: rateText(rates.makerRate), takerRate: rateText(rates.takerRate) }),
    ...(rates?.until ? { ratesUntil: rates.until } : {}),
    ...(openOrders === undefined ? {} : { specialOpenOrdersMax: openOrders.max }),
    ...(openOrders?.until ? { specialOpenOrdersUntil: openOrders.until } : {}),
    ...(orderRate === undefined ? {} : { orderRateTimes: orderRate.times }),
    ...(orderRate?.until ? { orderRateUntil: orderRate.until } : {}),
  }
}

/** Never a secret, sealed or not. */
function keyFields(key: ApiKey): EventFields {
  const { apiKey, label, publicKey, wire, permissions, addresses, enabled, isRevoked, ...terms } = key
  const { expiresAt, strictSignature } = terms
  const states = { enabled, revoked: isRevoked === true, strict: strictSignature === true }
  return {
    apiKey,
    label,
    ...(publicKey === undefined ? {} : { keyKind: 'ED25519' }),
    ...(wire === undefined ? {} : { wire }),
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
