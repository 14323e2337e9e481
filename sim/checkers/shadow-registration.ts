/**
 * Operators' commands that list and switch on or off, as the second bookkeeper expects them: which refusals are
 * justified, what must have changed.
 */

import type { Command, CommandKind } from '../../src/core/exchange/command.ts'
import { bigintOf } from '../../src/units/whole.ts'
import {
  expectKinds,
  hasSymbol,
  isAccepted,
  isAmount,
  isText,
  NEWEST_RULES,
  type No,
  type Of,
  RATE_LIMIT,
  symbolOf,
} from './shadow-rules.ts'
import { type Applied, demand, type ShadowState } from './shadow-state.ts'

const KINDS = [
  'ListAsset',
  'SetAssetFlags',
  'ListSymbol',
  'SetSymbolState',
  'SetSymbolRates',
  'SetRulesVersion',
] as const satisfies readonly CommandKind[]

export type ShadowRegistration = Of<(typeof KINDS)[number]>

export function isShadowRegistration(command: Command): command is ShadowRegistration {
  return (KINDS as readonly CommandKind[]).includes(command.kind)
}

export function checkRegistration(state: ShadowState, applied: Applied, command: ShadowRegistration): void {
  const accepted = isAccepted(applied, (no) => addRefusals(state, command, no))
  if (accepted) take(state, applied, command)
}

function addRefusals(state: ShadowState, command: ShadowRegistration, no: No): void {
  switch (command.kind) {
    case 'ListAsset':
      no(!/^[A-Z0-9]{1,16}$/.test(command.code) || !isText(command.name, 1), 'INVALID_COMMAND')
      no(command.fraction > 18 || !isAmount(bigintOf(command.supplyCap)), 'INVALID_COMMAND')
      no(state.assetByCode(command.code) >= 0, 'ASSET_EXISTS')
      break
    case 'SetAssetFlags':
      no(state.assetByCode(command.code) < 0, 'UNKNOWN_ASSET')
      break
    case 'ListSymbol':
      addSymbolRefusals(state, command, no)
      break
    case 'SetSymbolState':
      no(!hasSymbol(state, command.symbol), 'UNKNOWN_SYMBOL')
      no(command.state === 'DELISTED' && hasOrders(state, command.symbol), 'SYMBOL_NOT_EMPTY')
      no(
        state.isStrict && command.state !== 'DELISTED' && isDelisted(state, command.symbol),
        'SYMBOL_DELISTED',
      )
      break
    case 'SetSymbolRates':
      no(!hasSymbol(state, command.symbol), 'UNKNOWN_SYMBOL')
      no(command.makerRate >= RATE_LIMIT || command.takerRate >= RATE_LIMIT, 'INVALID_COMMAND')
      break
    case 'SetRulesVersion':
      no(command.version < state.rules || command.version > NEWEST_RULES, 'UNKNOWN_RULES_VERSION')
      break
  }
}

function addSymbolRefusals(state: ShadowState, command: Of<'ListSymbol'>, no: No): void {
  const { terms } = command
  const base = state.assetByCode(command.base)
  const quote = state.assetByCode(command.quote)
  no(base < 0 || quote < 0, 'UNKNOWN_ASSET')
  no(hasSymbol(state, `${command.base}/${command.quote}`), 'SYMBOL_EXISTS')
  no(base === quote, 'INVALID_COMMAND')
  no(terms.baseFraction > (state.assets[base]?.fraction ?? 18), 'INVALID_COMMAND')
  no(terms.quoteFraction > (state.assets[quote]?.fraction ?? 18), 'INVALID_COMMAND')
  no(terms.makerRate >= RATE_LIMIT || terms.takerRate >= RATE_LIMIT, 'INVALID_COMMAND')
  no(!isAmount(bigintOf(terms.minTotal)) || terms.openOrdersMax < 1 || terms.levelsMax < 1, 'INVALID_COMMAND')
}

/** Changes the state as the command asks, and checks that answer and events say so. */
function take(state: ShadowState, applied: Applied, command: ShadowRegistration): void {
  const { reply, events } = applied
  switch (command.kind) {
    case 'ListAsset':
      demand(reply.kind === 'AssetListed' && reply.assetId === state.assets.length, 'asset ids count up')
      state.assets.push({
        code: command.code,
        fraction: command.fraction,
        cap: bigintOf(command.supplyCap),
        creditMax: 0n,
        approvalAbove: 0n,
        flags: command.flags,
        held: [],
      })
      expectKinds(events, ['AssetChanged'])
      break
    case 'SetAssetFlags':
      ;(state.assets[state.assetByCode(command.code)] as { flags: unknown }).flags = command.flags
      expectKinds(events, ['AssetChanged'])
      break
    case 'ListSymbol':
      listSymbol(state, applied, command)
      break
    case 'SetSymbolState':
      symbolOf(state, command.symbol).state = command.state
      expectKinds(events, ['SymbolChanged'])
      break
    case 'SetSymbolRates': {
      const symbol = symbolOf(state, command.symbol)
      symbol.makerRate = BigInt(command.makerRate)
      symbol.takerRate = BigInt(command.takerRate)
      expectKinds(events, ['SymbolChanged'])
      break
    }
    case 'SetRulesVersion':
      expectKinds(events, command.version === state.rules ? [] : ['RulesVersionChanged'])
      state.rules = command.version
      break
  }
}

function listSymbol(state: ShadowState, { reply, events }: Applied, command: Of<'ListSymbol'>): void {
  const { base, quote, terms } = command
  demand(reply.kind === 'SymbolListed' && reply.symbolId === state.symbols.length, 'symbol ids count up')
  const name = `${base}/${quote}`
  state.symbols.push({
    id: state.symbols.length,
    name,
    base: state.assetByCode(base),
    quote: state.assetByCode(quote),
    baseFraction: terms.baseFraction,
    quoteFraction: terms.quoteFraction,
    minTotal: bigintOf(terms.minTotal),
    minQuantity: terms.minQuantity,
    selfTradeMode: terms.selfTradeMode,
    openOrdersMax: terms.openOrdersMax,
    levelsMax: terms.levelsMax,
    roundingAccount: state.accounts.length,
    makerRate: BigInt(terms.makerRate),
    takerRate: BigInt(terms.takerRate),
    state: 'TRADING',
    band: [1, Number.MAX_SAFE_INTEGER],
    book: { BUY: [], SELL: [] },
  })
  state.openAccount(`rounding:${name}`, 'rounding')
  expectKinds(events, ['AccountCreated', 'SymbolChanged'])
}

function isDelisted(state: ShadowState, name: string): boolean {
  return state.symbols.some((symbol) => symbol.name === name && symbol.state === 'DELISTED')
}

function hasOrders(state: ShadowState, name: string): boolean {
  const book = state.symbols.find((symbol) => symbol.name === name)?.book
  return book !== undefined && book.BUY.length + book.SELL.length > 0
}
