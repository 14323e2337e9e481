/** When the page asks, as this browser keeps it: nothing secret, and nothing that an order depends on. */
import { browserEntry, type Entry, type EntryPorts, membersOf } from './browser-entry.ts'
import { typedNumber } from './number-field.ts'
import type { QuestionLimits } from './questions.ts'

const NAMES = ['pricePercent', 'balancePercent', 'value'] as const

export function limitEntry(ports: EntryPorts): Entry<Partial<QuestionLimits>> {
  return browserEntry(ports, 'bourse-question-limits', readLimits)
}

function readLimits(kept: unknown): Partial<QuestionLimits> {
  const members = membersOf(kept)
  const entries = NAMES.flatMap((name) => {
    const text = members[name]
    return typeof text === 'string' && typedNumber(text).kind !== 'refused' ? [[name, text] as const] : []
  })
  return Object.fromEntries(entries)
}
