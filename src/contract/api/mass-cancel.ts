/** Answers to requests that cancel many orders (docs/reference/timers.md). */
import { object, optional, symbolName, timeMs, type ValueOf, whole } from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { successBody, successHeads } from '../envelope.ts'
import type { Language } from '../language.ts'

const CANCELED = successHeads({ en: 'The orders are being canceled.', tr: 'Emirler iptal ediliyor.' })
const SET = successHeads({ en: 'The countdown has been set.', tr: 'Geri sayım ayarlandı.' })
const OFF = successHeads({ en: 'The countdown is switched off.', tr: 'Geri sayım kapatıldı.' })

/** Without `symbol`, it applies to all symbols. The remaining orders no longer trade. */
export const MASS_CANCEL = object({
  symbol: optional(symbolName()),
  canceled: whole('Orders that have already ended.'),
  left: whole('Orders that have not ended yet.'),
})
export type MassCancelFigures = ValueOf<typeof MASS_CANCEL>

export function massCancelBody(figures: MassCancelFigures, language: Language): string {
  return successBody(CANCELED, language, jsonOf(MASS_CANCEL, figures))
}

/**
 * Without `symbol`, it applies to all symbols. `countdownTime` is in milliseconds; 0 means that it is
 * switched off.
 */
export const COUNTDOWN = object({
  symbol: optional(symbolName()),
  countdownTime: whole(),
  triggerAt: optional(timeMs('When the countdown ends; absent if countdownTime is 0.')),
})
export type CountdownFigures = ValueOf<typeof COUNTDOWN>

export function countdownBody(figures: CountdownFigures, language: Language): string {
  return successBody(figures.triggerAt === undefined ? OFF : SET, language, jsonOf(COUNTDOWN, figures))
}
