/** Coverage cells of one match of two orders; `coverage.ts` has the others. */
import type { ExchangeEvent, OrdersMatched } from '../../src/core/events/event.ts'
import { bigintOf } from '../../src/units/whole.ts'

export function effectsOfMatch(match: OrdersMatched, events: readonly ExchangeEvent[]): string[] {
  const { maker, taker, takerSide, price, quantity } = match
  const [bought, sold] = takerSide === 'BUY' ? [taker, maker] : [maker, taker]
  const left = bigintOf(bought.total) - bigintOf(sold.total)
  const isLevelGone = events.some(
    (event) => event.kind === 'LevelChanged' && event.price === price && event.quantity === 0n,
  )
  const effects = [`OrdersMatched: ${isLevelGone ? 'maker filled' : 'maker left with a rest'}`]
  if (maker.accountId === taker.accountId) effects.push('OrdersMatched: both sides of one account')
  if (left > 0n) effects.push('OrdersMatched: one unit left over')
  if (left < 0n) effects.push('OrdersMatched: one unit given back')
  if (sold.total === 0) effects.push('OrdersMatched: for nothing')
  if (bought.commission === 0) effects.push('OrdersMatched: commission of nothing')
  if (sold.commission === sold.total && sold.total > 0n) {
    effects.push('OrdersMatched: commission is all that was received')
  }
  if (BigInt(price) * BigInt(quantity) > 2n ** 53n) effects.push('OrdersMatched: worth beyond 2^53')
  return effects
}
