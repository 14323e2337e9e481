/**
 * Random operators' commands about existing objects. Commands that would end trading for long (closed
 * accounts, narrow bands, restrictions) are seldom drawn, and their opposites more often.
 */

import type { CommandOf, OperatorCommand } from '../../src/core/commands/command.ts'
import type { Operator } from '../../src/core/commands/operator.ts'
import type { PhaseStep } from '../../src/core/commands/phases.ts'
import { ADMIN_RIGHTS } from '../../src/units/admin-rights.ts'
import type { AccountId, OrderNumber } from '../../src/units/ids.ts'
import { ACCOUNT_RESTRICTIONS, ADMIN_ROLES, RESTRICTION_SOURCES } from '../../src/units/operator-enums.ts'
import { KEY_WIRES, PERMISSIONS, SELF_TRADE_MODES } from '../../src/units/order-enums.ts'
import { amount, type Lots, type Price, type Rate, type TimeMs } from '../../src/units/quantities.ts'
import type { ShadowState } from '../checkers/shadow-state.ts'
import type { Random } from '../world/random.ts'
import { newestTrader } from './picks.ts'
import type { RegistryKind } from './registry-commands.ts'
import { drawAddress } from './withdrawals.ts'

/** All operators' commands except those of the registry and of money. */
export type Administration = Exclude<
  OperatorCommand,
  CommandOf<RegistryKind | 'Credit' | 'Debit' | 'MoveBetweenBuckets'>
>
type Kind = Administration['kind']

/** Helpers shared with the other random commands. */
export type Draws = {
  readonly isHostile: boolean
  readonly operator: () => Operator
  readonly transfer: () => Omit<CommandOf<'Credit'>, 'kind'>
  readonly symbol: () => string
}

type Draw<K extends Kind> = (
  random: Random,
  state: ShadowState,
  draws: Draws,
) => Omit<Extract<Administration, { readonly kind: K }>, 'kind' | 'operator'>

const TIERS = ['vip', 'maker', 'staff']
const SHARES = [0, 50_000_000, 33_333_333, 100_000_000] as Rate[]
const RATES = [0, 50_000, 200_000] as Rate[]
const ADDRESSES = ['10.0.0.1', '10.0.0.2', '2001:db8::1']
const BANDS = [
  [900, 1_100],
  [990, 1_010],
  [5, 4],
] as const

const NEXT_PHASES = {
  TRADING: ['TRADING', 'CANCEL_ONLY', 'CLOSED'],
  CANCEL_ONLY: ['TRADING', 'TRADING', 'TRADING', 'CLOSED'],
  CLOSED: ['CANCEL_ONLY', 'TRADING'],
} as const
const WINDOW = ['CANCEL_ONLY', 'CLOSED', 'CANCEL_ONLY', 'TRADING'] as const

/** A maintenance window, shorter than a run; a hostile window goes back in time or is too long. */
function drawPlan(random: Random, { time }: ShadowState, isHostile: boolean): PhaseStep[] {
  let at = time
  return [...WINDOW, ...(isHostile ? WINDOW : [])]
    .slice(isHostile ? random.between(0, 4) : 0)
    .map((phase) => {
      at = (at + (isHostile ? random.pick([-1, 500]) : random.between(50, 800))) as TimeMs
      return { phase, at }
    })
}

