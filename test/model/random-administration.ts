/**
 * Random operators' commands about existing objects, valid and invalid. Commands that would end all trading
 * in a run (closed accounts, delisted symbols, narrow bands) are rare and mostly undone soon.
 */

import type { CommandOf, OperatorCommand } from '../../src/core/commands/command.ts'
import type { Operator } from '../../src/core/commands/operator.ts'
import type { PhaseStep } from '../../src/core/commands/phases.ts'
import { RULES_VERSION } from '../../src/core/exchange/rules.ts'
import { type AdminRight, CUSTOMER_RIGHTS } from '../../src/units/admin-rights.ts'
import type { AccountId, OrderNumber } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { ACCOUNT_RESTRICTIONS, ADMIN_ROLES, RESTRICTION_SOURCES } from '../../src/units/operator-enums.ts'
import {
  type Amount,
  amount,
  type Lots,
  type Price,
  RATE_ONE,
  type Rate,
  type TimeMs,
  UNITS_MAX,
} from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { FEES } from '../oracle/administered.ts'
import { randomDirected, usedPayout } from './random-directed.ts'
import { KEY_DRAWS } from './random-keys.ts'
import { assetCode, money, someOperator, someOwner, symbolName, TOKENS } from './random-operands.ts'
import type { RandomSource } from './random-source.ts'
import { randomAccountAddress, randomTerms, unclaimed } from './random-withdrawals.ts'
import { symbolTerms } from './random-world.ts'
import type { ReferenceState } from './reference-state.ts'

/** The kinds that `random-operations.ts` does not draw. */
export type Administration = Exclude<
  OperatorCommand,
  CommandOf<
    | 'ListAsset'
    | 'SetAssetFlags'
    | 'ListSymbol'
    | 'SetSymbolState'
    | 'SetSymbolRates'
    | 'CreateAccount'
    | 'CreateApiKey'
    | 'SetApiKeyEnabled'
    | 'Credit'
    | 'Debit'
    | 'MoveBetweenBuckets'
    | 'SetRulesVersion'
  >
>
type Kind = Administration['kind']
type Draw<K extends Kind> = (
  random: RandomSource,
  state: ReferenceState,
) => Omit<Extract<Administration, { kind: K }>, 'kind' | 'operator'>

const CUSTOMERS = ['c-ann', 'c-ben'] as const
const TIERS = ['vip', 'maker', 'staff'] as const
const ADDRESSES = ['10.0.0.1', '10.0.0.2', '2001:db8::1'] as const

/** Mostly an account with an open list, if there is one. */
function listOwner(random: RandomSource, state: ReferenceState): AccountId {
  return state.lists.length === 0 || random.once(4)
    ? someOwner(random, state)
    : random.pick(state.lists).accountId
}

/** Mostly a customer's account, if there is one. */
function someCustomer(random: RandomSource, state: ReferenceState): AccountId {
  const customers = state.accounts.filter(({ customer }) => customer?.isForgotten === false)
  return customers.length === 0 || random.once(4) ? someOwner(random, state) : random.pick(customers).id
}

