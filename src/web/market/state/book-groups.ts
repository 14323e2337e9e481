/**
 * Levels of a book put together by price steps, exactly: a bid stands under the whole step below it, an ask under the one above it, so that a
 * group never promises a better price than its orders have, and the groups of both sides never cross.
 */
import type { BookLevel } from '../../../client/stream/book-side.ts'
import { fixedDecimal } from '../../../units/decimal.ts'
import { type Decimals, UNITS_MAX } from '../../../units/quantities.ts'

export type BookSideName = 'bids' | 'asks'

/** What rests within one step. */
export type LevelGroup = Pick<BookLevel, 'ticks' | 'lots'>

/** Steps that are offered: 1, 2, 5, 10 ... ticks. */
const STEPS_MAX = 22
const MANTISSAS = [1, 2, 5]

/** In ticks, the finest first; none above `largest`, a tick's step always. */
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

/** How many levels make `groups` groups for certain: no group has more than there are ticks in it. */
export function levelsForGroups(groups: number, step: number): number {
  return groups * step
}

/** `levels`: best first, of which at most `groupsMax` groups are made, best first. `step`: whole ticks, 1 or more. */
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

/** The highest price of all bounds the highest group: no order is above it. */
function groupPrice(ticks: number, side: BookSideName, step: number): number {
  const beyond = ticks % step
  if (side === 'bids' || beyond === 0) return ticks - beyond
  return UNITS_MAX - ticks < step - beyond ? UNITS_MAX : ticks + (step - beyond)
}
