/** What a balance is worth in another asset at the last prices, where a market trades the two. */
import { Decimal } from '../../../client/decimal.ts'
import type { PriceTicker } from '../../../client/interface/answers.ts'
import type { Balance } from '../../../client/interface/messages.ts'

/** Free, in orders and frozen together. Undefined: no market says it. */
export function worthOf(
  { asset, free, locked, freeze }: Balance,
  code: string,
  prices: readonly PriceTicker[],
): Decimal | undefined {
  const whole = Decimal.from(free).plus(locked).plus(freeze)
  if (asset === code) return whole
  const price = prices.find(({ symbol }) => symbol === `${asset}/${code}`)?.price
  return price === undefined ? undefined : whole.times(price)
}