/** A new kind of command does not compile until it is drawn here. */
const DRAWS: { readonly [K in Kind]: Draw<K> } = {
  // Mostly a return to trading soon: the rest of a run depends on trading.
  SetPhase: (random, state) => ({
    phase: state.phases.at(state.time) === 'CLOSED' ? random.pick(OPENING) : random.pick(PHASES),
  }),
  PlanPhases: (random, state) => ({ steps: randomPlan(random, state) }),
  SetAccountRestrictions: (random, state) => {
    const waits = random.once(3) ? unclaimed(state).at(-1) : undefined
    if (waits !== undefined) return { accountId: waits.accountId, restrictions: ['WITHDRAW'] }
    return {
      accountId: someOwner(random, state),
      restrictions: random.once(2) ? ACCOUNT_RESTRICTIONS.filter(() => random.once(2)).reverse() : [],
    }
  },
  ChangeRestrictions: (random, state) => {
    const known = state.accounts.filter(({ restrictions }) => restrictions !== undefined)
    return {
      accountId: known.length > 0 && random.once(2) ? random.pick(known).id : someOwner(random, state),
      source: random.pick(RESTRICTION_SOURCES),
      added: random.once(3) ? ACCOUNT_RESTRICTIONS.filter(() => random.once(3)) : [],
      removed: random.once(4) ? [...ACCOUNT_RESTRICTIONS] : ACCOUNT_RESTRICTIONS.filter(() => random.once(3)),
    }
  },
  OpenCustomer: (random) => ({ name: random.pick([...CUSTOMERS, 'ann', '', 'n'.repeat(201), ':']) }),
  RaiseCustomerEpoch: (random, state) => ({ accountId: someCustomer(random, state) }),
  ForgetCustomer: (random, state) => ({ accountId: someCustomer(random, state) }),
  CloseAccount: (random, state) => ({ accountId: closable(random, state) }),
  SetAccountTerms: (random, state) => ({
    accountId: someOwner(random, state),
    feeTier: random.pick(['', ...TIERS, random.once(3) ? 'no such tier' : 'vip']),
    openOrdersMax: random.pick([0, 0, 1, 3, 1_000]),
  }),
  CancelAnyOrder: (random, state) => {
    const order = state.all.length === 0 ? undefined : random.pick(state.all)
    const orderTime = ((order?.time ?? 0) + (random.once(8) ? 1 : 0)) as TimeMs
    return { orderNumber: (order?.number ?? 1) as OrderNumber, orderTime }
  },
  SetAccountProfile: (random, state) => ({
    accountId: someOwner(random, state),
    customerId: random.pick(['', 'C-1', 'C-1', 'k/7+8@x', random.once(5) ? 'no id' : 'C-1']),
    labels: random.pick([[], [], ['vip'], ['a', 'vip'], random.once(3) ? ['vip', 'a'] : ['a.b']]),
    fields: random.pick([
      [],
      [{ name: 'desk', value: 'Zürich' }],
      [{ name: 'desk', value: random.once(3) ? '' : 'x' }],
    ]),
    remark: random.pick(['', 'calls on Mondays']),
  }),
  // Some terms end within the following steps.
  SetSpecialTerms: (random, state) => {
    const until = () =>
      (random.once(3) ? 0 : state.time + (random.once(8) ? 0 : 1 + random.below(400))) as TimeMs
    const rate = () => random.pick([0, 50_000, 1_000_000, random.once(10) ? RATE_ONE : 1]) as Rate
    const rates = { makerRate: rate(), takerRate: rate(), until: until() }
    const openOrders = { max: random.pick([random.once(5) ? 0 : 1, 2, 1_000]), until: until() }
    const closed = state.accounts.find(({ isClosed }) => isClosed)
    const accountId = closed !== undefined && random.once(3) ? closed.id : someOwner(random, state)
    const hasRates = !random.once(4)
    const hasOrderRate = hasRates && rates.makerRate === 50_000
    return {
      accountId,
      ...(hasRates ? { rates } : {}),
      ...(random.once(2) ? { openOrders } : {}),
      ...(hasOrderRate ? { orderRate: { times: openOrders.max, until: rates.until } } : {}),
    }
  },
  CancelOrders: (random, state) => ({
    accountId: random.once(3) ? undefined : listOwner(random, state),
    symbol: random.once(2) ? undefined : symbolName(random, state),
  }),
  SetAssetTerms: (random, state) => ({
    code: assetCode(random, state),
    name: random.once(12) ? '' : random.pick(['An asset', 'Ğüş']),
    supplyCap: random.once(6) ? wrongOr(random, 1n + random.bits(70)) : amount(0n),
    creditMax: random.once(3) ? wrongOr(random, 1n + random.bits(40)) : amount(0n),
    approvalAbove: random.once(3) ? amount(0n) : wrongOr(random, 1n + random.bits(random.pick([3, 20]))),
  }),
  SetSymbolTerms: (random, state) => {
    const { minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax } = symbolTerms(random, 0, 0)
    const band = random.pick(random.once(3) ? BANDS : [[0, 0]])
    return {
      symbol: symbolName(random, state),
      minTotal,
      minQuantity,
      selfTradeMode,
      openOrdersMax: random.once(15) ? 0 : openOrdersMax,
      levelsMax,
      minPrice: (band[0] ?? 0) as Price,
      maxPrice: (band[1] ?? 0) as Price,
    }
  },
  SetSymbolIncrements: (random, state) => ({
    symbol: symbolName(random, state),
    tickSize: random.pick(random.once(12) ? [0, UNITS_MAX] : [1, 2, 2, 5]) as Price,
    stepSize: random.pick(random.once(12) ? [0, UNITS_MAX] : [1, 2, 2, 10]) as Lots,
  }),
  SetFeeTier: (random) => ({
    name: random.once(10) ? random.pick(['', 'a b']) : random.pick(TIERS),
    makerShare: random.pick([0, 1, 50_000_000, RATE_ONE]) as Rate,
    takerShare: random.pick([0, 33_333_333, RATE_ONE, random.once(6) ? RATE_ONE + 1 : RATE_ONE]) as Rate,
  }),
  HoldWithdrawal: (random, state) => withdrawable(random, state),
  CompleteWithdrawal: (random, state) => ({ reference: someWithdrawal(random, state) }),
  CancelWithdrawal: (random, state) => {
    const canceled = state.withdrawals.find((one) => one.state === 'CANCELED')
    const isAgain = canceled !== undefined && random.once(4)
    return { reference: isAgain ? canceled.reference : someWithdrawal(random, state) }
  },
  SetAccountAddress: (random, state) => randomAccountAddress(random, state),
  SetWithdrawalTerms: (random, state) => randomTerms(random, state),
  HandleWithdrawal: (random, state) => {
    const step = random.once(4) ? 'REFUSE' : 'CLAIM'
    const reason = (step === 'REFUSE') !== random.once(12) ? 'not valid' : ''
    return { reference: someAsked(random, state), step, reason }
  },
  MoveSavings: (random, state) => savings(random, state),
  PayOutCommission: (random, state) => payout(random, state),
  AddAdminToken: (random) => ({
    name: random.once(8) ? random.pick(['', 'local:me']) : random.pick(TOKENS),
    role: random.pick(ADMIN_ROLES),
    digest: new Uint8Array(random.once(8) ? 31 : 32).fill(random.below(200)),
  }),
  RevokeAdminToken: (random) => ({ name: random.pick(TOKENS) }),
  SetRole: (random, state) => {
    const used = state.tokens.find(({ role, isRevoked }) => !isRevoked && isOwn(role))
    if (used !== undefined && random.once(4)) return { name: used.role, rights: [] }
    return {
      name: random.once(15) ? random.pick(['', 'Big', 'operator']) : random.pick(OWN_ROLES),
      rights: random.once(8) ? [] : random.once(15) ? ['credit', 'credit'] : someRights(random, state),
    }
  },
  AddToken: (random, state) => ({
    name: random.once(8) ? random.pick(['', 'local:me']) : random.pick(TOKENS),
    role: random.once(12)
      ? 'no-such-role'
      : state.roles.length > 0 && random.once(2)
        ? random.pick(state.roles).name
        : random.pick([...OWN_ROLES, 'OPERATOR', 'OPERATOR', 'OPERATOR', 'AUDITOR']),
    digest: new Uint8Array(random.once(12) ? 31 : 32).fill(random.below(200)),
    ...tokenTerms(random, state),
  }),
  SetTokenTerms: (random, state) => ({ name: random.pick(TOKENS), ...tokenTerms(random, state) }),
  SetRoleLimit: (random, state) => ({
    role: limitedRole(random, state),
    asset: limitedAsset(random, state),
    inEach: someLimit(random),
    inDay: someLimit(random),
    outEach: someLimit(random),
    outDay: someLimit(random),
  }),
  SetApprovalsNeeded: (random, state) => ({
    asset: random.once(6) ? 'ZZZ' : random.once(2) ? '' : assetCode(random, state),
    needed: random.once(10) ? 6 : random.pick([0, 1, 1, 2, 2]),
  }),
  Approve: (random, state) => ({ reference: someApproval(random, state) }),
  Reject: (random, state) => ({ reference: someApproval(random, state) }),
  BanAddress: (random, state) => ({
    address: random.once(10) ? '' : random.pick(ADDRESSES),
    until: (random.once(8) ? state.time : state.time + 1 + random.below(1_000)) as TimeMs,
  }),
  LiftBan: (random) => ({ address: random.pick(ADDRESSES) }),
  AcceptClock: (random) => ({ clock: random.below(4_000_000_000_000) as TimeMs }),
  NoteChange: (random) => ({
    subject: random.pick(['webhook books', 'x'.repeat(200), random.once(2) ? '' : 'x'.repeat(201)]),
    change: random.pick(['paused', 'x'.repeat(200), random.once(2) ? '' : 'x'.repeat(201)]),
  }),
  ...KEY_DRAWS,
}