/** A new kind of command does not compile until it is drawn here. */
const DRAWS: { readonly [K in Kind]: Draw<K> } = {
  SetAccountRestrictions: (random, state, draws) => {
    const list = random.chance(0.2) ? withPendingPair(state) : undefined
    if (list !== undefined) return { accountId: list.account as AccountId, restrictions: ['TRADE'] }
    return {
      accountId: account(random, state, draws),
      restrictions: random.chance(0.6) ? [] : ACCOUNT_RESTRICTIONS.filter(() => random.chance(0.4)),
    }
  },
  ChangeRestrictions: (random, state, draws) => ({
    accountId: account(random, state, draws),
    source: random.pick(RESTRICTION_SOURCES),
    added: random.chance(0.6) ? [] : ACCOUNT_RESTRICTIONS.filter(() => random.chance(0.4)),
    removed: draws.isHostile || random.chance(0.7) ? [...ACCOUNT_RESTRICTIONS] : [],
  }),
  OpenCustomer: (random, _state, { isHostile }) => ({
    name: isHostile ? random.pick(['', 'outside', 'x'.repeat(201)]) : `customer ${random.below(8)}`,
  }),
  RaiseCustomerEpoch: (random, state, draws) => ({ accountId: customer(random, state, draws) }),
  ForgetCustomer: (random, state, draws) => ({ accountId: customer(random, state, draws) }),
  CloseAccount: (random, state, draws) => ({
    accountId: random.chance(0.6) ? newestTrader(state) : account(random, state, draws),
  }),
  SetAccountTerms: (random, state, draws) => ({
    accountId: account(random, state, draws),
    feeTier: random.pick(['', ...TIERS]),
    openOrdersMax: random.pick([0, 0, 3, 50]),
  }),
  CancelAnyOrder: (random, state, draws) => {
    const open = [...state.orders.values()]
    const order = open.length === 0 ? undefined : random.pick(open)
    const orderTime = ((order?.time ?? 0) + (draws.isHostile ? 1 : 0)) as TimeMs
    return { orderNumber: (order?.number ?? 1) as OrderNumber, orderTime }
  },
  SetAccountProfile: (random, state, draws) => ({
    accountId: account(random, state, draws),
    customerId: random.pick(['', 'C-1', 'C-2', draws.isHostile ? 'no id' : 'C-3']),
    labels: random.pick([[], ['vip'], draws.isHostile ? ['vip', 'a'] : ['a', 'vip']]),
    fields: random.pick([[], [{ name: 'desk', value: 'Zürich' }]]),
    remark: random.pick(['', 'calls on Mondays']),
  }),
  // Some terms end during a run.
  SetSpecialTerms: (random, state, draws) => {
    const until = () =>
      (random.chance(0.3) ? 0 : state.time + (draws.isHostile ? 0 : random.between(200, 5_000))) as TimeMs
    const rates = { makerRate: random.pick(RATES), takerRate: random.pick(RATES), until: until() }
    const openOrders = { max: random.pick([draws.isHostile ? 0 : 3, 30, 200]), until: until() }
    return {
      accountId: account(random, state, draws),
      ...(random.chance(0.7) ? { rates } : {}),
      ...(random.chance(0.4) ? { openOrders } : {}),
      ...(rates.takerRate === 50_000 ? { orderRate: { times: openOrders.max, until: rates.until } } : {}),
    }
  },
  CancelOrders: (random, state, draws) => {
    const isOfAccount = random.chance(0.7)
    const isOfSymbol = isOfAccount ? random.chance(0.5) : !draws.isHostile
    return {
      accountId: isOfAccount ? account(random, state, draws) : undefined,
      symbol: isOfSymbol ? draws.symbol() : undefined,
    }
  },
  SetAssetTerms: (random, _state, draws) => ({
    code: draws.transfer().asset,
    name: draws.isHostile ? '' : 'an asset',
    supplyCap: amount(random.chance(0.8) ? 0n : 10n ** 12n),
    creditMax: amount(random.chance(0.7) ? 0n : 10n ** 9n),
    approvalAbove: amount(random.pick([0n, 1n, 10n ** 4n, 10n ** 9n])),
  }),
  SetSymbolTerms: (random, _state, draws) => {
    const [minPrice, maxPrice] = random.chance(0.7) ? [0, 0] : random.pick(BANDS)
    return {
      symbol: draws.symbol(),
      minTotal: amount(random.pick([0n, 50n])),
      minQuantity: random.pick([0, 0, 3]) as Lots,
      selfTradeMode: random.pick(SELF_TRADE_MODES),
      openOrdersMax: random.pick([draws.isHostile ? 0 : 6, 40, 200]),
      levelsMax: random.pick([6, 20, 200]),
      minPrice: minPrice as Price,
      maxPrice: maxPrice as Price,
    }
  },
  SetSymbolIncrements: (random, _state, draws) => ({
    symbol: draws.symbol(),
    tickSize: random.pick(draws.isHostile ? [0, 0, 1, 2, 5] : [1, 1, 1, 2, 5]) as Price,
    stepSize: random.pick(draws.isHostile ? [0, 0, 1, 2, 5] : [1, 1, 1, 2, 5]) as Lots,
  }),
  // A return to trading is drawn more often than an end of trading: the rest of a run depends on trading.
  SetPhase: (random, state) => ({ phase: random.pick(NEXT_PHASES[state.phases.at(state.time)]) }),
  PlanPhases: (random, state, { isHostile }) => ({ steps: drawPlan(random, state, isHostile) }),
  SetFeeTier: (random, _state, { isHostile }) => ({
    name: isHostile ? random.pick(['', 'a b']) : random.pick(TIERS),
    makerShare: random.pick(SHARES),
    takerShare: random.pick(SHARES),
  }),
  HoldWithdrawal: (random, state, draws) => {
    const again = random.chance(0.08) ? someWithdrawal(random, state) : undefined
    const { operator: _, ...wanted } = draws.transfer()
    const barred = state.accounts.filter(({ restrictions }) => restrictions?.includes('WITHDRAW'))
    const accountId = barred.length > 0 && random.chance(0.1) ? random.pick(barred).id : wanted.accountId
    return { ...wanted, accountId, reference: again ?? wanted.reference }
  },
  CompleteWithdrawal: (random, state) => ({ reference: someWithdrawal(random, state) ?? 'no such' }),
  CancelWithdrawal: (random, state) => ({ reference: someWithdrawal(random, state) ?? 'no such' }),
  SetAccountAddress: (random, state, draws) => ({
    ...drawAddress(random, state, draws.transfer(), draws.isHostile),
    isAtOnce: random.chance(0.8),
  }),
  SetWithdrawalTerms: (random, _state, draws) => ({
    code: draws.transfer().asset,
    withdrawMin: amount(random.pick([0n, 0n, 3n])),
    withdrawMax: amount(draws.isHostile ? 1n : random.pick([0n, 0n, 30n])),
    addressDelayMs: random.pick([0, 0, 500, 86_400_000, draws.isHostile ? 2_592_000_001 : 0]),
  }),
  HandleWithdrawal: (random, state, { isHostile }) => {
    const step = random.chance(0.75) ? 'CLAIM' : 'REFUSE'
    const reason = (step === 'REFUSE') === isHostile ? '' : 'the address is not valid'
    return { reference: someWithdrawal(random, state) ?? 'no such', step, reason }
  },
  MoveSavings: (random, _state, draws) => {
    const { operator: _, ...wanted } = draws.transfer()
    return { ...wanted, isDeposit: random.chance(0.6) }
  },
  PayOutCommission: (random, _state, draws) => {
    const { asset, reference } = draws.transfer()
    return { asset, reference, amount: amount(random.pick([1n, 1n, 1n, 5n, 10n ** 9n])) }
  },
  SetApiKeyTerms: (random, state, { isHostile }) => ({
    apiKey: someKey(random, state),
    permissions: PERMISSIONS.filter(() => random.chance(0.5)),
    addresses: isHostile ? [''] : ['::1'],
    label: '',
    expiresAt: someEnd(random, state),
  }),
  SetApiKeyStrict: (random, state) => ({
    apiKey: someKey(random, state),
    strictSignature: random.chance(0.5),
  }),
  RotateApiKey: (random, state, { isHostile }) => ({
    apiKey: someKey(random, state),
    sealedSecret: new Uint8Array(isHostile ? 0 : 40).fill(random.below(9)),
    previousUntil: random.pick([0, 1_800_000_000_000]) as TimeMs,
  }),
  AddApiKey: (random, state, draws) => {
    const isPair = random.chance(0.5)
    const wire = random.pick(KEY_WIRES)
    return {
      accountId: account(random, state, draws),
      apiKey: `key ${random.below(200)}`,
      keyKind: isPair ? 'ED25519' : 'HMAC',
      material: new Uint8Array(draws.isHostile ? random.pick([0, 31]) : isPair ? 32 : 40).fill(
        random.below(9),
      ),
      wire,
      permissions: random.pick([['READ'], ['TRADE', 'READ'], ['WALLET']]),
      addresses: [],
      label: random.pick(['', 'bot']),
      expiresAt: someEnd(random, state),
      strictSignature: wire === 'BOURSE' && (isPair || random.chance(0.5)),
    }
  },
  RevokeApiKey: (random, state) => ({ apiKey: someKey(random, state) }),
  AddAdminToken: (random, _state, { isHostile }) => ({
    name: isHostile ? '' : `token-${random.below(5)}`,
    role: random.pick(ADMIN_ROLES),
    digest: new Uint8Array(32).fill(random.below(200)),
  }),
  RevokeAdminToken: (random) => ({ name: `token-${random.below(5)}` }),
  SetRole: (random, state, { isHostile }) => {
    const used = state.tokens.find(({ role, isRevoked }) => !isRevoked && isOwn(role))
    if (used !== undefined && random.chance(0.3)) return { name: used.role, rights: [] }
    return {
      name: isHostile ? random.pick(['', 'OPERATOR']) : random.pick(OWN_ROLES),
      rights: random.chance(0.15) ? [] : ADMIN_RIGHTS.filter(() => random.chance(0.5)),
    }
  },
  AddToken: (random, state, { isHostile }) => ({
    name: `token-${random.below(5)}`,
    role: isHostile ? 'no such role' : random.pick([...OWN_ROLES, 'OPERATOR', 'DEPOSITOR']),
    digest: new Uint8Array(32).fill(random.below(200)),
    ...drawTokenTerms(random, state),
  }),
  SetTokenTerms: (random, state) => ({ name: `token-${random.below(5)}`, ...drawTokenTerms(random, state) }),
  SetRoleLimit: (random, state, draws) => ({
    role: draws.isHostile ? 'no such role' : limitedRole(random, state),
    asset: draws.transfer().asset,
    inEach: amount(random.pick(LIMITS)),
    inDay: amount(random.pick(LIMITS)),
    outEach: amount(random.pick(LIMITS)),
    outDay: amount(random.pick(LIMITS)),
  }),
  SetApprovalsNeeded: (random, _state, draws) => ({
    asset: random.chance(0.5) ? '' : draws.transfer().asset,
    needed: draws.isHostile ? 6 : random.pick([1, 2, 2]),
  }),
  Approve: (random, state) => ({ reference: someApproval(random, state) }),
  Reject: (random, state) => ({ reference: someApproval(random, state) }),
  BanAddress: (random, state, { isHostile }) => ({
    address: isHostile ? '' : random.pick(ADDRESSES),
    until: (state.time + random.pick([60_000, 86_400_000])) as TimeMs,
  }),
  LiftBan: (random) => ({ address: random.pick(ADDRESSES) }),
  AcceptClock: (_random, state) => ({ clock: state.time as TimeMs }),
  NoteChange: (_random, _state, { isHostile }) => ({
    subject: isHostile ? '' : 'webhook books',
    change: 'paused',
  }),
  ResealSecret: (random, state, { isHostile }) => ({
    apiKey: someKey(random, state),
    from: new Uint8Array(40).fill(random.below(9)),
    to: new Uint8Array(isHostile ? 0 : 40).fill(random.below(9)),
  }),
}

