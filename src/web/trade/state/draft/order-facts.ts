/** An order described for the user before it is sent: each value under the name of its field. */

import { Decimal } from '../../../../client/decimal.ts'
import type { NewOrderParameters } from '../../../../client/interface/parameters.ts'
import type { Side } from '../../../../client/interface/words.ts'
import { groupedText } from '../../../shared/grouped-text.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { amountText } from '../order-phrase.ts'
import type { Fact, Outgoing } from '../sending/outgoing.ts'
import { hasTimeInForce, type TradedMarket } from './draft.ts'
import { percentOf } from './trailing.ts'

/**
 * For an order to be sent: the question, and the label of the button that confirms. `what`: the amount and
 * its asset.
 */
export function sendingWords(side: Side, what: string): Pick<Outgoing, 'title' | 'yes'> {
  return { title: TEXTS.sending.title[side], yes: TEXTS.place[side](what) }
}

/** The amount of an order and its asset. */
export function whatOf({ quantity, total }: NewOrderParameters, market: TradedMarket): string {
  const { baseCode, quoteCode } = market
  if (quantity !== undefined) return amountText(`${quantity}`, baseCode)
  return total === undefined
    ? baseCode
    : TEXTS.orderPhrase.forTotal(baseCode, amountText(`${total}`, quoteCode))
}

/** `lastsMinutes`: the lifetime of a GTD order, in minutes. */
export function factsOf(
  order: NewOrderParameters,
  { baseCode, quoteCode }: TradedMarket,
  lastsMinutes?: number | undefined,
): readonly Fact[] {
  const { type, timeInForce, price, stopPrice, trailingDelta, quantity, total, icebergQty } = order
  const { fields } = TEXTS
  const fact = (label: string, value: unknown, code: string): readonly Fact[] =>
    value === undefined ? [] : [[label, `${groupedText(`${value}`)} ${code}`]]
  const worth =
    price === undefined || quantity === undefined
      ? undefined
      : Decimal.from(`${price}`).times(`${quantity}`).toString()
  return [
    [TEXTS.type, TEXTS.types[type]],
    ...fact(trailingDelta === undefined ? fields.stopPrice : TEXTS.trailing.from, stopPrice, quoteCode),
    ...(trailingDelta === undefined
      ? []
      : [[TEXTS.trailing.distance, TEXTS.trailing.when[order.side](percentOf(trailingDelta))] as const]),
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

/** The code, and its meaning. */
export function timeText(
  time: NonNullable<NewOrderParameters['timeInForce']>,
  lastsMinutes?: number | undefined,
): string {
  const text = `${time} · ${TEXTS.timesInForce[time]}`
  return lastsMinutes === undefined ? text : `${text}: ${lastsMinutes}`
}