const WEIGHTS: { readonly [K in Kind]: number } = {
  SetPhase: 8,
  PlanPhases: 10,
  SetAccountRestrictions: 14,
  ChangeRestrictions: 14,
  OpenCustomer: 8,
  RaiseCustomerEpoch: 8,
  ForgetCustomer: 5,
  CloseAccount: 26,
  SetAccountTerms: 12,
  CancelOrders: 14,
  CancelAnyOrder: 16,
  SetAccountProfile: 20,
  SetSpecialTerms: 16,
  SetAssetTerms: 14,
  SetSymbolTerms: 11,
  SetSymbolIncrements: 30,
  SetFeeTier: 12,
  HoldWithdrawal: 40,
  CompleteWithdrawal: 34,
  CancelWithdrawal: 10,
  SetAccountAddress: 22,
  SetWithdrawalTerms: 12,
  HandleWithdrawal: 34,
  MoveSavings: 20,
  PayOutCommission: 26,
  SetApiKeyTerms: 14,
  SetApiKeyStrict: 10,
  RotateApiKey: 14,
  RevokeApiKey: 14,
  AddApiKey: 16,
  AddAdminToken: 16,
  RevokeAdminToken: 6,
  SetRole: 13,
  AddToken: 16,
  SetTokenTerms: 8,
  SetRoleLimit: 16,
  SetApprovalsNeeded: 12,
  Approve: 36,
  Reject: 14,
  BanAddress: 5,
  LiftBan: 3,
  ResealSecret: 6,
  AcceptClock: 2,
  NoteChange: 3,
}

