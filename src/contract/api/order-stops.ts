/**
 * The causes that keep a running node from accepting any order, as words of health and metrics, with their
 * text for people. The operator's page and `bourse admin node status` show them first. Every cause of a
 * general refusal must be listed here.
 */
export const ORDER_STOPS = {
  CLOCK_NOT_TRUSTED: 'the clock has jumped ahead: new orders are refused',
  STORAGE_FULL: 'the storage is full: orders, cancels and everything else that must be stored are refused',
  EXCHANGE_CANCEL_ONLY: 'the exchange is in CANCEL_ONLY: new orders are refused',
  EXCHANGE_CLOSED: 'the exchange is CLOSED: orders and cancels are refused',
  NO_SYMBOL_TRADING: 'no symbol is in TRADING: new orders are refused everywhere',
  ORDERS_REFUSED: 'every order has been refused for a minute or longer, for a reason in the service itself',
} as const

export type OrderStop = keyof typeof ORDER_STOPS

export const ORDER_STOP_WORDS = Object.keys(ORDER_STOPS) as readonly OrderStop[]

/** The text for a word of `degraded`; undefined if it stops no orders, or comes from a newer node. */
export function orderStopText(word: string): string | undefined {
  return Object.hasOwn(ORDER_STOPS, word) ? ORDER_STOPS[word as OrderStop] : undefined
}
