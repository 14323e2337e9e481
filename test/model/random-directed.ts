/** Operators' commands that a random run seldom reaches, each drawn where its precondition is met. */
import type { CommandOf } from '../../src/core/commands/command.ts'
import type { Operator } from '../../src/core/commands/operator.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { amount } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { FEES } from '../oracle/administered.ts'
import { someOperator } from './random-operands.ts'
import type { RandomSource } from './random-source.ts'
import { barredClaim } from './random-withdrawals.ts'
import type { ReferenceState } from './reference-state.ts'

type Directed = CommandOf<
  | 'CompleteWithdrawal'
  | 'CancelWithdrawal'
  | 'HandleWithdrawal'
  | 'HoldWithdrawal'
  | 'PayOutCommission'
  | 'SetAssetTerms'
  | 'SetAccountAddress'
>

const DRAWS = [
  limitedCompletion,
  limitedCompletion,
  limitedPayout,
  muchCompletion,
  completionWhileOther,
  muchSinceClaimed,
  muchInHand,
  muchInHand,
  muchInHand,
  muchInHand,
  muchInHand,
  muchHeld,
  closedHeld,
  closedAddress,
  claimOfBarred,
  payoutAgain,
  endAgain,
] as const

/** Undefined if the precondition of the drawn command is not met. */
export function randomDirected(random: RandomSource, state: ReferenceState): Directed | undefined {
  return random.pick(DRAWS)(random, state)
}

function claimOfBarred(random: RandomSource, state: ReferenceState): Directed | undefined {
  const claim = barredClaim(random, state)
  return claim && { kind: 'HandleWithdrawal', operator: someOperator(random), ...claim }
}

function payoutAgain(random: RandomSource, state: ReferenceState): Directed | undefined {
  const again = usedPayout(random, state)
  return again && { kind: 'PayOutCommission', operator: someOperator(random), ...again }
}

/** An ended withdrawal is ended again, in the same way or the other. */
function endAgain(random: RandomSource, state: ReferenceState): Directed | undefined {
  const ended = state.withdrawals.filter((one) => one.state !== 'PENDING')
  if (ended.length === 0) return undefined
  const kind = random.pick(['CancelWithdrawal', 'CompleteWithdrawal'] as const)
  return { kind, operator: someOperator(random), reference: random.pick(ended).reference }
}

/**
 * A waiting withdrawal is completed, or first claimed, by the holder of a token whose role has a limit in its
 * asset, if there are such a withdrawal and token.
 */
function limitedCompletion(random: RandomSource, state: ReferenceState): Directed | undefined {
  const pairs = state.withdrawals
    .filter((one) => one.state === 'PENDING')
    .flatMap(({ assetId, reference, asked }) =>
      state.limited
        .filter((limit) => limit.assetId === assetId)
        .flatMap(({ role }) => state.tokens.filter((token) => token.role === role))
        .map(({ name }) => ({ name, reference, asked })),
    )
  if (pairs.length === 0) return undefined
  const { name, reference, asked } = random.pick(pairs)
  const operator = { actor: name, note: '' }
  const isUnclaimed = asked !== undefined && asked.claimedAt === undefined
  return isUnclaimed
    ? { kind: 'HandleWithdrawal', operator, reference, step: 'CLAIM', reason: '' }
    : { kind: 'CompleteWithdrawal', operator, reference }
}

/** More than the holder of a token may pay out with one command, or in a day. */
function limitedPayout(random: RandomSource, state: ReferenceState): Directed | undefined {
  const bound = state.limited.flatMap(({ role, assetId, each, day }) => {
    const least = each.out > 0n ? each.out : day.out
    const holders = least > 0n ? state.tokens.filter((token) => token.role === role) : []
    return holders.map(({ name }) => ({ name, asset: state.assets[assetId]?.code ?? '', least }))
  })
  if (bound.length === 0) return undefined
  const { name, asset, least } = random.pick(bound)
  const reference = `ref-${state.transfers.size}-${random.below(3)}`
  const operator = { actor: name, note: '' }
  return { kind: 'PayOutCommission', operator, asset, amount: amount(least + 1n), reference }
}

/** A withdrawal large enough to need the approval of a second person. */
function muchCompletion(random: RandomSource, state: ReferenceState): Directed | undefined {
  const much = state.withdrawals.filter(({ state: now, assetId, amount: sum, asked }) => {
    const above = state.assets[assetId]?.approvalAbove
    const isClaimed = asked === undefined || asked.claimedAt !== undefined
    return now === 'PENDING' && isClaimed && above !== undefined && sum > above
  })
  if (much.length === 0) return undefined
  const operator = payer(random, state)
  return { kind: 'CompleteWithdrawal', operator, reference: random.pick(much).reference }
}

/** A withdrawal that can be completed while another approval about it is pending. */
function completionWhileOther(random: RandomSource, state: ReferenceState): Directed | undefined {
  const others = state.withdrawals.filter(({ state: now, reference, asked }) => {
    const waiting = state.approvals.find((one) => one.reference === reference)
    const isClaimed = asked === undefined || asked.claimedAt !== undefined
    return now === 'PENDING' && isClaimed && waiting !== undefined && waiting.kind !== 'CompleteWithdrawal'
  })
  if (others.length === 0) return undefined
  const operator = payer(random, state)
  return { kind: 'CompleteWithdrawal', operator, reference: random.pick(others).reference }
}

