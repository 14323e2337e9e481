/** What the page says of the phase of the exchange, and of a symbol that does not trade. */
import type { TimeMs } from '../../units/quantities.ts'
import type { TradingStatus } from './market-state.ts'

const NOW: Readonly<Record<string, string>> = {
  CANCEL_ONLY: 'Trading is stopped in all symbols: orders can be canceled, not placed.',
  CLOSED: 'The exchange is closed: orders can be neither placed nor canceled.',
}
const OF_SYMBOL: Readonly<Record<string, string>> = {
  HALTED: 'Trading in this symbol is halted: orders can be canceled, not placed.',
  CANCEL_ONLY: 'This symbol is wound down: orders can be canceled, not placed.',
  DELISTED: 'This symbol is not traded any more.',
}
const PLANNED: Readonly<Record<string, string>> = {
  TRADING: 'trading',
  CANCEL_ONLY: 'cancelling only',
  CLOSED: 'closed',
}

/** Undefined: all is as ever, and nothing else is planned. */
export function phaseText({ state, phase, planned }: TradingStatus): string | undefined {
  const sentences = [NOW[phase] ?? OF_SYMBOL[state]]
  if (planned.length > 0) {
    const steps = planned.map((step) => `${PLANNED[step.phase] ?? step.phase} from ${minuteText(step.at)}`)
    sentences.push(`Planned: ${steps.join(', ')} (UTC).`)
  }
  const text = sentences.filter((sentence) => sentence !== undefined).join(' ')
  return text === '' ? undefined : text
}

/** `2026-12-01 02:00`. */
function minuteText(time: TimeMs): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}
