/**
 * Random operators' commands: listings, switches, accounts, keys and money, valid and invalid. The number of
 * assets, symbols and accounts stays small, so that the comparison after every step stays cheap.
 */

import type { Command, CommandKind, EngineCommand, TraderCommand } from '../../src/core/commands/command.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { PERMISSIONS, SYMBOL_STATES, type SymbolState } from '../../src/units/order-enums.ts'
import { amount, type Decimals, decimals, RATE_ONE, type Rate } from '../../src/units/quantities.ts'
import { type Administration, randomAdministration } from './random-administration.ts'
import { assetCode, MOVABLE, money, someOwner, symbolName } from './random-operands.ts'
import type { RandomSource } from './random-source.ts'
import { ALL_FLAGS, OPERATOR, symbolTerms } from './random-world.ts'
import type { ReferenceState } from './reference-state.ts'

const ASSETS_MOST = 5
const SYMBOLS_MOST = 5
const TRADERS_MOST = 5

type Draw<K extends CommandKind> = (
  random: RandomSource,
  state: ReferenceState,
) => Extract<Command, { kind: K }>
type OperatorKind = Exclude<
  CommandKind,
  TraderCommand['kind'] | EngineCommand['kind'] | Administration['kind']
>

/** A new kind of command does not compile until it is drawn here. */
const DRAWS: { readonly [K in OperatorKind]: Draw<K> } = {
  ListAsset: (random, state) => ({
    kind: 'ListAsset',
    operator: OPERATOR,
    code: state.assets.length < ASSETS_MOST ? random.pick(['DDD', 'EEE', 'AAA', 'x', '']) : 'AAA',
    name: random.pick(['An asset', 'Ğüş', 'n'.repeat(200), 'n'.repeat(201), '']),
    fraction: random.pick([0, 2, 18, 19]) as Decimals,
    flags: ALL_FLAGS,
    supplyCap: amount(random.pick([0n, 0n, 1_000n, AMOUNT_MAX, AMOUNT_MAX + 1n, -1n])),
  }),
  SetAssetFlags: (random, state) => ({
    kind: 'SetAssetFlags',
    operator: OPERATOR,
    code: assetCode(random, state),
    flags: {
      isDeposit: !random.once(4),
      isTrade: !random.once(4),
      isWithdraw: random.once(2),
      isSaving: !random.once(4),
    },
  }),
  ListSymbol: listSymbol,
  SetSymbolState: (random, state) => {
    const symbol = symbolName(random, state)
    const wanted = random.once(2) ? someState(random, state, symbol) : 'TRADING'
    return { kind: 'SetSymbolState', operator: OPERATOR, symbol, state: wanted }
  },
  SetSymbolRates: (random, state) => ({
    kind: 'SetSymbolRates',
    operator: OPERATOR,
    symbol: symbolName(random, state),
    makerRate: anyRate(random),
    takerRate: anyRate(random),
  }),
  CreateAccount: (random, state) => ({
    kind: 'CreateAccount',
    operator: OPERATOR,
    name: random.pick([
      ...(state.accounts.filter(({ role }) => role === 'trader').length < TRADERS_MOST
        ? ['dora', 'eve']
        : []),
      ...['ann', 'ben', 'outside', 'rounding:AAA/BBB', '', 'n'.repeat(201), ':'],
    ]),
  }),
  CreateApiKey: (random, state) => ({
    kind: 'CreateApiKey',
    operator: OPERATOR,
    accountId: someOwner(random, state),
    apiKey: random.once(10) ? '' : `key-${random.below(30)}`,
    sealedSecret: new Uint8Array(random.once(8) ? random.pick([0, 1_025]) : random.pick([1, 32, 1_024])),
    permissions: PERMISSIONS.filter(() => random.once(2)).reverse(),
    addresses: random.once(8) ? random.pick([[''], Array<string>(101).fill('a')]) : ['10.0.0.0/8', '::1'],
    label: random.once(8) ? 'l'.repeat(201) : random.pick(['', 'first key']),
  }),
  SetApiKeyEnabled: (random, state) => ({
    kind: 'SetApiKeyEnabled',
    operator: OPERATOR,
    apiKey: random.once(4) || state.apiKeys.length === 0 ? 'no-such-key' : random.pick(state.apiKeys).apiKey,
    enabled: random.once(2),
  }),
  Credit: (random, state) => ({ kind: 'Credit', ...money(random, state, 'Credit') }),
  Debit: (random, state) => ({ kind: 'Debit', ...money(random, state, 'Debit') }),
  MoveBetweenBuckets: (random, state) => ({
    kind: 'MoveBetweenBuckets',
    from: random.pick(['free', 'free', ...MOVABLE]),
    to: random.pick(MOVABLE),
    ...money(random, state, 'MoveBetweenBuckets'),
  }),
  SetRulesVersion: (random) => ({
    kind: 'SetRulesVersion',
    operator: OPERATOR,
    version: random.pick([0, 1, 1, 2, 3, 4, 6, 7, 8, 8, 8]),
  }),
  MarkTime: () => ({ kind: 'MarkTime' }),
}