/** A withdrawal that one person claimed is of an amount that now needs two people to claim it. */
function muchSinceClaimed(random: RandomSource, state: ReferenceState): Directed | undefined {
  const alone = state.withdrawals.filter(({ state: now, asked, reference, amount: sum }) => {
    const handling = state.handlings.find((one) => one.reference === reference)
    const isOfOne = handling !== undefined && handling.approvedBy.length === 0
    return now === 'PENDING' && asked?.claimedAt !== undefined && isOfOne && sum > 1n
  })
  if (alone.length === 0) return undefined
  const { assetId, amount: sum } = random.pick(alone)
  const code = state.assets[assetId]?.code ?? ''
  const terms = { supplyCap: amount(0n), creditMax: amount(0n), approvalAbove: amount(bigintOf(sum) - 1n) }
  return { kind: 'SetAssetTerms', operator: someOperator(random), code, name: code, ...terms }
}

/**
 * The paying operator claims or returns withdrawals of an amount that needs a second person's approval, or
 * requests more while such an approval is pending.
 */
function muchInHand(random: RandomSource, state: ReferenceState): Directed | undefined {
  const much = state.withdrawals.filter(({ state: now, assetId, amount: sum, asked, reference }) => {
    const above = state.assets[assetId]?.approvalAbove
    const isWaiting = state.approvals.some((one) => one.reference === reference)
    return now === 'PENDING' && (isWaiting || (asked !== undefined && above !== undefined && sum > above))
  })
  if (much.length === 0) return undefined
  const { reference, asked } = random.pick(much)
  const operator = random.once(3) ? { actor: 'a stranger', note: '' } : payer(random, state)
  if (random.once(asked?.claimedAt === undefined ? 4 : 2))
    return { kind: 'CancelWithdrawal', operator, reference }
  const isRefused = asked?.claimedAt !== undefined || random.once(4)
  const step = isRefused ? 'REFUSE' : 'CLAIM'
  return { kind: 'HandleWithdrawal', operator, reference, step, reason: isRefused ? 'no' : '' }
}

/** Mostly the holder of a token. */
function payer(random: RandomSource, state: ReferenceState): Operator {
  const holder = random.once(4) ? undefined : state.tokens.findLast(({ isRevoked }) => !isRevoked)
  return holder === undefined ? someOperator(random) : { actor: holder.name, note: '' }
}

/** The held amount is so large that a second person must approve before it leaves. */
function muchHeld(random: RandomSource, state: ReferenceState): Directed | undefined {
  const rich = state.assets.flatMap(({ id, code, approvalAbove, isWithdraw }) => {
    const above = approvalAbove ?? -1n
    if (above < 0n || !isWithdraw) return []
    const owners = state.accounts.filter((one) => one.role === 'trader' && !one.isClosed)
    return owners
      .filter((one) => state.unitsIn(id, [one.id, 'free']) > above)
      .map(({ id: accountId }) => ({ accountId, asset: code, units: bigintOf(above) + 1n }))
  })
  if (rich.length === 0) return undefined
  const { accountId, asset, units } = random.pick(rich)
  return { ...held(random, state), accountId, asset, amount: amount(units) }
}

/** A hold on the money of a closed account. */
function closedHeld(random: RandomSource, state: ReferenceState): Directed | undefined {
  const closed = state.accounts.filter(({ isClosed }) => isClosed)
  const asset = state.assets[0]?.code
  if (closed.length === 0 || asset === undefined) return undefined
  return { ...held(random, state), accountId: random.pick(closed).id, asset, amount: amount(1n) }
}

function held(random: RandomSource, state: ReferenceState) {
  const reference = `ref-${state.transfers.size}-${random.below(3)}`
  return { kind: 'HoldWithdrawal', operator: someOperator(random), reference } as const
}

/** An address for a closed account, or for an account that does not exist. */
function closedAddress(random: RandomSource, state: ReferenceState): Directed | undefined {
  const closed = state.accounts.find(({ isClosed }) => isClosed)
  const asset = state.assets[0]?.code
  if (asset === undefined) return undefined
  const isNobody = closed === undefined || random.once(2)
  const accountId = isNobody ? (state.accounts.length as AccountId) : closed.id
  const place = { address: 'bc1-one', tag: '', label: '', isAllowed: true, isAtOnce: true }
  return { kind: 'SetAccountAddress', operator: someOperator(random), accountId, asset, ...place }
}

/** An earlier payout, mostly repeated exactly. */
export function usedPayout(random: RandomSource, state: ReferenceState) {
  const used = [...state.transfers].filter(([, { from }]) => from[0] === FEES)
  if (used.length === 0) return undefined
  const [reference, { assetId, units }] = random.pick(used)
  const again = amount(random.once(3) ? units + 1n : units)
  return { asset: state.assets[assetId]?.code ?? '', amount: again, reference }
}
