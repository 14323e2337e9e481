/** Keeps when the page asks, in `localStorage`: nothing secret, and nothing that an order depends on. */
import { typedNumber } from './number-field.ts'
import type { QuestionLimits } from './questions.ts'
import type { LimitStore } from './ticket.ts'

const ENTRY = 'bourse-question-limits'
const NAMES = ['pricePercent', 'balancePercent', 'value'] as const

export function browserLimitStore(storage: () => Storage): LimitStore {
  return {
    read: () => {
      try {
        return readLimits(JSON.parse(storage().getItem(ENTRY) ?? '{}'))
      } catch {
        // Damaged, or a browser that keeps nothing: the usual limits hold.
        return {}
      }
    },
    write: (limits) => {
      try {
        storage().setItem(ENTRY, JSON.stringify(limits))
      } catch {
        // A browser that keeps nothing: they hold as long as the tab.
      }
    },
  }
}

function readLimits(kept: unknown): Partial<QuestionLimits> {
  if (typeof kept !== 'object' || kept === null) return {}
  const entries = Object.entries(kept).filter(
    ([name, text]) =>
      NAMES.some((known) => known === name) &&
      typeof text === 'string' &&
      typedNumber(text).kind !== 'refused',
  )
  return Object.fromEntries(entries)
}