/** Names made of both codes of a pair, other names, and invalid ones. */
const BINANCE_NAMES = [
  'AAABBB',
  'BBBAAA',
  'AAACCC',
  'CCCBBB',
  'X',
  'Y9',
  '9'.repeat(32),
  '',
  'a',
  'X/Y',
] as const

const WEIGHTS: { readonly [K in OperatorKind]: number } = {
  ListAsset: 3,
  SetAssetFlags: 4,
  ListSymbol: 4,
  SetSymbolState: 5,
  SetSymbolRates: 5,
  CreateAccount: 6,
  CreateApiKey: 10,
  SetApiKeyEnabled: 3,
  Credit: 10,
  Debit: 10,
  MoveBetweenBuckets: 20,
  SetRulesVersion: 1,
  MarkTime: 3,
}

export function randomOperation(random: RandomSource, state: ReferenceState): Command {
  if (random.below(13) < 7) return randomAdministration(random, state)
  const over = state.symbols.find((symbol) => symbol.state === 'DELISTED')
  if (over !== undefined && random.once(20)) {
    return {
      kind: 'SetSymbolState',
      operator: OPERATOR,
      symbol: over.name,
      state: random.pick(SYMBOL_STATES),
    }
  }
  return DRAWS[random.weighted(WEIGHTS)](random, state)
}

/** A delisted symbol does not return: symbols that trade are seldom delisted, or trading would soon end. */
function someState(random: RandomSource, state: ReferenceState, name: string): SymbolState {
  const wanted = random.pick(SYMBOL_STATES)
  const isEmpty = !state.open.some(({ symbol }) => symbol.name === name)
  if (isEmpty && random.once(3)) return 'DELISTED'
  return wanted === 'DELISTED' && isEmpty ? 'HALTED' : wanted
}

function anyRate(random: RandomSource): Rate {
  return random.pick([0, 1, 99_999, 33_333_333, RATE_ONE - 1, RATE_ONE]) as Rate
}

function listSymbol(random: RandomSource, state: ReferenceState): Extract<Command, { kind: 'ListSymbol' }> {
  const [base, quote] = [assetCode(random, state), assetCode(random, state)]
  const isFull = state.symbols.length >= SYMBOLS_MOST
  const places = (code: string) => state.assets.find((asset) => asset.code === code)?.fraction ?? 0
  const terms = symbolTerms(random, places(base), places(quote))
  const wrong = random.pick([
    {},
    {},
    {},
    { baseFraction: decimals(Math.min(18, places(base) + 1)) },
    { takerRate: RATE_ONE as Rate },
    { openOrdersMax: 0 },
    { levelsMax: 0 },
    { minTotal: amount(-1n) },
  ])
  const pair = isFull ? { base: 'AAA', quote: 'BBB' } : { base, quote }
  const listed = { kind: 'ListSymbol', operator: OPERATOR, ...pair, terms: { ...terms, ...wrong } } as const
  return random.once(2) ? listed : { ...listed, binanceName: random.pick(BINANCE_NAMES) }
}
