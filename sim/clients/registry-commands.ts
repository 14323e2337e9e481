/**
 * Random operators' commands on the registry: assets, symbols, accounts and API keys, listed and switched;
 * and the version of the rules.
 */
import type { Command, CommandOf } from '../../src/core/commands/command.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { SELF_TRADE_MODES, SYMBOL_STATES } from '../../src/units/order-enums.ts'
import { amount, type Decimals, type Lots, type Rate } from '../../src/units/quantities.ts'
import { NEWEST_RULES } from '../../test/oracle/administered.ts'
import type { ShadowState } from '../checkers/shadow-state.ts'
import type { Random } from '../world/random.ts'
import { newestTrader, type Picks } from './picks.ts'

export type RegistryKind =
  | 'ListAsset'
  | 'SetAssetFlags'
  | 'ListSymbol'
  | 'SetSymbolState'
  | 'SetSymbolRates'
  | 'CreateAccount'
  | 'CreateApiKey'
  | 'SetApiKeyEnabled'
  | 'SetRulesVersion'

/** Helpers that these commands are drawn with. */
export type RegistryDraws = {
  readonly random: Random
  readonly state: ShadowState
  readonly picks: Picks
  readonly isHostile: boolean
}

export function drawRegistryCommand(kind: RegistryKind, draws: RegistryDraws): Command {
  const { random, state, picks, isHostile } = draws
  // ListSymbol and CreateApiKey draw their values again, so that runs of a seed stay the same.
  const operator = picks.operator()
  switch (kind) {
    case 'ListAsset': {
      const supplyCap = amount(random.chance(0.5) ? 0n : 10n ** 13n)
      const code = isHostile ? random.pick(['', 'bad code', 'A'.repeat(17)]) : `ASSET${random.below(12)}`
      return {
        kind,
        operator,
        code,
        name: 'an asset',
        fraction: random.between(2, 8) as Decimals,
        flags: { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true },
        supplyCap,
      }
    }
    case 'SetAssetFlags':
      return { kind, operator, code: picks.assetCode(isHostile), flags: drawFlags(random) }
    case 'ListSymbol':
      return drawListSymbol(draws)
    case 'SetSymbolState': {
      const drawn = random.chance(0.85) ? 'TRADING' : random.pick(SYMBOL_STATES)
      const over = state.symbols.find((symbol) => symbol.state === 'DELISTED')?.name
      const symbol = over !== undefined && random.chance(0.1) ? over : picks.symbolName(isHostile)
      // If a delisted symbol cannot return, few are delisted: otherwise trading would soon end.
      const isKept = drawn === 'DELISTED' && random.chance(0.5)
      return { kind, operator, symbol, state: isKept ? 'HALTED' : drawn }
    }
    case 'SetSymbolRates': {
      const rates = { makerRate: drawRate(random, isHostile), takerRate: drawRate(random, isHostile) }
      return { kind, operator, symbol: picks.symbolName(isHostile && random.chance(0.5)), ...rates }
    }
    case 'CreateAccount': {
      const name = isHostile
        ? random.pick(['', 'rounding:A/B', 'outside', 'x'.repeat(201)])
        : `trader ${random.below(60)}`
      return { kind, operator, name }
    }
    case 'CreateApiKey':
      return drawApiKey(draws)
    case 'SetApiKeyEnabled':
      return {
        kind,
        operator,
        apiKey: `key ${random.below(isHostile ? 1e9 : 40)}`,
        enabled: random.chance(0.7),
      }
    case 'SetRulesVersion':
      return { kind, operator, version: random.pick([0, 1, 16, NEWEST_RULES, NEWEST_RULES + 1, 2 ** 32]) }
  }
}

function drawListSymbol({ random, state, picks, isHostile }: RegistryDraws): CommandOf<'ListSymbol'> {
  const [base, quote] = [picks.assetCode(isHostile && random.chance(0.3)), picks.assetCode(false)]
  const fractionOf = (code: string): number => {
    return state.assets.find((asset) => asset.code === code)?.fraction ?? 0
  }
  const listed: CommandOf<'ListSymbol'> = {
    kind: 'ListSymbol',
    operator: picks.operator(),
    base,
    quote,
    terms: {
      baseFraction: random.between(0, Math.min(4, fractionOf(base)) + (isHostile ? 9 : 0)) as Decimals,
      quoteFraction: random.between(0, Math.min(3, fractionOf(quote))) as Decimals,
      makerRate: drawRate(random, isHostile),
      takerRate: drawRate(random, false),
      minTotal: amount(random.pick([0n, 0n, 50n])),
      minQuantity: random.pick([0, 0, 3]) as Lots,
      selfTradeMode: random.pick(SELF_TRADE_MODES),
      openOrdersMax: random.pick([4, 30, 200]),
      levelsMax: random.pick([5, 12, 200]),
    },
  }
  const { minQuantity, levelsMax } = listed.terms
  if (minQuantity === 0) return listed
  // From the values already drawn, so that runs of a seed stay the same.
  const binanceName = isHostile ? 'no/name' : levelsMax === 200 ? quote + base : `NAME${levelsMax}`
  return { ...listed, binanceName }
}

function drawApiKey({ random, state, picks, isHostile }: RegistryDraws): CommandOf<'CreateApiKey'> {
  const trader = random.chance(0.2) ? newestTrader(state) : picks.trader()
  return {
    kind: 'CreateApiKey',
    operator: picks.operator(),
    accountId: (isHostile ? random.pick([0, 1, 10 ** 9]) : trader) as AccountId,
    apiKey: `key ${random.below(200)}`,
    sealedSecret: new Uint8Array(isHostile && random.chance(0.5) ? 0 : 40),
    permissions: ['TRADE', 'WALLET'],
    addresses: [],
    label: '',
  }
}

function drawFlags(random: Random) {
  return {
    isDeposit: random.chance(0.9),
    isWithdraw: random.chance(0.9),
    isTrade: random.chance(0.95),
    isSaving: random.chance(0.9),
  }
}

function drawRate(random: Random, isHostile: boolean): Rate {
  return random.pick(isHostile ? [10 ** 8, 2 ** 40] : [0, 100_000, 123_457, 5_000_000]) as Rate
}
