/** A line over the market while the exchange or the symbol does not trade, or a phase is planned. */

import type { TradingStatus } from '../state/market-state.ts'
import { phaseText } from '../state/phase-text.ts'
import { byId, setText } from './dom.ts'

export class PhaseView {
  readonly #line = byId('phase', HTMLElement)

  render(status: TradingStatus | undefined): void {
    const text = status && phaseText(status)
    setText(this.#line, text ?? '')
    this.#line.hidden = text === undefined
  }
}