const OWN_ROLES = ['desk', 'deposits'] as const
const isOwn = (role: string) => (OWN_ROLES as readonly string[]).includes(role)
/** Mostly no limit: otherwise little money could be deposited. */
const LIMITS = [0n, 0n, 0n, 10n ** 6n, 10n ** 10n] as const

function drawTokenTerms(random: Random, { time }: ShadowState) {
  return {
    expiresAt: (random.chance(0.2) ? time + random.between(10, 60_000) : 0) as TimeMs,
    addresses: random.chance(0.3) ? ['192.0.2.0/24'] : [],
  }
}

/** Mostly a role that some token has. */
function limitedRole(random: Random, { tokens }: ShadowState): string {
  const isHeld = tokens.length > 0 && random.chance(0.7)
  return isHeld ? random.pick(tokens).role : random.pick([...OWN_ROLES, 'OPERATOR'])
}

/** Sometimes the approver is the requester. */
export function drawAdministration(
  kind: Kind,
  random: Random,
  state: ShadowState,
  draws: Draws,
): Administration {
  const operator = draws.operator()
  const command = { kind, operator, ...DRAWS[kind](random, state, draws) } as Administration
  if (command.kind !== 'Approve' || !random.chance(0.2)) return command
  const actor = state.approvals.find(({ reference }) => reference === command.reference)?.actor
  return { ...command, operator: { ...operator, actor: actor ?? operator.actor } }
}

