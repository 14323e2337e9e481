/** An order in words, and the page's notices about orders and money. */

/** An order as a part of a sentence. `what`: the amount and its asset. */
export const ORDER_PHRASE = {
  side: { BUY: 'buy', SELL: 'sell' },
  forTotal: (code: string, total: string) => `${code} for ${total}`,
  fromFirst: (code: string) => `the entry’s filled quantity of ${code}`,
  of: {
    LIMIT: (side: string, what: string, price: string) => `${side} ${what} at ${price}`,
    LIMIT_MAKER: (side: string, what: string, price: string) => `${side} ${what} at ${price}, post only`,
    MARKET: (side: string, what: string) => `${side} ${what} at market`,
    STOP_LOSS: (side: string, what: string, stop: string) => `${side} ${what} at market, stop ${stop}`,
    STOP_LOSS_LIMIT: (side: string, what: string, stop: string, price: string) =>
      `${side} ${what} at ${price}, stop ${stop}`,
    TAKE_PROFIT: (side: string, what: string, stop: string) =>
      `${side} ${what} at market, take profit ${stop}`,
    TAKE_PROFIT_LIMIT: (side: string, what: string, stop: string, price: string) =>
      `${side} ${what} at ${price}, take profit ${stop}`,
  },
} as const

export const NOTICES = {
  title: 'Notices',
  none: 'Nothing has happened since you opened this page.',
  dismiss: (text: string) => `Dismiss: ${text}`,
  dismissAll: 'Dismiss all',
  more: (count: number) => `${count} more`,
  fewer: 'Show fewer',
  clear: 'Clear',
  notify: 'Browser notifications while this page is not visible',
  sound: 'With a sound',
  notAllowed: 'The browser does not allow notifications from this page.',
  idOf: (notice: string) => `id of: ${notice}`,
  placed: (order: string) => `Placed: ${order}`,
  placedList: (kind: string, orders: string) => `Placed, ${kind}: ${orders}`,
  notPlaced: (order: string, why: string) => `Not placed: ${order}. ${why}`,
  neverPlaced: (order: string) => `Not placed, and never will be: ${order}`,
  edited: (order: string, before: string) => `Edited: ${order} (before: ${before})`,
  notEdited: (order: string, why: string) => `Not edited: ${order}. ${why}`,
  neverEdited: (order: string) => `Not edited, and never will be: ${order}`,
  halfEdited: (order: string, why: string) =>
    `Canceled, and not placed again: ${order}. The new order was refused: ${why} Neither is open now: place a new order if you still want one.`,
  halfEditedLost: (order: string) =>
    `Canceled, and not placed again: ${order}. Neither order is open now: place a new one if you still want it.`,
  canceled: (order: string) => `Canceled: ${order}`,
  manyCanceled: (count: number) => `Canceled: ${count} orders`,
  cancelingMore: (count: number, left: number) =>
    `Canceled: ${count} orders; ${left} more are being canceled`,
  elsewhere: (order: string) => `Canceled elsewhere: ${order}`,
  manyElsewhere: (count: number) => `Canceled elsewhere: ${count} orders`,
  expired: (order: string) => `Expired: ${order}`,
  manyExpired: (count: number) => `Expired: ${count} orders`,
  ended: (order: string, reason: string) => `Canceled (${reason}): ${order}`,
  manyEnded: (count: number, reason: string) => `Canceled (${reason}): ${count} orders`,
  stopReached: (order: string) => `Stop triggered: ${order}`,
  profitReached: (order: string) => `Take profit triggered: ${order}`,
  transfer: (cause: string, amount: string, asset: string) => `${cause}: ${amount} ${asset}`,
  done: { BUY: 'bought', SELL: 'sold' },
  range: (low: string, high: string) => `${low} to ${high}`,
  average: (price: string) => `${price} on average`,
  filled: (done: string, what: string, price: string) => `Filled: ${done} ${what} at ${price}`,
  filledIn: (done: string, what: string, price: string, count: number) =>
    `Filled in ${count} trades: ${done} ${what} at ${price}`,
  partlyFilled: (done: string, what: string, price: string, left: string) =>
    `Partly filled: ${done} ${what} at ${price} (${left} left)`,
  partlyFilledIn: (done: string, what: string, price: string, left: string, count: number) =>
    `Partly filled in ${count} trades: ${done} ${what} at ${price} (${left} left)`,
} as const
