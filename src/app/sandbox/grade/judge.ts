/** All rules of a grade, one after another. A pure function of the record. */
import { driftedBooks, endings, wrongBeliefs } from './belief-rules.ts'
import type { BotRecord, Finding } from './record.ts'
import { hammering, ignoredClock, ignoredLimits, repeatedRefusals, unknownOutcomes } from './request-rules.ts'

const RULES: readonly ((record: BotRecord) => readonly Finding[])[] = [
  unknownOutcomes,
  ignoredLimits,
  ignoredClock,
  hammering,
  repeatedRefusals,
  wrongBeliefs,
  driftedBooks,
  endings,
]

export function judge(record: BotRecord): readonly Finding[] {
  return RULES.flatMap((rule) => rule(record))
}

/** Checks that could not be made, since the bot did not do or report anything for them. */
export function unchecked({ reports, requests }: BotRecord): readonly string[] {
  const said = (name: 'fills' | 'position' | 'book') =>
    reports.some(({ report }) => report[name] !== undefined)
  const names = (['fills', 'position', 'book'] as const).filter((name) => !said(name))
  const isStruck = requests.some(({ fault }) => fault === 'LOST_ANSWER')
  return [...names, ...(isStruck ? [] : ['lost answers'])]
}
