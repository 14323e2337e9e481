/** Answers to what cancels many orders (docs/reference/timers.md). */
import type { TimeMs } from '../units/quantities.ts'
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'

const CANCELED = successHeads({ en: 'The orders are being canceled.', tr: 'Emirler iptal ediliyor.' })
const SET = successHeads({ en: 'The countdown has been set.', tr: 'Geri sayım ayarlandı.' })
const OFF = successHeads({ en: 'The countdown is switched off.', tr: 'Geri sayım kapatıldı.' })

export type MassCancelFigures = {
  /** Undefined: in all symbols. */
  readonly symbol: string | undefined
  /** Ended by now. */
  readonly canceled: number
  /** Still to be ended; none of them trades. */
  readonly left: number
}

export function massCancelBody(figures: MassCancelFigures, language: Language): string {
  const { symbol, canceled, left } = figures
  return successBody(CANCELED, language, JSON.stringify({ symbol, canceled, left }))
}

export type CountdownFigures = {
  /** Undefined: of all symbols. */
  readonly symbol: string | undefined
  /** In milliseconds; 0: it is switched off. */
  readonly countdownTime: number
  /** Absent where it is switched off. */
  readonly triggerAt: TimeMs | undefined
}

export function countdownBody(figures: CountdownFigures, language: Language): string {
  const { symbol, countdownTime, triggerAt } = figures
  const heads = triggerAt === undefined ? OFF : SET
  return successBody(heads, language, JSON.stringify({ symbol, countdownTime, triggerAt }))
}
