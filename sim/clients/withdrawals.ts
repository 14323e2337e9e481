/** Random withdrawals of traders and addresses of accounts: mostly existing ones, some wrong on purpose. */
import type { AddressChange, RetractWithdrawal } from '../../src/core/commands/withdrawals.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { amount } from '../../src/units/quantities.ts'
import { askedOf, type Withdrawing } from '../../test/oracle/asked-withdrawals.ts'
import type { ShadowState } from '../checkers/shadow-state.ts'
import type { Random } from '../world/random.ts'

type Drawn = { readonly accountId: AccountId; readonly asset: string; readonly amount: unknown }

const PLACES = ['bc1-one', 'bc1-two', 'bc1-three'] as const
const TAGS = ['', '', '7'] as const
const OWN_IDS = 12

export function drawWithdrawing(
  kind: Withdrawing['kind'],
  random: Random,
  state: ShadowState,
  drawn: Drawn,
  isHostile: boolean,
): Withdrawing {
  switch (kind) {
    case 'AskWithdrawal': {
      const known =
        random.chance(0.85) && state.addresses.length > 0 ? random.pick(state.addresses) : undefined
      const { accountId, address, tag } = known ?? { ...drawPlace(random), accountId: drawn.accountId }
      const asset = known === undefined ? drawn.asset : (state.assets[known.assetId]?.code ?? '')
      const units = isHostile ? random.pick([0n, 2n ** 130n]) : BigInt(random.between(1, 40))
      const withdrawOrderId = random.chance(0.4) ? undefined : `own-${random.below(OWN_IDS)}`
      return { kind, accountId, asset, amount: amount(units), address, tag, withdrawOrderId }
    }
    case 'RetractWithdrawal':
      return { kind, ...drawName(random, state, drawn.accountId) }
    case 'SetOwnAddress':
      return { kind, ...drawAddress(random, state, drawn, isHostile) }
  }
}

/** An existing address or a new one; an address to be removed mostly exists. */
export function drawAddress(
  random: Random,
  state: ShadowState,
  { accountId, asset }: Drawn,
  isHostile: boolean,
): AddressChange {
  const isAllowed = random.chance(0.8)
  const label = isHostile ? 'x'.repeat(201) : random.pick(['', 'cold wallet'])
  const known = random.chance(isAllowed ? 0.2 : 0.8) && state.addresses.length > 0
  if (!known) return { accountId, asset, ...drawPlace(random), isAllowed, label }
  const { address, tag, ...of } = random.pick(state.addresses)
  const code = state.assets[of.assetId]?.code ?? ''
  return { accountId: of.accountId, asset: code, address, tag, isAllowed, label }
}

function drawPlace(random: Random): { readonly address: string; readonly tag: string } {
  return { address: random.pick(PLACES), tag: random.pick(TAGS) }
}

/** Mostly a requested withdrawal, by either of its names. */
function drawName(
  random: Random,
  state: ShadowState,
  accountId: AccountId,
): Pick<RetractWithdrawal, 'accountId' | 'name'> {
  const all = state.withdrawals.filter(({ asked }) => asked !== undefined)
  if (all.length === 0 || random.chance(0.1)) return { accountId, name: { kind: 'ID', reference: 'none' } }
  const picked = random.pick(all)
  const [asked] = askedOf(state, picked.accountId).filter(({ reference }) => reference === picked.reference)
  const own = asked?.asked.withdrawOrderId
  const name =
    own !== undefined && random.chance(0.5)
      ? ({ kind: 'OWN', withdrawOrderId: own } as const)
      : ({ kind: 'ID', reference: picked.reference } as const)
  return { accountId: random.chance(0.05) ? accountId : picked.accountId, name }
}
