/** Descriptions of the commands of operators. They contain no sealed secrets or digests of tokens. */

import { isoTime } from '../../contract/time.ts'
import type { CommandOf, OperatorCommand } from '../../core/commands/command.ts'
import { plainDecimal } from '../../units/decimal.ts'
import { uuidOf } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { addressFields } from './asked-withdrawals.ts'
import { type Fields, rateText, stepsText, unitsText } from './fields.ts'
import type { Names } from './names.ts'

type Kind = OperatorCommand['kind']
type Describe<K extends Kind> = (command: CommandOf<K>, names: Names) => Fields

/** One for each kind: a new command does not compile until it has a text. */
const FIELDS: { readonly [K in Kind]: Describe<K> } = {
  CancelOrders: ({ accountId, symbol }, names) => ({
    account: accountId === undefined ? undefined : names.account(accountId),
    symbol,
  }),
  CancelAnyOrder: ({ orderNumber, orderTime }) => ({ order: uuidOf('order', orderNumber, orderTime) }),

  ListAsset: ({ code, name, fraction, flags, supplyCap }) => ({
    asset: code,
    name,
    fraction,
    ...flags,
    supplyCap: plainDecimal(supplyCap, fraction),
  }),
  SetAssetFlags: ({ code, flags }) => ({ asset: code, ...flags }),
  SetAssetTerms: assetTermsFields,
  ListSymbol: listSymbolFields,
  SetSymbolState: ({ symbol, state }) => ({ symbol, state }),
  SetSymbolRates: ({ symbol, makerRate, takerRate }) => ({
    symbol,
    makerRate: rateText(makerRate),
    takerRate: rateText(takerRate),
  }),
  SetSymbolTerms: symbolTermsFields,
  SetSymbolIncrements: ({ symbol, tickSize, stepSize }, names) => ({
    symbol,
    tickSize: unitsText(tickSize, names.symbolByName(symbol)?.quoteFraction),
    stepSize: unitsText(stepSize, names.symbolByName(symbol)?.baseFraction),
  }),

  SetPhase: ({ phase }) => ({ phase }),
  PlanPhases: ({ steps }) => ({ steps: stepsText(steps) }),

  CreateAccount: ({ name }) => ({ account: name }),
  OpenCustomer: ({ name }) => ({ account: name }),
  RaiseCustomerEpoch: ({ accountId }, names) => ({ account: names.account(accountId) }),
  ForgetCustomer: ({ accountId }, names) => ({ account: names.account(accountId) }),
  ChangeRestrictions: ({ accountId, source, added, removed }, names) => ({
    account: names.account(accountId),
    source,
    added,
    removed,
  }),
  SetAccountRestrictions: ({ accountId, restrictions }, names) => ({
    account: names.account(accountId),
    restrictions,
  }),
  SetAccountTerms: ({ accountId, feeTier, openOrdersMax }, names) => ({
    account: names.account(accountId),
    feeTier,
    openOrdersMax,
  }),
  SetAccountProfile: ({ accountId, customerId, labels, fields, remark }, names) => ({
    account: names.account(accountId),
    customerId,
    labels,
    fields: fields.map(({ name, value }) => `${name}=${value}`),
    remark,
  }),
  SetSpecialTerms: ({ accountId, rates, openOrders, orderRate }, names) => ({
    account: names.account(accountId),
    makerRate: rates === undefined ? undefined : rateText(rates.makerRate),
    takerRate: rates === undefined ? undefined : rateText(rates.takerRate),
    ratesUntil: endText(rates?.until),
    openOrdersMax: openOrders?.max,
    openOrdersUntil: endText(openOrders?.until),
    orderRateTimes: orderRate?.times,
    orderRateUntil: endText(orderRate?.until),
  }),
  CloseAccount: ({ accountId }, names) => ({ account: names.account(accountId) }),
  SetFeeTier: ({ name, makerShare, takerShare }) => ({
    tier: name,
    makerShare: rateText(makerShare),
    takerShare: rateText(takerShare),
  }),

  CreateApiKey: ({ accountId, apiKey, permissions, addresses, label }, names) => ({
    account: names.account(accountId),
    apiKey,
    permissions,
    addresses,
    label,
  }),
  AddApiKey: ({ accountId, apiKey, keyKind, wire, permissions, addresses, label, ...terms }, names) => ({
    account: names.account(accountId),
    apiKey,
    keyKind,
    wire,
    permissions,
    addresses,
    label,
    expiresAt: terms.expiresAt === 0 ? undefined : isoTime(terms.expiresAt),
    strict: terms.strictSignature,
  }),
  SetApiKeyEnabled: ({ apiKey, enabled }) => ({ apiKey, enabled }),
  SetApiKeyTerms: ({ apiKey, permissions, addresses, label, expiresAt }) => ({
    apiKey,
    permissions,
    addresses,
    label,
    expiresAt: expiresAt === 0 ? undefined : isoTime(expiresAt),
  }),
  SetApiKeyStrict: ({ apiKey, strictSignature }) => ({ apiKey, strict: strictSignature }),
  RotateApiKey: ({ apiKey, previousUntil }) => ({
    apiKey,
    previousUntil: previousUntil === 0 ? undefined : isoTime(previousUntil),
  }),
  RevokeApiKey: ({ apiKey }) => ({ apiKey }),
  ResealSecret: ({ apiKey }) => ({ apiKey }),

  Credit: moneyFields,
  Debit: moneyFields,
  MoveBetweenBuckets: moneyFields,
  MoveSavings: moneyFields,
  PayOutCommission: moneyFields,
  HoldWithdrawal: moneyFields,
  CompleteWithdrawal: ({ reference }) => ({ reference }),
  CancelWithdrawal: ({ reference }) => ({ reference }),

  SetAccountAddress: ({ isAtOnce, ...change }, names) => ({
    ...addressFields(change, names),
    atOnce: isAtOnce,
  }),
  SetWithdrawalTerms: withdrawalTermsFields,
  HandleWithdrawal: ({ reference, step, reason }) => ({
    reference,
    step,
    reason: reason === '' ? undefined : reason,
  }),

  AddAdminToken: ({ name, role }) => ({ token: name, role }),
  RevokeAdminToken: ({ name }) => ({ token: name }),
  SetRole: ({ name, rights }) => ({ role: name, rights }),
  AddToken: ({ name, role, expiresAt, addresses }) => ({
    token: name,
    role,
    ...termsFields(expiresAt, addresses),
  }),
  SetTokenTerms: ({ name, expiresAt, addresses }) => ({ token: name, ...termsFields(expiresAt, addresses) }),
  SetRoleLimit: ({ role, asset, inEach, inDay, outEach, outDay }, names) => {
    const places = names.assetByCode(asset)?.fraction
    return {
      role,
      asset,
      inEach: unitsText(inEach, places),
      inDay: unitsText(inDay, places),
      outEach: unitsText(outEach, places),
      outDay: unitsText(outDay, places),
    }
  },
  SetApprovalsNeeded: ({ asset, needed }) => ({ asset: asset || undefined, needed }),
  Approve: ({ reference }) => ({ reference }),
  Reject: ({ reference }) => ({ reference }),
  BanAddress: ({ address, until }) => ({ address, until: isoTime(until) }),
  LiftBan: ({ address }) => ({ address }),
  AcceptClock: ({ clock }) => ({ clock: isoTime(clock) }),
  NoteChange: ({ subject, change }) => ({ subject, change }),

  SetRulesVersion: ({ version }) => ({ version }),
}