/** Mostly a withdrawal that waits to be claimed. */
function someAsked(random: RandomSource, state: ReferenceState): string {
  const waiting = unclaimed(state)
  return waiting.length > 0 && !random.once(4)
    ? random.pick(waiting).reference
    : someWithdrawal(random, state)
}

export function randomAdministration(random: RandomSource, state: ReferenceState): Administration {
  const isAwaited = state.approvals.length > 0 && random.once(4)
  const isStopped = state.phases.at(state.time) !== 'TRADING' && random.once(3)
  if (isStopped) return { kind: 'SetPhase', operator: someOperator(random), ...DRAWS.SetPhase(random, state) }
  const directed = random.once(2) ? randomDirected(random, state) : undefined
  if (directed !== undefined) return directed
  const kind = isAwaited ? random.pick(['AddAdminToken', 'Approve'] as const) : someKind(random, state)
  if (kind === 'Approve') return approval(random, state)
  const isPaying = kind === 'PayOutCommission' || kind === 'CompleteWithdrawal'
  const operator = isPaying ? payer(random, state) : someOperator(random)
  return { kind, operator, ...DRAWS[kind](random, state) } as Administration
}

/** Kinds that earlier rules refuse: under those rules they are rarer. */
const NEW_KINDS: readonly Kind[] = [
  'AddApiKey',
  'ChangeRestrictions',
  'OpenCustomer',
  'RaiseCustomerEpoch',
  'ForgetCustomer',
]

function someKind(random: RandomSource, state: ReferenceState): Kind {
  const kind = random.weighted(WEIGHTS)
  const isRefused = state.rulesVersion < RULES_VERSION && NEW_KINDS.includes(kind)
  return isRefused && !random.once(4) ? random.weighted(WEIGHTS) : kind
}

