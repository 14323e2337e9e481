/**
 * Coverage of order lists in random runs: each kind with each answer, and the outcomes of each type of order
 * in each role.
 */
import type { ExchangeEvent } from '../../src/core/events/event.ts'
import type { OrderNumber } from '../../src/units/ids.ts'
import { type ListRole, ORDER_TYPES, type OrderType } from '../../src/units/order-enums.ts'

const ANY_LIST = [
  'ListAccepted',
  'ListRepeated',
  'DUPLICATE_CLIENT_ORDER_ID',
  'TOO_MANY_CLIENT_ORDER_IDS',
  'RULES_VERSION_TOO_LOW',
  'UNKNOWN_SYMBOL',
  'UNKNOWN_ACCOUNT',
  'ACCOUNT_RESTRICTED',
  'ACCOUNT_CLOSED',
  'EXCHANGE_CANCEL_ONLY',
  'EXCHANGE_CLOSED',
  'SYMBOL_HALTED',
  'SYMBOL_CANCEL_ONLY',
  'SYMBOL_DELISTED',
  'ASSET_NOT_TRADABLE',
  'INVALID_COMMAND',
  'QUANTITY_TOO_SMALL',
  'TOO_MANY_OPEN_ORDERS',
  'PRICE_OUT_OF_BAND',
  'PRICE_NOT_ON_TICK',
  'QUANTITY_NOT_ON_STEP',
  'TOTAL_TOO_SMALL',
  'TOO_MANY_PRICE_LEVELS',
  'INSUFFICIENT_FUNDS',
  'LIMIT_MAKER_WOULD_TAKE',
]

/** Every possible answer of each kind of command on lists. */
export const LIST_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  'PlaceList OCO': [...ANY_LIST, 'LIST_PRICES_CROSSED'],
  'PlaceList OTO': [...ANY_LIST, 'FOK_NOT_FILLABLE'],
  'PlaceList OTOCO': [...ANY_LIST, 'FOK_NOT_FILLABLE', 'LIST_PRICES_CROSSED'],
  CancelList: ['ListAccepted', 'UNKNOWN_ORDER_LIST', 'EXCHANGE_CLOSED'],
  CancelClientList: ['ListAccepted', 'UNKNOWN_ORDER_LIST', 'EXCHANGE_CLOSED'],
  PlacePending: ['ListAccepted', 'UNKNOWN_ORDER_LIST'],
}

const PROFITS = ['LIMIT_MAKER', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'] as const
const LOSSES = ['STOP_LOSS', 'STOP_LOSS_LIMIT'] as const
/**
 * The role group of an order in its list. Both orders of a pair are in one group, since the upper order has
 * the same role for a buyer as the lower one has for a seller.
 */
export const GROUP_OF = {
  ABOVE: 'PAIR',
  BELOW: 'PAIR',
  WORKING: 'WORKING',
  PENDING: 'PENDING',
  PENDING_ABOVE: 'PENDING_PAIR',
  PENDING_BELOW: 'PENDING_PAIR',
} as const satisfies Record<ListRole, string>

export type Group = (typeof GROUP_OF)[ListRole]

/** The types that an order of each role group may have (docs/reference/order-lists.md). */
export const TYPES: Readonly<Record<Group, readonly OrderType[]>> = {
  PAIR: [...PROFITS, ...LOSSES],
  WORKING: ['LIMIT', 'LIMIT_MAKER'],
  PENDING: ORDER_TYPES,
  PENDING_PAIR: [...PROFITS, ...LOSSES],
}

const OUTCOMES: Readonly<Record<Group, readonly string[]>> = {
  PAIR: ['executed', 'USER', 'LIST'],
  WORKING: ['executed', 'USER', 'LIST'],
  PENDING: ['activated', 'LIST'],
  PENDING_PAIR: ['activated', 'LIST'],
}

/** These outcomes are possible for every type. */
const OF_ANY_TYPE = [
  'PENDING -> executed',
  'PENDING -> PENDING_REFUSED',
  'PENDING -> USER',
  'PENDING_PAIR -> executed',
  'PENDING_PAIR -> PENDING_REFUSED',
  'WORKING -> OPERATOR',
]

/** The possible outcomes of an order of a list, by its type and role. */
export function listEnds(): string[] {
  const ofTypes = Object.entries(TYPES).flatMap(([group, types]) =>
    types.flatMap((type) => OUTCOMES[group as Group].map((outcome) => `${group} ${type} -> ${outcome}`)),
  )
  return [...ofTypes, ...OF_ANY_TYPE]
}

const KNOWN_ENDS: ReadonlySet<string> = new Set(listEnds())

/** Follows the orders of lists through a run; numbers start again with the next run. */
export class ListedOrders {
  readonly #wordsByOrder = new Map<OrderNumber, readonly [Group, OrderType]>()

  /** Outcomes of orders of lists in these events. */
  endsOf(events: readonly ExchangeEvent[]): string[] {
    return events.flatMap((event) => this.#endsWith(event)).filter((end) => KNOWN_ENDS.has(end))
  }

  #endsWith(event: ExchangeEvent): string[] {
    switch (event.kind) {
      case 'OrderPlaced':
        if (event.inList === undefined) this.#wordsByOrder.delete(event.orderNumber)
        else this.#wordsByOrder.set(event.orderNumber, [GROUP_OF[event.inList.role], event.type])
        return []
      case 'OrderActivated':
        return this.#end(event.orderNumber, 'activated')
      case 'OrderCanceled':
        return this.#end(event.orderNumber, event.cause)
      case 'OrdersMatched':
        return [event.maker, event.taker].flatMap(({ orderNumber }) => this.#end(orderNumber, 'executed'))
      default:
        return []
    }
  }

  #end(order: OrderNumber, outcome: string): string[] {
    const words = this.#wordsByOrder.get(order)
    return words === undefined ? [] : [`${words.join(' ')} -> ${outcome}`, `${words[0]} -> ${outcome}`]
  }
}