/** The request, actor and reason of a command. */
export function operatorCommandFields(command: OperatorCommand, names: Names): Fields {
  const { actor, note } = command.operator
  // The compiler cannot infer that the text of a kind is for commands of that kind.
  const fields = (FIELDS[command.kind] as Describe<Kind>)(command, names)
  return { ...fields, actor, note: note === '' ? undefined : note }
}

/** A time as text; undefined if there is no end. */
function endText(until: TimeMs | undefined): string | undefined {
  return until === undefined || until === 0 ? undefined : isoTime(until)
}

function termsFields(expiresAt: TimeMs, addresses: readonly string[]): Fields {
  return { expiresAt: expiresAt === 0 ? undefined : isoTime(expiresAt), addresses }
}

function assetTermsFields(command: CommandOf<'SetAssetTerms'>, names: Names): Fields {
  const places = names.assetByCode(command.code)?.fraction
  return {
    asset: command.code,
    name: command.name,
    supplyCap: unitsText(command.supplyCap, places),
    creditMax: unitsText(command.creditMax, places),
    approvalAbove: unitsText(command.approvalAbove, places),
  }
}

function withdrawalTermsFields(command: CommandOf<'SetWithdrawalTerms'>, names: Names): Fields {
  const places = names.assetByCode(command.code)?.fraction
  return {
    asset: command.code,
    withdrawMin: unitsText(command.withdrawMin, places),
    withdrawMax: unitsText(command.withdrawMax, places),
    addressDelayMs: command.addressDelayMs,
  }
}

function listSymbolFields(command: CommandOf<'ListSymbol'>, names: Names): Fields {
  const { base, quote, terms, binanceName } = command
  const { baseFraction, quoteFraction, selfTradeMode, openOrdersMax, levelsMax } = terms
  return {
    symbol: `${base}/${quote}`,
    binanceName,
    baseFraction,
    quoteFraction,
    makerRate: rateText(terms.makerRate),
    takerRate: rateText(terms.takerRate),
    minTotal: unitsText(terms.minTotal, names.assetByCode(quote)?.fraction),
    minQuantity: plainDecimal(terms.minQuantity, baseFraction),
    selfTradeMode,
    openOrdersMax,
    levelsMax,
  }
}

function symbolTermsFields(command: CommandOf<'SetSymbolTerms'>, names: Names): Fields {
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
  command: CommandOf<
    'Credit' | 'Debit' | 'MoveBetweenBuckets' | 'MoveSavings' | 'PayOutCommission' | 'HoldWithdrawal'
  >,
  names: Names,
): Fields {
  const { asset, amount, reference } = command
  const buckets = command.kind === 'MoveBetweenBuckets' ? { from: command.from, to: command.to } : {}
  return {
    account: command.kind === 'PayOutCommission' ? undefined : names.account(command.accountId),
    asset,
    amount: unitsText(amount, names.assetByCode(asset)?.fraction),
    ...buckets,
    into: command.kind === 'MoveSavings' ? (command.isDeposit ? 'savings' : 'free') : undefined,
    reference,
  }
}