/** Often the holder of a token, and then mostly of a token whose role has a limit. */
function payer(random: RandomSource, { tokens, limited }: ReferenceState): Operator {
  const bound = tokens.filter(({ role }) => limited.some((one) => one.role === role))
  const holders = bound.length > 0 && !random.once(4) ? bound : tokens
  return holders.length === 0 || random.once(2)
    ? someOperator(random)
    : { actor: random.pick(holders).name, note: '' }
}

const OWN_ROLES = ['deposits', 'desk'] as const
const isOwn = (role: string) => (OWN_ROLES as readonly string[]).includes(role)
const RIGHTS = ['read', 'credit', 'approve', 'approve', 'withdrawals'] as const

/** Sometimes rights on customers, which earlier rules refuse. */
function someRights(random: RandomSource, { rulesVersion }: ReferenceState): AdminRight[] {
  if (random.once(rulesVersion < 18 ? 3 : 10)) return [random.pick(CUSTOMER_RIGHTS)]
  return [...new Set(Array.from({ length: random.between(1, 3) }, () => random.pick(RIGHTS)))]
}

/** Mostly without an end; otherwise until some milliseconds from now. */
function tokenTerms(random: RandomSource, { time }: ReferenceState) {
  return {
    expiresAt: (random.once(8) ? time + random.between(1, 60) : 0) as TimeMs,
    addresses: random.once(6) ? [''] : random.once(4) ? ['10.0.0.0/8', '::1'] : [],
  }
}

/** Mostly a role that some token has. */
function limitedRole(random: RandomSource, { tokens }: ReferenceState): string {
  if (tokens.length > 0 && !random.once(4)) return random.pick(tokens).role
  return random.once(6) ? 'no-such-role' : random.pick([...OWN_ROLES, 'OPERATOR'])
}

/** Often an asset in which a withdrawal waits. */
function limitedAsset(random: RandomSource, state: ReferenceState): string {
  const waits = state.withdrawals.findLast((one) => one.state === 'PENDING')
  const code = waits === undefined ? undefined : state.assets[waits.assetId]?.code
  return code === undefined || random.once(2) ? assetCode(random, state) : code
}

/** Often no limit. */
function someLimit(random: RandomSource): Amount {
  return random.once(2) ? wrongOr(random, 1n + random.bits(random.pick([2, 2, 12]))) : amount(0n)
}

/** Often by the holder of a token that is older than the request, or of the newest token. */
function approval(random: RandomSource, state: ReferenceState): Administration {
  const { reference } = DRAWS.Approve(random, state)
  const asked = state.approvals.find((one) => one.reference === reference)
  const older = state.tokens.filter((token) => asked !== undefined && token.createdAt < asked.requestedAt)
  const able = older.filter(({ name, isRevoked }) => name !== asked?.actor && !isRevoked)
  const holder = able.length > 0 && !random.once(4) ? random.pick(able) : state.tokens.at(-1)
  const isOther = holder === undefined || random.once(3)
  const operator = isOther ? someOperator(random) : { actor: holder.name, note: '' }
  return { kind: 'Approve', operator, reference }
}

const PHASES = ['TRADING', 'TRADING', 'TRADING', 'CANCEL_ONLY', 'CLOSED'] as const
const OPENING = ['CANCEL_ONLY', 'CANCEL_ONLY', 'CLOSED', 'TRADING'] as const

/** Mostly a complete maintenance window of some milliseconds, with valid or invalid times or order. */
function randomPlan(random: RandomSource, { time, phases }: ReferenceState): PhaseStep[] {
  const words = random.once(4)
    ? Array.from({ length: random.below(6) }, () => random.pick(PHASES))
    : (['CANCEL_ONLY', 'CLOSED', 'CANCEL_ONLY', 'TRADING'] as const).slice(
        phases.at(time) === 'CLOSED' ? 2 : random.below(3),
      )
  let at = time
  return words.map((phase) => {
    at = (at + (random.once(20) ? 0 : random.once(40) ? 32_000_000_000 : random.between(1, 12))) as TimeMs
    return { phase, at }
  })
}

