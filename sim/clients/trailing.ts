/** Distances of orders that follow the price. */
import type { OrderTrigger } from '../../src/core/commands/orders.ts'
import type { Price } from '../../src/units/quantities.ts'
import type { TrailingDelta } from '../../src/units/trailing-delta.ts'
import type { ShadowState } from '../checkers/shadow-state.ts'
import { TRAILING_RULES } from '../checkers/shadow-trailing.ts'
import type { Random } from '../world/random.ts'

/** Mostly so near that a few trades trigger it; sometimes a distance that is not allowed. */
export function drawDelta(random: Random): TrailingDelta {
  const delta = random.chance(0.03) ? random.pick([0, 9, 2_001]) : random.pick([10, 20, 50, 100, 300, 2_000])
  return delta as TrailingDelta
}

/** A price to wait for, or a distance, or both. */
export function drawTrigger(random: Random, { rulesVersion }: ShadowState, stopPrice: Price): OrderTrigger {
  if (!random.chance(rulesVersion >= TRAILING_RULES ? 0.5 : 0.01)) return { stopPrice }
  return { stopPrice: random.chance(0.5) ? stopPrice : undefined, trailingDelta: drawDelta(random) }
}
