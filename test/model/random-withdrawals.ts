/**
 * Random withdrawals requested by traders, addresses of accounts, and the commands of the paying operators
 * about them.
 */
import type {
  AddressChange,
  HandleWithdrawal,
  RetractWithdrawal,
  SetAccountAddress,
  SetWithdrawalTerms,
} from '../../src/core/commands/withdrawals.ts'
import type { Withdrawal } from '../../src/core/ledger/withdrawals.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { amount } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import type { Withdrawing } from '../oracle/asked-withdrawals.ts'
import { assetCode, someOwner } from './random-operands.ts'
import { randomOwner } from './random-orders.ts'
import type { RandomSource } from './random-source.ts'
import type { ReferenceState } from './reference-state.ts'

const PLACES = ['bc1-one', 'bc1-two'] as const
const WRONG_PLACES = ['', 'with a space', 'x'.repeat(129), 'ş'] as const
const OWN_IDS = ['w-1', 'w-2', 'w-3', 'w-4'] as const
const DAY_MS = 86_400_000

export function randomWithdrawing(random: RandomSource, state: ReferenceState): Withdrawing {
  switch (random.weighted({ ask: 60, retract: 12, address: 16 })) {
    case 'ask':
      return randomAsk(random, state)
    case 'retract':
      return randomRetraction(random, state)
    case 'address':
      return { kind: 'SetOwnAddress', ...randomAddress(random, state) }
  }
}

/** Mostly to an existing address; sometimes repeated exactly, or nearly. */
function randomAsk(random: RandomSource, state: ReferenceState): Withdrawing {
  const own = random.once(3) ? undefined : random.once(20) ? 'not an id' : random.pick(OWN_IDS)
  const asked = state.withdrawals.filter((one) => one.asked?.withdrawOrderId !== undefined)
  if (asked.length > 0 && random.once(6)) {
    const one = random.pick(asked)
    const { address = '', tag = '', withdrawOrderId } = one.asked ?? {}
    const asset = state.assets[one.assetId]?.code ?? ''
    const units = random.once(3) ? amount(1n) : one.amount
    const { accountId } = one
    return { kind: 'AskWithdrawal', accountId, asset, amount: units, address, tag, withdrawOrderId }
  }
  const known = state.addresses.length > 0 && !random.once(10) ? random.pick(state.addresses) : undefined
  const place = known ?? { address: somePlace(random), tag: '' }
  const accountId = known === undefined || random.once(12) ? someOwner(random, state) : known.accountId
  const asset = known === undefined ? assetCode(random, state) : (state.assets[known.assetId]?.code ?? '')
  const there = known === undefined ? 9n : state.unitsIn(known.assetId, [known.accountId, 'free'])
  const free = there > 0n ? there : 1n
  const above = known && state.assets[known.assetId]?.approvalAbove
  // An amount that needs the approval of a second person, if the account has that much.
  const much = above !== undefined && bigintOf(above) < free && random.once(2) ? bigintOf(above) + 1n : free
  const units = random.pick([
    1n,
    2n,
    5n,
    50n,
    much,
    much,
    free + 1n,
    free / 2n + 1n,
    random.once(8) ? 0n : 3n,
  ])
  const { address, tag } = place
  const wrong = random.once(60) ? AMOUNT_MAX + 1n : units
  return {
    kind: 'AskWithdrawal',
    accountId,
    asset,
    amount: amount(wrong),
    address,
    tag,
    withdrawOrderId: own,
  }
}

function randomRetraction(random: RandomSource, state: ReferenceState): RetractWithdrawal {
  const kind = 'RetractWithdrawal'
  const asked = state.withdrawals.filter((one) => one.asked !== undefined)
  if (asked.length === 0 || random.once(12))
    return { kind, accountId: randomOwner(random, state), name: { kind: 'ID', reference: 'none' } }
  const waiting = asked.filter((one) => one.state === 'PENDING')
  const one = waiting.length > 0 && !random.once(3) ? random.pick(waiting) : random.pick(asked)
  const withdrawOrderId = one.asked?.withdrawOrderId
  const isOwn = withdrawOrderId !== undefined && random.once(2)
  const accountId = random.once(10) ? randomOwner(random, state) : one.accountId
  return {
    kind,
    accountId,
    name: isOwn ? { kind: 'OWN', withdrawOrderId } : { kind: 'ID', reference: one.reference },
  }
}

/** An address to be removed mostly exists. */
function randomAddress(random: RandomSource, state: ReferenceState): AddressChange {
  const isAllowed = !random.once(4)
  const label = random.once(20) ? 'x'.repeat(201) : random.pick(['', 'a wallet'])
  const known = state.addresses.length > 0 && (isAllowed ? random.once(4) : !random.once(4))
  if (known) {
    const { accountId, assetId, address, tag } = random.pick(state.addresses)
    const asset = state.assets[assetId]?.code ?? ''
    return { accountId, asset, address, tag, isAllowed, label }
  }
  const tag = random.once(15) ? 'a tag' : random.pick(['', '', '7'])
  const asset = assetCode(random, state)
  const barred = state.accounts.filter(({ restrictions }) => restrictions?.includes('WITHDRAW'))
  const accountId = barred.length > 0 && random.once(3) ? random.pick(barred).id : someOwner(random, state)
  return { accountId, asset, address: somePlace(random), tag, isAllowed, label }
}

export function randomAccountAddress(
  random: RandomSource,
  state: ReferenceState,
): Omit<SetAccountAddress, 'kind' | 'operator'> {
  return { ...randomAddress(random, state), isAtOnce: !random.once(4) }
}

/** Mostly terms under which addresses can be used at once, or soon. */
export function randomTerms(
  random: RandomSource,
  state: ReferenceState,
): Omit<SetWithdrawalTerms, 'kind' | 'operator'> {
  return {
    code: assetCode(random, state),
    withdrawMin: amount(random.pick([0n, 0n, 0n, 2n, random.once(3) ? 100n : 0n])),
    withdrawMax: amount(random.pick([0n, 0n, 0n, 40n])),
    addressDelayMs: random.pick([0, 0, 5, 60, DAY_MS, random.once(3) ? 30 * DAY_MS + 1 : 0]),
  }
}

/** Traders' withdrawals that no operator has claimed. */
export function unclaimed({ withdrawals }: ReferenceState): Withdrawal[] {
  return withdrawals.filter(
    ({ state, asked }) => state === 'PENDING' && asked !== undefined && asked.claimedAt === undefined,
  )
}

/** The claim of a withdrawal whose account may not withdraw. */
export function barredClaim(
  random: RandomSource,
  state: ReferenceState,
): Pick<HandleWithdrawal, 'reference' | 'step' | 'reason'> | undefined {
  const { accounts, assets } = state
  const barred = unclaimed(state).filter(
    ({ accountId, assetId }) =>
      accounts[accountId]?.restrictions?.includes('WITHDRAW') && assets[assetId]?.isWithdraw,
  )
  return barred.length === 0
    ? undefined
    : { reference: random.pick(barred).reference, step: 'CLAIM', reason: '' }
}

function somePlace(random: RandomSource): string {
  return random.once(15) ? random.pick(WRONG_PLACES) : random.pick(PLACES)
}
