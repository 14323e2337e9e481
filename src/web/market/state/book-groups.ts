/**
 * Levels of a book grouped by price steps, exactly: a bid belongs to the whole step below it, an ask to the
 * one above it. So a group never shows a better price than its orders have, and the groups of both sides
 * never cross.
 */
import type { BookLevel } from '../../../client/stream/book-side.ts'
import { fixedDecimal } from '../../../units/decimal.ts'
import { type Decimals, UNITS_MAX } from '../../../units/quantities.ts'

export type BookSideName = 'bids' | 'asks'

/** The quantity resting within one step. */
export type LevelGroup = Pick<BookLevel, 'ticks' | 'lots'>

/** Maximum number of offered steps: 1, 2, 5, 10 ... ticks. */
const STEPS_MAX = 22
const MANTISSAS = [1, 2, 5]

/**
 * In ticks, the finest first; none is above `largest`, except the step of one tick, which is always offered.
 */
export function groupSteps(largest: number): readonly number[] {
  const steps: number[] = []
  for (let index = 0; index < STEPS_MAX; index++) {
    const step = (MANTISSAS[index % 3] ?? 1) * 10 ** Math.floor(index / 3)
    if (index > 0 && step > largest) break
    steps.push(step)
  }
  return steps
}

/** A step as a price: `0.05`. */
export function stepText(step: number, places: Decimals): string {
  return fixedDecimal(step, places)
}

/**
 * The number of levels that always suffices for `groups` groups: a group has at most as many levels as ticks.
 */
export function levelsForGroups(groups: number, step: number): number {
  return groups * step
}

/**
 * `levels`: best first; at most `groupsMax` groups are made from them, best first. `step`: an integer number
 * of ticks, 1 or more.
 */
export function groupLevels(
  levels: readonly BookLevel[],
  side: BookSideName,
  step: number,
  groupsMax: number,
): LevelGroup[] {
  const groups: { ticks: number; lots: bigint }[] = []
  for (const { ticks, lots } of levels) {
    const at = groupPrice(ticks, side, step)
    const last = groups.at(-1)
    if (last?.ticks === at) last.lots += lots
    else if (groups.length === groupsMax) break
    else groups.push({ ticks: at, lots })
  }
  return groups
}

/** The highest group is limited by the highest price, which no order exceeds. */
function groupPrice(ticks: number, side: BookSideName, step: number): number {
  const beyond = ticks % step
  if (side === 'bids' || beyond === 0) return ticks - beyond
  return UNITS_MAX - ticks < step - beyond ? UNITS_MAX : ticks + (step - beyond)
}
