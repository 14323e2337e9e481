/**
 * Values for random commands: accounts, symbols, assets, operators, ids. Mostly existing ones, according to
 * the second bookkeeper.
 */
import type { CommandOf } from '../../src/core/commands/command.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { amount } from '../../src/units/quantities.ts'
import type { ShadowState } from '../checkers/shadow-state.ts'
import type { Random } from '../world/random.ts'

const PLENTY = 10n ** 9n

export class Picks {
  readonly #random: Random
  readonly #state: () => ShadowState
  #tag = 0

  constructor(random: Random, state: () => ShadowState) {
    this.#random = random
    this.#state = state
  }

  trader(): AccountId {
    const traders = this.#state().accounts.flatMap(({ id, role }) => (role === 'trader' ? [id] : []))
    // A few accounts trade a lot, so that they match one another and themselves.
    return (traders.length === 0 ? 0 : this.#random.pick(traders.slice(0, 6))) as AccountId
  }

  symbol(): TradingSymbol | undefined {
    const { symbols } = this.#state()
    return symbols.length === 0 ? undefined : this.#random.pick(symbols.slice(0, 3))
  }

  symbolName(isUnknown: boolean): string {
    return isUnknown ? 'NO/SUCH' : (this.symbol()?.name ?? 'A/B')
  }

  assetCode(isUnknown: boolean): string {
    const { assets } = this.#state()
    return isUnknown || assets.length === 0 ? 'NOSUCH' : this.#random.pick(assets.slice(0, 5)).code
  }

  bucket() {
    return this.#random.pick(['free', 'free', 'freeze', 'savings'] as const)
  }

  transfer(isHostile: boolean): Omit<CommandOf<'Credit'>, 'kind'> {
    const random = this.#random
    const amounts = isHostile ? [0n, -5n, 2n ** 127n, 2n ** 127n - 1n] : [1n, PLENTY, 10n * PLENTY, 7_777n]
    return {
      operator: this.operator(),
      accountId: (isHostile && random.chance(0.5)
        ? random.pick([0, 1, 10 ** 9])
        : this.trader()) as AccountId,
      asset: this.assetCode(isHostile && random.chance(0.3)),
      amount: amount(random.pick(amounts)),
      reference: random.chance(0.2) ? `reference ${random.below(20)}` : `reference ${random.bits()}`,
    }
  }

  /** One of a few people, so that the approver is sometimes another person. */
  operator() {
    const actor = this.#random.pick(['operator', 'token-0', 'token-1', 'token-2', 'token-3'])
    return { actor, note: this.#tagged() }
  }

  /** Rarely equals the id of another order. */
  clientOrderId(): string | undefined {
    return this.#random.chance(0.1) ? undefined : this.#tagged('-')
  }

  /** A text that no other command of the run has: it identifies the command in the journal. */
  #tagged(separator = ' '): string {
    return `${++this.#tag}${separator}${this.#random.bits()}`
  }
}

/** The account that was opened last: mostly one without money. */
export function newestTrader(state: ShadowState): AccountId {
  return (state.accounts.length - 1) as AccountId
}
