/**
 * The limits beyond which the page asks for confirmation, as stored by this browser: nothing secret, and
 * nothing that affects an order.
 */
import { browserEntry, type Entry, membersOf } from '../../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../../shared/browser-storage.ts'
import type { QuestionLimits } from '../sending/questions.ts'
import { typedNumber } from './number-field.ts'

const NAMES = ['pricePercent', 'balancePercent', 'value'] as const

export function limitEntry(storage: BrowserStorage): Entry<Partial<QuestionLimits>> {
  return browserEntry(storage, 'bourse-question-limits', readLimits)
}

function readLimits(kept: unknown): Partial<QuestionLimits> {
  const members = membersOf(kept)
  const entries = NAMES.flatMap((name) => {
    const text = members[name]
    return typeof text === 'string' && typedNumber(text).kind !== 'refused' ? [[name, text] as const] : []
  })
  return Object.fromEntries(entries)
}
