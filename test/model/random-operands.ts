/** Operands of random operators' commands: an account, an asset, a symbol, an amount, an operator. */
import type { Operator } from '../../src/core/commands/operator.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import type { Bucket } from '../../src/units/order-enums.ts'
import { type Amount, amount } from '../../src/units/quantities.ts'
import { OUTSIDE, type Transfer } from '../oracle/administered.ts'
import { randomOwner } from './random-orders.ts'
import type { RandomSource } from './random-source.ts'
import { OPERATOR } from './random-world.ts'
import type { ReferenceState } from './reference-state.ts'

export const MOVABLE = ['free', 'freeze', 'savings'] as const
export const TOKENS = ['ann', 'ben', 'carl', 'dora', 'eve', 'finn', 'gus'] as const

/** One of several people, so that the approver is sometimes another person; some have a named token. */
export function someOperator(random: RandomSource): Operator {
  return random.once(3) ? OPERATOR : { actor: random.pick(['second', ...TOKENS]), note: 'a note' }
}

/** A trader; more often than for orders, the house, an account that does not exist, or a closed one. */
export function someOwner(random: RandomSource, state: ReferenceState): AccountId {
  const closed = state.accounts.filter(({ isClosed }) => isClosed)
  if (closed.length > 0 && random.once(2)) return random.pick(closed).id
  return random.once(12)
    ? (random.pick([0, 1, 2, state.accounts.length]) as AccountId)
    : randomOwner(random, state)
}

export function assetCode(random: RandomSource, state: ReferenceState): string {
  return random.once(15) || state.assets.length === 0 ? 'ZZZ' : random.pick(state.assets).code
}

export function symbolName(random: RandomSource, state: ReferenceState): string {
  return random.once(15) || state.symbols.length === 0 ? 'AAA-BBB' : random.pick(state.symbols).name
}

/**
 * There are few references, so that many are reused: for the identical transfer, a similar one, or a
 * different one.
 */
export function money(random: RandomSource, state: ReferenceState, kind: TransferKind) {
  const made = [...state.transfers].filter(([, one]) => kindOf(one) === kind || random.once(4))
  if (made.length > 0 && random.once(5)) {
    const [reference, { assetId, from, to, units }] = random.pick(made)
    const again = {
      operator: OPERATOR,
      accountId: from[0] === OUTSIDE ? to[0] : from[0],
      asset: state.assets[assetId]?.code ?? '',
      amount: amount(random.once(4) ? units + 1n : units),
      reference,
    }
    return kind === 'MoveBetweenBuckets' ? { ...again, from: movable(from[1]), to: movable(to[1]) } : again
  }
  const accountId = someOwner(random, state)
  const asset = assetCode(random, state)
  const isWrong = random.once(12)
  const reference = isWrong
    ? random.pick(['', 'r'.repeat(201)])
    : `ref-${state.transfers.size}-${random.below(3)}`
  return {
    operator: someOperator(random),
    accountId,
    asset,
    amount: someAmount(random, state, accountId, asset),
    reference,
  }
}

type TransferKind = 'Credit' | 'Debit' | 'MoveBetweenBuckets'

function kindOf({ from, to }: Transfer): TransferKind {
  if (from[0] === OUTSIDE) return 'Credit'
  return to[0] === OUTSIDE ? 'Debit' : 'MoveBetweenBuckets'
}

function movable(bucket: Bucket): (typeof MOVABLE)[number] {
  return bucket === 'locked' ? 'free' : bucket
}

/** Often a part or all of the balance, or one unit more. */
function someAmount(random: RandomSource, state: ReferenceState, accountId: AccountId, code: string): Amount {
  const asset = state.assets.find((one) => one.code === code)
  if (asset !== undefined && random.once(2)) {
    const bucket = random.pick(['free', ...MOVABLE] as const)
    const there = state.unitsIn(asset.id, [accountId, bucket])
    return amount(random.pick([there, there + 1n, there / 2n, there / 1_000n + 1n]))
  }
  const any = [
    1n,
    7n,
    random.bits(20),
    random.bits(60),
    random.bits(128),
    0n,
    -1n,
    AMOUNT_MAX,
    AMOUNT_MAX + 1n,
  ]
  return amount(random.pick(any))
}