/**
 * The newest list whose pair waits for its working order: its pending orders are refused if its account may
 * no longer trade.
 */
function withPendingPair({ lists }: ShadowState) {
  return [...lists.values()].findLast(({ kind, stage }) => kind === 'OTOCO' && stage === 'WORKING')
}

function account(random: Random, state: ShadowState, { isHostile, transfer }: Draws): AccountId {
  return isHostile && random.chance(0.5)
    ? (random.pick([0, state.accounts.length + 9]) as AccountId)
    : transfer().accountId
}

/** Mostly a customer's account, if there is one. */
function customer(random: Random, state: ShadowState, draws: Draws): AccountId {
  const customers = state.accounts.filter((one) => one.customer !== undefined)
  return customers.length === 0 || random.chance(0.1)
    ? account(random, state, draws)
    : random.pick(customers).id
}

/** Mostly a waiting withdrawal. */
function someWithdrawal(random: Random, state: ShadowState): string | undefined {
  const all = state.withdrawals
  const waiting = random.chance(0.8) ? all.filter((one) => one.state === 'PENDING') : all
  return waiting.length === 0 ? undefined : random.pick(waiting).reference
}

function someApproval(random: Random, state: ShadowState): string {
  const waiting = state.approvals.map(({ reference }) => reference)
  return waiting.length === 0 || random.chance(0.1) ? 'nothing waits' : random.pick(waiting)
}

function someKey(random: Random, state: ShadowState): string {
  const keys = state.apiKeys.map(({ apiKey }) => apiKey)
  return keys.length === 0 || random.chance(0.1) ? 'no such key' : random.pick(keys)
}

/** The end of a key: never, late, soon or at once. */
function someEnd(random: Random, { time }: ShadowState): TimeMs {
  return random.pick([0, 0, 1_800_000_000_000, time + random.between(0, 20_000)]) as TimeMs
}
