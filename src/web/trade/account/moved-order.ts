/** An order moved to another price on the chart, described for the user before it is sent. */
import { Decimal } from '../../../client/decimal.ts'
import type { Order } from '../../../client/interface/orders.ts'
import type { NewOrderParameters } from '../../../client/interface/parameters.ts'
import { TEXTS } from '../../shared/texts/texts.ts'
import type { TradedMarket } from '../state/draft/draft.ts'
import { percentOf } from '../state/draft/trailing.ts'
import type { Fact, Outgoing } from '../state/sending/outgoing.ts'
import type { Question } from '../state/sending/questions.ts'
import { replacementOf } from '../state/sending/replacement.ts'

export type Move = {
  readonly order: Order
  readonly field: 'price' | 'stopPrice'
  /** The new price. */
  readonly price: string
  /** The effect of the move at this time, in words. */
  readonly effect: () => string
}

export type MoveSurroundings = {
  readonly market: TradedMarket
  /** The reasons to ask before an order is sent, from the page's current data. */
  readonly questions: (order: NewOrderParameters) => readonly Question[]
}

/** The reason why the order cannot be moved to any price; undefined if it can be moved. */
export function whyNotMoved({ listId }: Order): 'LIST' | undefined {
  // The list would end with the order (docs/reference/order-lists.md#what-ends-a-list).
  return listId === undefined ? undefined : 'LIST'
}

export function movedOrder(
  { order, field, price, effect }: Move,
  { market, questions }: MoveSurroundings,
): Outgoing {
  const { moves, fields, trailing } = TEXTS
  const rest = replacementOf(order, { [field]: price })
  const left =
    rest.quantity === undefined ? `${rest.total} ${market.quoteCode}` : `${rest.quantity} ${market.baseCode}`
  const follows = followsText(rest)
  const isBegun = Decimal.from(order.executedQuantity).compare('0') > 0
  return {
    title: moves.title(TEXTS.side[order.side], order.symbol),
    yes: moves.confirm,
    symbol: order.symbol,
    parts: [
      {
        // Evaluated at each rendering: the book changes while the dialog is open.
        get facts(): readonly Fact[] {
          return [
            [TEXTS.type, TEXTS.types[order.type]],
            [
              field === 'stopPrice' && follows !== undefined ? trailing.from : fields[field],
              `${order[field] ?? ''} → ${price} ${market.quoteCode}`,
            ],
            ...(follows === undefined ? [] : [[trailing.distance, follows] as const]),
            [moves.left, left],
            [moves.effect, effect()],
            ...(isBegun ? [[moves.filled, moves.filledNote(order.executedQuantity)] as const] : []),
          ]
        },
      },
    ],
    questions: () => questions(rest),
    subject: { kind: 'REPLACEMENT', before: order, order: rest },
    send: (trader) => trader.replace(order, replacementOf(order, { [field]: price })),
  }
}

/** Undefined for an order that does not follow the price. */
function followsText({ side, stopPrice, trailingDelta }: NewOrderParameters): string | undefined {
  if (trailingDelta === undefined) return undefined
  const { when, anew } = TEXTS.trailing
  const text = when[side](percentOf(trailingDelta))
  return stopPrice === undefined ? `${text} ${anew}` : text
}
