/**
 * What keeps a node that runs from taking any order, as words of health and metrics with what a person reads. The operator's page and
 * `bourse admin node status` say it before everything else. Whatever refuses every order has its word here.
 */
export const ORDER_STOPS = {
  CLOCK_NOT_TRUSTED: 'the clock has jumped ahead: new orders are refused',
  STORAGE_FULL: 'the storage is full: orders, cancels and whatever else has to be stored are refused',
  EXCHANGE_CANCEL_ONLY: 'the exchange is in CANCEL_ONLY: new orders are refused',
  EXCHANGE_CLOSED: 'the exchange is CLOSED: orders and cancels are refused',
  NO_SYMBOL_TRADING: 'no symbol is in TRADING: new orders are refused everywhere',
  ORDERS_REFUSED: 'for a minute or longer every order was refused for a reason of the service itself',
} as const

export type OrderStop = keyof typeof ORDER_STOPS

export const ORDER_STOP_WORDS = Object.keys(ORDER_STOPS) as readonly OrderStop[]

/** What is said of a word of `degraded`; undefined: it stops no orders, or is of a newer node. */
export function orderStopText(word: string): string | undefined {
  return Object.hasOwn(ORDER_STOPS, word) ? ORDER_STOPS[word as OrderStop] : undefined
}
