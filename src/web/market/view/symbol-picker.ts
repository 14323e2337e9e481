/**
 * The choice of the symbol. It is stored in the address (`#BTC/USDT`), so that it survives a reload and can
 * be shared.
 */

import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import type { ListedSymbol } from '../connection/symbols.ts'
import { byId, setText } from './dom.ts'

export class SymbolPicker {
  /** Opens the list of markets. */
  readonly #button = byId('market-button', HTMLButtonElement)
  readonly #onChoice: (symbol: ListedSymbol) => void
  #symbols: readonly ListedSymbol[] = []
  /** The list is known, even if it is empty. */
  #isOffered = false
  #wanted = nameInAddress()

  constructor(onChoice: (symbol: ListedSymbol) => void) {
    this.#onChoice = onChoice
    onLanguage(() => this.#showChosen())
    window.addEventListener('hashchange', () => this.choose(nameInAddress()))
  }

  /** The chosen symbol, or the first one; undefined while there is none. */
  get chosen(): ListedSymbol | undefined {
    return this.#symbols.find(({ name }) => name === this.#wanted) ?? this.#symbols[0]
  }

  /** Sets the symbols to choose from. */
  offer(symbols: readonly ListedSymbol[]): void {
    this.#symbols = symbols
    this.#isOffered = true
    this.#button.disabled = symbols.length === 0
    this.#showChosen()
  }

  /** Does nothing if no symbol has this name. */
  choose(name: string): void {
    const symbol = this.#symbols.find((listed) => listed.name === name)
    if (symbol === undefined) return
    this.#wanted = name
    history.replaceState(null, '', `#${name}`)
    this.#showChosen()
    this.#onChoice(symbol)
  }

  /** Chooses the next or previous symbol; after the last one comes the first. */
  step(by: 1 | -1): void {
    const at = this.#symbols.findIndex(({ name }) => name === this.chosen?.name)
    const next = this.#symbols.at((at + by) % this.#symbols.length)
    if (next !== undefined) this.choose(next.name)
  }

  #showChosen(): void {
    const { chosen } = this
    if (chosen === undefined) {
      if (this.#isOffered) setText(this.#button, TEXTS.markets.noButton)
      return
    }
    setText(this.#button, chosen.name)
    this.#button.ariaLabel = TEXTS.markets.button(chosen.name)
    setUnits('base', chosen.baseCode)
    setUnits('quote', chosen.quoteCode)
  }
}

function nameInAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}

/** Column headings name the asset of their figures. */
function setUnits(kind: 'base' | 'quote', code: string): void {
  for (const unit of document.querySelectorAll(`[data-unit="${kind}"]`)) setText(unit, code)
}
