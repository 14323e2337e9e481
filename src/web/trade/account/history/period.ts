/** The period of a history, in the displayed time zone. */
import { momentOf, zonedIso } from '../../../shared/texts/time-zone.ts'

export const PERIODS = ['ALL', 'TODAY', 'WEEK', 'MONTH', 'CHOSEN'] as const

export type PeriodKind = (typeof PERIODS)[number]

/** `from` and `to` in the format of the browser's fields, `2026-11-23T14:05`; empty if that side is open. */
export type Period = { readonly kind: PeriodKind; readonly from: string; readonly to: string }

export const EVER: Period = { kind: 'ALL', from: '', to: '' }

/** In milliseconds, both inclusive; absent if that side is open. */
export type TimeRange = { readonly from?: number; readonly to?: number }

export type PeriodProblem = 'UNREADABLE' | 'BACKWARDS'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const FIELD = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

/** `now`: the server's time. A chosen minute is included completely. */
export function rangeOf({ kind, from, to }: Period, now: number): TimeRange | PeriodProblem {
  switch (kind) {
    case 'ALL':
      return {}
    case 'TODAY':
      return { from: midnightBefore(now, 0) }
    case 'WEEK':
      return { from: midnightBefore(now, 6) }
    case 'MONTH':
      return { from: midnightBefore(now, 29) }
    case 'CHOSEN':
      return chosenRange(from, to)
  }
}

/** `2026-11-23 14:05:09`. */
export function momentText(timeMs: number): string {
  return zonedIso(timeMs).slice(0, 19).replace('T', ' ')
}

/** `11-23 14:05:09`; with the year if it differs from that of `now`. */
export function shortText(timeMs: number, now: number): string {
  const [text, today] = [momentText(timeMs), momentText(now)]
  return text.slice(0, 4) === today.slice(0, 4) ? text.slice(5) : text
}

/** `2026-11-23`, UTC. */
export function utcDate(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

/** The beginning of the day `days` days before today. Days may be an hour longer or shorter than 24 hours. */
function midnightBefore(now: number, days: number): number {
  const midnight = (timeMs: number) => momentOf(`${zonedIso(timeMs).slice(0, 10)}T00:00`)
  return midnight(midnight(now) + DAY_MS / 2 - days * DAY_MS)
}

function chosenRange(from: string, to: string): TimeRange | PeriodProblem {
  const [start, end] = [minuteOf(from), minuteOf(to)]
  if (start === 'UNREADABLE' || end === 'UNREADABLE') return 'UNREADABLE'
  if (start !== undefined && end !== undefined && end < start) return 'BACKWARDS'
  return {
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined ? {} : { to: end + MINUTE_MS - 1 }),
  }
}

function minuteOf(text: string): number | 'UNREADABLE' | undefined {
  if (text === '') return undefined
  const time = FIELD.test(text) ? momentOf(text) : Number.NaN
  return Number.isNaN(time) || time < 0 ? 'UNREADABLE' : time
}
