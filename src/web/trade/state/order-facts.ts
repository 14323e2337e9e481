/** An order as a person reads it before it is sent: each figure under the name that its field has. */

import { Decimal } from '../../../client/decimal.ts'
import type { NewOrderParameters } from '../../../client/interface/parameters.ts'
import type { Side } from '../../../client/interface/words.ts'
import { groupedText } from '../../common/grouped-text.ts'
import { TEXTS } from '../../texts/texts.ts'
import { hasTimeInForce, type TradedMarket } from './draft.ts'
import type { Fact } from './outgoing.ts'

export function sendingTitle(side: Side, market: TradedMarket): string {
  return TEXTS.sending.title[side](market.name)
}

/** `lastsMinutes`: of a GTD order. */
export function factsOf(
  order: NewOrderParameters,
  { baseCode, quoteCode }: TradedMarket,
  lastsMinutes?: number | undefined,
): readonly Fact[] {
  const { type, timeInForce, price, stopPrice, quantity, total, icebergQty } = order
  const { fields } = TEXTS
  const fact = (label: string, value: unknown, code: string): readonly Fact[] =>
    value === undefined ? [] : [[label, `${groupedText(`${value}`)} ${code}`]]
  const worth =
    price === undefined || quantity === undefined
      ? undefined
      : Decimal.from(`${price}`).times(`${quantity}`).toString()
  return [
    [TEXTS.type, TEXTS.types[type]],
    ...fact(fields.stopPrice, stopPrice, quoteCode),
    ...fact(fields.price, price, quoteCode),
    ...fact(fields.quantity, quantity, baseCode),
    ...fact(fields.total, total, quoteCode),
    ...fact(TEXTS.sending.total, worth, quoteCode),
    ...fact(fields.icebergQty, icebergQty, baseCode),
    ...(hasTimeInForce(type)
      ? [[TEXTS.timeInForce, timeText(timeInForce ?? 'GTC', lastsMinutes)] as const]
      : []),
  ]
}

/** The code, and what it means. */
export function timeText(
  time: NonNullable<NewOrderParameters['timeInForce']>,
  lastsMinutes?: number | undefined,
): string {
  const text = `${time} · ${TEXTS.timesInForce[time]}`
  return lastsMinutes === undefined ? text : `${text}: ${lastsMinutes}`
}
