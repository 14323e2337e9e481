/** The text about the phase of the exchange, and about a symbol that is not traded. */
import type { TimeMs } from '../../../units/quantities.ts'
import { TEXTS } from '../../shared/texts/texts.ts'
import { zonedIso, zoneName } from '../../shared/texts/time-zone.ts'
import type { TradingStatus } from './market-state.ts'

type Words = Readonly<Record<string, string>>

/** Undefined if the symbol trades normally, and no other phase is planned. */
export function phaseText({ state, phase, planned }: TradingStatus): string | undefined {
  const { phases } = TEXTS
  const [now, ofSymbol, next]: readonly Words[] = [phases.now, phases.symbol, phases.planned]
  const sentences = [now?.[phase] ?? ofSymbol?.[state]]
  if (planned.length > 0) {
    const steps = planned.map((step) => phases.step(next?.[step.phase] ?? step.phase, minuteText(step.at)))
    sentences.push(phases.plan(steps.join(', '), zoneName()))
  }
  const text = sentences.filter((sentence) => sentence !== undefined).join(' ')
  return text === '' ? undefined : text
}

/** `2026-12-01 02:00`. */
function minuteText(time: TimeMs): string {
  return zonedIso(time).slice(0, 16).replace('T', ' ')
}
