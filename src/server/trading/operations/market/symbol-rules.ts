/**
 * The rules of symbols (docs/reference/extensions.md#rules-of-symbols), from the gateway's own registry.
 * Their text is created once per change.
 */

import { symbolRulesBody, symbolRulesJson } from '../../../../contract/api/symbol-rules.ts'
import type { Language } from '../../../../contract/language.ts'
import { TRAILING_RULES } from '../../../../core/exchange/rules.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { ICEBERG_PARTS_MAX } from '../../../../core/trading/iceberg.ts'
import type { RegistryView } from '../../../../views/registry.ts'
import { Refusal } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { KeptBodies } from '../../kept-bodies.ts'
import { listedSymbols, operationOf, readListedSymbol } from '../../operation.ts'

export const symbolRules = operationOf('symbolRules', symbolRulesAnswer)

const bodies = new KeptBodies<Language>()

/**
 * Cached by the symbol's record, which is replaced at each change of the symbol, so a change of one symbol
 * does not cause the text of another one to be created again.
 */
const wordsBySymbol = new WeakMap<TradingSymbol, Words>()

type Words = { readonly isOpen: boolean; readonly isTrailingAllowed: boolean; readonly text: string }

function symbolRulesAnswer(call: Call): Answer {
  const { language, services } = call
  const { registry } = services.market
  const symbol = readListedSymbol(call)
  if (symbol instanceof Refusal) return symbol
  if (symbol !== undefined) return symbolRulesBody(registry.phases, [wordsOf(symbol, registry)], language)
  const { symbolChanges, assetChanges, phaseChanges, rulesVersion } = registry
  const changes = symbolChanges + assetChanges + phaseChanges + rulesVersion
  return bodies.get(registry, changes, language, () => {
    const texts = listedSymbols(registry).map((each) => wordsOf(each, registry))
    return symbolRulesBody(registry.phases, texts, language)
  })
}

function wordsOf(symbol: TradingSymbol, registry: RegistryView): string {
  const areOpen = [symbol.base, symbol.quote].every((asset) => registry.asset(asset)?.isTrade === true)
  const isOpen = areOpen && registry.phases.current.phase === 'TRADING'
  const isTrailingAllowed = registry.rulesVersion >= TRAILING_RULES
  const known = wordsBySymbol.get(symbol)
  if (known?.isOpen === isOpen && known.isTrailingAllowed === isTrailingAllowed) return known.text
  const text = symbolRulesJson({ ...symbol, isOpen, isTrailingAllowed, icebergPartsMax: ICEBERG_PARTS_MAX })
  wordsBySymbol.set(symbol, { isOpen, isTrailingAllowed, text })
  return text
}