const BANDS: readonly (readonly number[])[] = [
  [1, UNITS_MAX],
  [1, 50],
  [2, 2],
  [20, 1_000_000],
  [5, 4],
  [0, 9],
]

function wrongOr(random: RandomSource, units: bigint): Amount {
  return amount(random.once(12) ? AMOUNT_MAX + 1n : units)
}

function isEmpty(state: ReferenceState, accountId: AccountId): boolean {
  const buckets = ['free', 'locked', 'freeze', 'savings'] as const
  return state.assets.every(({ id }) =>
    buckets.every((bucket) => state.unitsIn(id, [accountId, bucket]) === 0n),
  )
}

/** Mostly an account with little or no money: otherwise trading would soon end. */
function closable(random: RandomSource, state: ReferenceState): AccountId {
  const empty = state.accounts.filter(({ id, role }) => role === 'trader' && isEmpty(state, id))
  if (empty.length > 0 && random.once(2)) return random.pick(empty).id
  const latest = state.accounts.findLast(({ role }) => role === 'trader')
  const closed = state.accounts.find(({ isClosed }) => isClosed)
  if (random.once(12)) return closed?.id ?? (state.accounts.length as AccountId)
  return latest === undefined || random.once(2) ? someOwner(random, state) : latest.id
}

function withoutOperator<T extends { readonly operator: Operator }>({
  operator: _,
  ...rest
}: T): Omit<T, 'operator'> {
  return rest
}

/** A new savings transfer, or an earlier one, under either command. */
function savings(random: RandomSource, state: ReferenceState) {
  const moves = [...state.transfers].filter(
    ([, { from, to }]) => from[1] !== to[1] && [from[1], to[1]].includes('savings'),
  )
  if (moves.length === 0 || !random.once(5)) {
    return { ...withoutOperator(money(random, state, 'MoveBetweenBuckets')), isDeposit: random.once(2) }
  }
  const [reference, { assetId, units, to }] = random.pick(moves)
  const [accountId, bucket] = to
  const asset = state.assets[assetId]?.code ?? ''
  return { accountId, asset, amount: amount(units), reference, isDeposit: bucket === 'savings' }
}

/** A new withdrawal, or one that was requested before. */
function withdrawable(random: RandomSource, state: ReferenceState) {
  const again = random.once(8) && state.withdrawals.length > 0 ? random.pick(state.withdrawals) : undefined
  if (again === undefined) return withoutOperator(money(random, state, 'MoveBetweenBuckets'))
  const { accountId, assetId, reference } = again
  const asset = state.assets[assetId]?.code ?? ''
  return {
    accountId,
    asset,
    amount: amount(random.once(3) ? bigintOf(again.amount) + 1n : again.amount),
    reference,
  }
}

function someWithdrawal(random: RandomSource, state: ReferenceState): string {
  const pending = state.withdrawals.filter((one) => one.state === 'PENDING')
  const any = random.once(3) || pending.length === 0 ? state.withdrawals : pending
  return any.length === 0 || random.once(12) ? 'no such withdrawal' : random.pick(any).reference
}

function someApproval(random: RandomSource, state: ReferenceState): string {
  return state.approvals.length === 0 || random.once(8)
    ? 'nothing waits'
    : random.pick(state.approvals).reference
}

/** Part or all of the house's earnings, or one unit more. */
function payout(random: RandomSource, state: ReferenceState) {
  const again = random.once(3) ? usedPayout(random, state) : undefined
  if (again !== undefined) return again
  const earning = state.assets.filter(({ id }) => state.unitsIn(id, [FEES, 'free']) > 0n)
  const asset = earning.length > 0 && !random.once(3) ? random.pick(earning).code : assetCode(random, state)
  const listed = state.assets.find(({ code }) => code === asset)
  const earned = listed === undefined ? 0n : state.unitsIn(listed.id, [FEES, 'free'])
  const reference = random.once(12) ? '' : `ref-${state.transfers.size}-${random.below(3)}`
  return {
    asset,
    amount: amount(random.pick([earned, earned + 1n, earned / 2n, earned / 1_000n + 1n])),
    reference,
  }
}
